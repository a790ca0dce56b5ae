import { copyFileSync, existsSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { FormatError, MachineError } from '../../lib/errors.js';
import { makeDirectory } from '../../lib/files.js';
import { takePerformed } from '../execute.js';
import { divideIntoSingles } from './local.js';

/** @import { Executor, Performed, Task } from '../execute.js' */
/** @import { StoredRun } from '../store.js' */

const ARTEFACTS = 'artefacts';
const REMEDY = 'free some space or check the permissions, then merge again';

/**
 * A run whose observations answer the jobs of another one.
 *
 * @typedef {object} AnsweringRun
 * @property {string} host name of the host in the observations
 * @property {StoredRun} run
 */

/**
 * Opens an executor that finds the results of jobs in the journals of runs, which were measured elsewhere. A job that
 * none of them has run is not run.
 *
 * @param {AnsweringRun[]} answering
 * @param {string} path of the run that the artefacts are copied into
 * @returns {Executor}
 */
export function openFilesExecutor(answering, path) {
  /** @type {Map<string, { host: string, from: string, observation: any }>} */
  const found = new Map();
  for (const { host, run } of answering) {
    const { observations, memoryObservations, placementObservations, profileObservations } = run;
    const all = [observations, memoryObservations, placementObservations, profileObservations];
    for (const observation of all.flat()) {
      found.set(`${observation.id} ${observation.attempt}`, { host, from: run.path, observation });
    }
  }

  /** @type {(task: Task) => Performed | null} */
  function answer({ planned, attempt }) {
    const known = found.get(`${planned.id} ${attempt}`);
    if (known === undefined) return null;
    const { host, from, observation } = known;
    for (const artefact of observation.artefacts ?? []) copyArtefact(artefact, from, path);
    return /** @type {Performed} */ ({ ...takePerformed(observation, planned), host });
  }

  return {
    widthOf: () => Infinity,
    divide: divideIntoSingles,
    run: async (tasks) => tasks.map(answer),
    async close() {},
  };
}

/**
 * Copies an artefact of a run into another one, under the same name. The report notes missing files.
 *
 * @param {string} artefact relative to the run
 * @param {string} from path of the run that has it
 * @param {string} to path of the other run
 * @throws {FormatError} when it is not a file of that run, or the other has one of that name
 * @throws {MachineError} when it cannot be written
 */
export function copyArtefact(artefact, from, to) {
  const source = join(from, artefact);
  if (!existsSync(source)) return;
  const folder = join(realpathSync(from), ARTEFACTS) + sep;
  const target = join(to, artefact);
  const isInside =
    realpathSync(source).startsWith(folder) && target.startsWith(join(to, ARTEFACTS) + sep);
  if (!isInside) {
    throw new FormatError(`'${artefact}' of '${from}' is not a file of that run`, {
      remedy: 'artefacts must be below artefacts/; do not trust this run',
    });
  }
  if (existsSync(target)) {
    throw new FormatError(`two parts have a file '${artefact}'`, {
      remedy: 'measure again with this version of Assay, which gives every file a unique name',
    });
  }
  makeDirectory(dirname(target), REMEDY);
  try {
    copyFileSync(source, target);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new MachineError(`cannot copy '${artefact}' of '${from}': ${message}`, {
      cause: error,
      remedy: REMEDY,
    });
  }
}
