/** Artefacts of a profile pass on their way from a host to the submitter, by way of the object store of the run. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../lib/errors.js';
import { RUN, wrapIoError } from '../../lib/files.js';
import { describeExcess, MAX_OBJECT_BYTES } from './broker.js';

/** @import { FleetFile, FleetProfiles, ProfileObservation } from '../../formats/types.ts' */
/** @import { Broker } from './broker.js' */

/** Of all artefacts that a session takes from hosts; those of a cell usually have 3 MB. */
const MAX_RUN_BYTES = 1_000_000_000;

/**
 * Puts the artefacts of observations into the store of a run. An observation whose artefact is too large has failed.
 *
 * @param {ProfileObservation[]} observations
 * @param {string} path of the directory to which artefacts are relative
 * @param {(bytes: Uint8Array) => ReturnType<Broker['putObject']>} put
 * @returns {Promise<Pick<FleetProfiles, 'observations' | 'files'>>}
 */
export async function sendArtefacts(observations, path, put) {
  /** @type {FleetFile[]} */
  const files = [];
  const sent = await replaceEach(observations, async (artefact) => {
    const file = join(path, artefact);
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) return 'it was not written';
    if (found.size > MAX_OBJECT_BYTES) return describeExcess(found.size);
    const stored = await put(readFileSync(file));
    if (stored === null) return 'the run has ended';
    files.push({ path: artefact, ...stored });
    return null;
  });
  return { observations: sent, files };
}

/**
 * @param {object} run
 * @param {string} run.path
 * @param {string} run.fleetId
 * @param {Pick<Broker, 'getObject' | 'deleteObject'>} run.broker
 */
export function openArtefacts({ path, fleetId, broker }) {
  let totalBytes = 0;

  /** @type {(artefact: string, file: FleetFile) => Promise<string | null>} what is wrong */
  async function store(artefact, file) {
    const bytes = await broker.getObject(fleetId, file);
    if (typeof bytes === 'string') return bytes;
    totalBytes += bytes.length;
    if (totalBytes > MAX_RUN_BYTES) {
      return `those of the run have more than ${MAX_RUN_BYTES / 1e6} MB`;
    }
    const target = join(path, artefact);
    wrapIoError(target, RUN, () => writeFileSync(target, bytes));
    return null;
  }

  return {
    /**
     * Stores the artefacts of jobs as if they were recorded here. An observation with one that is missing, too large
     * or not what the host has stored has failed.
     *
     * @param {FleetProfiles} answer
     * @param {(observation: ProfileObservation) => string | undefined} baseOf what the paths of its artefacts begin
     *   with; undefined if they are not wanted
     * @returns {Promise<FleetProfiles>}
     */
    async take(answer, baseOf) {
      const files = new Map(answer.files.map((file) => [file.path, file]));
      const wanted = answer.observations.filter((observation) => baseOf(observation) !== undefined);
      const observations = await replaceEach(wanted, async (artefact, observation) => {
        const base = `${baseOf(observation)}.`;
        const isOwn = artefact.startsWith(base) && !artefact.slice(base.length).includes('/');
        if (!isOwn) return `artefacts of this job are called ${base}…`;
        const file = files.get(artefact);
        if (file === undefined) return 'it is missing';
        return store(artefact, file).catch(messageOf);
      });
      return { ...answer, observations };
    },

    /** Deletes files that are no longer needed; the end of the run deletes the rest. @param {FleetProfiles} answer */
    async drop({ files }) {
      await Promise.allSettled(files.map(({ object }) => broker.deleteObject(fleetId, object)));
    },
  };
}

/**
 * @param {ProfileObservation[]} observations
 * @param {(artefact: string, observation: ProfileObservation) => Promise<string | null>} move returns why it cannot
 * @returns {Promise<ProfileObservation[]>} the same, but failed where an artefact could not be moved
 */
async function replaceEach(observations, move) {
  const moved = [];
  for (const observation of observations) {
    const { formatVersion, id, recorder, cellId, arm, process, ...rest } = observation;
    const { attempt, startedAtMs, workerMs } = rest;
    const place = { formatVersion, id, recorder, cellId, arm, process };
    const job = { ...place, attempt, startedAtMs, workerMs };
    let result = observation;
    for (const artefact of observation.outcome === 'done' ? observation.artefacts : []) {
      const problem = await move(artefact, observation);
      if (problem === null) continue;
      result = { ...job, outcome: 'failed', detail: `artefact '${artefact}': ${problem}` };
      break;
    }
    moved.push(result);
  }
  return moved;
}
