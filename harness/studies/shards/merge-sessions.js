import { countBusyMs, listJobs } from '../../run/conclude-run.js';
import { recallSession } from '../../run/recall-session.js';

/** @import { Difference, HostNoise, Question, Verdict } from '../../formats/types.ts' */
/** @import { SessionFacts } from '../../run/conclude-run.js' */
/** @import { StoredRun } from '../../run/run-store.js' */

/** From the best to the worst. */
const ENDS = /** @type {Verdict['ended'][]} */ ([
  'complete',
  'budget',
  'interrupted',
  'failed',
  'refused',
]);

/**
 * What only the sessions of the shards knew, as that of one run. The end and the noise are the worst of
 * all parts. Shards are measured at the same time, so the wall time is that of the longest; the time
 * of the workers is the sum.
 *
 * @param {StoredRun[]} parts
 * @param {Pick<StoredRun, 'observations' | 'memoryObservations' | 'profileObservations' | 'layoutObservations'>} merged
 * @param {Question} plan
 * @returns {SessionFacts}
 */
export function mergeSessions(parts, merged, plan) {
  const sessions = parts.map(recallSession);
  const workerMs = parts.reduce((sum, { verdict }) => sum + (verdict?.timing.workerMs ?? 0), 0);
  const ranks = sessions.map(({ ended }) => ENDS.indexOf(ended));
  return {
    ended: ENDS[Math.max(...ranks)],
    hostNoise: takeWorstNoise(sessions.map(({ hostNoise }) => hostNoise)),
    differences: sortByCell(
      sessions.flatMap(({ differences }) => differences),
      plan,
    ),
    wallMs: Math.max(...sessions.map(({ wallMs }) => wallMs)),
    // Jobs of two hosts overlap. A run counts such time once, so the rest is added to that of the gate.
    checkMs: Math.max(0, workerMs - countBusyMs(listJobs(merged))),
    interimLooks: Object.assign({}, ...sessions.map(({ interimLooks }) => interimLooks)),
  };
}

/**
 * @param {HostNoise[]} noises
 * @returns {HostNoise} of each counter the highest that is known
 */
function takeWorstNoise(noises) {
  /** @param {keyof HostNoise} counter */
  const highest = (counter) => {
    const known = noises.flatMap(({ [counter]: value }) => (value === null ? [] : value));
    return known.length === 0 ? null : Math.max(...known);
  };
  return {
    stealShare: highest('stealShare'),
    othersShare: highest('othersShare'),
    throttledMs: highest('throttledMs'),
  };
}

/**
 * @param {Difference[]} differences
 * @param {Question} plan
 * @returns {Difference[]} in the order of the cells of the plan
 */
function sortByCell(differences, { cells }) {
  const places = new Map(cells.map(({ id }, index) => [id, index]));
  /** @param {Difference} difference */
  const placeOf = ({ cellId }) => places.get(cellId) ?? cells.length;
  return differences.toSorted((a, b) => placeOf(a) - placeOf(b));
}
