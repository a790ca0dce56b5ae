import { copyFileSync, existsSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { FormatError, MachineError } from '../../lib/errors.js';
import { makeDirectory } from '../../lib/make-directory.js';

/** @import { StoredRun } from '../../run/run-store.js' */

const ARTEFACTS = 'artefacts';

/**
 * Copies the files that the recorders of a shard left into a merged run, under the same names. A file
 * that is gone is told in the report, as in that of the shard.
 *
 * @param {StoredRun} part
 * @param {string} path of the merged run
 * @throws {FormatError} when a name leads out of the shard's directory, or another shard has it too
 * @throws {MachineError} when a file cannot be written
 */
export function copyArtefacts(part, path) {
  const artefacts = part.profileObservations.flatMap((observation) =>
    observation.outcome === 'done' ? observation.artefacts : [],
  );
  for (const artefact of new Set(artefacts)) copyArtefact(artefact, part.path, path);
}

/**
 * @param {string} artefact relative to the run
 * @param {string} from
 * @param {string} to
 */
function copyArtefact(artefact, from, to) {
  const source = join(from, artefact);
  if (!existsSync(source)) return;
  const folder = join(realpathSync(from), ARTEFACTS) + sep;
  const target = join(to, artefact);
  const isInside =
    realpathSync(source).startsWith(folder) && target.startsWith(join(to, ARTEFACTS) + sep);
  if (!isInside) {
    throw new FormatError(`'${artefact}' of '${from}' is not among the files of that run`, {
      remedy: 'a run keeps its files below artefacts/; do not trust one that says otherwise',
    });
  }
  if (existsSync(target)) {
    throw new FormatError(`two shards have a file '${artefact}'`, {
      remedy: 'measure again with this revision of Assay, which names files by the whole plan',
    });
  }
  makeDirectory(dirname(target), 'free some space or check the permissions, then merge again');
  try {
    copyFileSync(source, target);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new MachineError(`cannot copy '${artefact}' of '${from}': ${message}`, {
      cause: error,
      remedy: 'free some space or check the permissions, then merge again',
    });
  }
}
