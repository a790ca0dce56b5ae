/** @import { TrialWorld } from '../../../testing/simulation/trials.js' */

/** Of `compare`, with fewer looks: judging them takes most of the time of a test. */
const RULE = { alpha: 0.05, minimumEffect: 0.03, looks: [12, 36] };

/**
 * A host like those that Assay is used on, whose truth is known.
 *
 * @param {Partial<TrialWorld>} [changes]
 * @returns {TrialWorld}
 */
export function makeWorld(changes) {
  return {
    mode: 'default',
    cellIds: ['serialize flat', 'deserialize deep'],
    injected: [0],
    noise: 'normal',
    processDeviation: 0.03,
    driftDeviation: 0,
    processMs: 180,
    budgetSeconds: 20,
    rule: RULE,
    ...changes,
  };
}

/**
 * The same for tests of what does not go by verdicts: one look, at the end, which is quick.
 *
 * @param {Partial<TrialWorld>} [changes]
 * @returns {TrialWorld}
 */
export function makeUnjudgedWorld(changes) {
  return makeWorld({ rule: { ...RULE, looks: [] }, ...changes });
}
