/** The search for the commit of a confirmed change that covers several: a bisection of one cell whose answers are records. */

import {
  ALPHA,
  countTests,
  nextCandidate,
  recordAnswer,
  startSearch,
} from '../bisect/bisection.js';
import { answerByBoundary } from '../bisect/step.js';

/** @import { ChangedCell, FollowedChange, FollowedPurpose, Following, RecordedCell, StepAnswer } from '../../formats/types.ts' */
/** @import { FollowedRecord } from './chain.js' */

/** Confirmations of the pair that a search ends with, where the first says nothing. */
const MOST_ATTEMPTS = 2;

/**
 * What a search measures next: whether a commit is beyond the `boundary` already, or at its end the last commit without the
 * change with the first that has it.
 *
 * @typedef {object} SearchTask
 * @property {'search' | 'confirmation'} purpose
 * @property {string} before whole hash
 * @property {string} after whole hash
 * @property {string[]} cellIds
 * @property {{ boundary: number, alpha: number }} [rule] of a test
 */

/**
 * @param {FollowedChange} change confirmed
 * @param {Pick<Following, 'commits'>} following
 * @param {readonly FollowedRecord[]} records
 * @param {(revision: string) => boolean} isSkipped whether a commit cannot be measured
 * @returns {SearchTask | null} null where the commit is known, or cannot be found
 */
export function planSearch(change, { commits }, records, isSkipped) {
  if (change.commits < 2) return null;
  const places = new Map(commits.map(({ revision }, place) => [revision, place]));
  const [from = 0, to = 0] = [change.before, change.after].map((one) => places.get(one));
  const changed = commits.slice(from + 1, to + 1).filter(({ isUnchanged }) => !isUnchanged);
  const revisions = [change.before, ...changed.map(({ revision }) => revision)];
  const [{ cellId, ratio }] = change.cells.toSorted((one, other) => sizeOf(other) - sizeOf(one));
  // Half of the whole difference on a log scale.
  const boundary = Math.sqrt(ratio.estimate);
  const tests = listResults(records, 'search', cellId).filter(
    ({ before }) => before === change.before,
  );
  let search = startSearch(revisions.length);
  for (let next = nextCandidate(search); next !== null; next = nextCandidate(search)) {
    const after = revisions[next];
    // Of several tests of one commit, those before this one had no answer.
    const test = tests.filter((one) => one.after === after)[search.attempts];
    if (test === undefined && !isSkipped(after)) {
      const alpha = ALPHA / countTests(revisions.length);
      const { before } = change;
      return { purpose: 'search', before, after, cellIds: [cellId], rule: { boundary, alpha } };
    }
    search = recordAnswer(search, next, test === undefined ? 'unusable' : judge(test, boundary));
  }
  const [before, after] = [revisions[search.good], revisions[search.bad]];
  const confirmations = listResults(records, 'confirmation', cellId).filter(
    (one) => one.before === before && one.after === after,
  );
  const isNarrower = search.good > 0 || search.bad < revisions.length - 1;
  const isOver = confirmations.length === MOST_ATTEMPTS || confirmations.some(isAnswer);
  if (!isNarrower || isOver || isSkipped(after)) return null;
  return {
    ...{ purpose: 'confirmation', before, after },
    cellIds: change.cells.map((cell) => cell.cellId),
  };
}

/** @type {(cell: ChangedCell) => number} */
function sizeOf({ ratio }) {
  return Math.abs(Math.log(ratio.estimate));
}

/** @typedef {RecordedCell & { before: string | null, after: string }} Result */

/** @type {(records: readonly FollowedRecord[], purpose: FollowedPurpose, wanted: string) => Result[]} the oldest first */
function listResults(records, purpose, wanted) {
  return records
    .filter(({ followed }) => followed.purpose === purpose)
    .flatMap(({ followed: { before, after }, cells }) =>
      cells.flatMap((cell) => (cell.cellId === wanted ? { ...cell, before, after } : [])),
    );
}

/** @type {(cell: RecordedCell) => boolean} whether it says anything of the cell */
function isAnswer({ verdict, ratio }) {
  return ratio !== null && verdict !== 'untrusted' && verdict !== 'refused';
}

/**
 * @param {RecordedCell} cell of a test
 * @param {number} boundary ratio beyond which a commit has the change; below 1 for what became faster
 * @returns {StepAnswer}
 */
function judge(cell, boundary) {
  const { ratio, processes } = cell;
  if (ratio === null || !isAnswer(cell)) return 'unsettled';
  if (boundary >= 1) return answerByBoundary(ratio, processes, boundary);
  const mirrored = { estimate: 1 / ratio.estimate, low: 1 / ratio.high, high: 1 / ratio.low };
  return answerByBoundary(mirrored, processes, 1 / boundary);
}
