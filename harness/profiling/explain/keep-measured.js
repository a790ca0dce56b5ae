/** @import { DeoptLog } from '../../formats/types.ts' */
/** @import { CellEvidence, Side } from './types.ts' */

/**
 * V8's log without the functions that no profile saw at work: what only prepares documents is compiled
 * as chance has it. A function that is deoptimised after warm-up is kept, seen or not.
 *
 * @param {Pick<CellEvidence, 'deopts' | 'stacks'>} evidence
 * @returns {Record<Side, DeoptLog | null>} everything where there are no stacks
 */
export function keepMeasured({ deopts, stacks }) {
  const profiles = Object.values(stacks).flatMap(({ baseline, candidate }) => [
    ...baseline,
    ...candidate,
  ]);
  if (profiles.length === 0) return deopts;
  const seen = new Set(
    profiles.flatMap(({ frames }) => frames.map(({ name, file }) => keyOf(name, file))),
  );
  /** @param {DeoptLog | null} log */
  const keep = (log) =>
    log && {
      functions: log.functions.filter(
        ({ name, file, deopts: found }) =>
          seen.has(keyOf(name, file)) || found.some(({ late }) => late > 0),
      ),
    };
  return { baseline: keep(deopts.baseline), candidate: keep(deopts.candidate) };
}

/**
 * @param {string} name
 * @param {string | null} file
 */
function keyOf(name, file) {
  return `${name}\n${file}`;
}
