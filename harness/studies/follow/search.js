/** The search for the commit of a confirmed change that covers several: a bisection of one cell whose answers are records. */

import { isConfirmed } from '../../stats/alarms.js';
import {
  ALPHA,
  countTests,
  nextCandidate,
  recordAnswer,
  startSearch,
} from '../bisect/bisection.js';
import { answerByBoundary } from '../bisect/step.js';
import { readConfirmations } from './confirmations.js';

/** @import { ChangedCell, FollowedChange, Following, RatioInterval, RecordedCell, StepAnswer } from '../../formats/types.ts' */
/** @import { FollowedRecord } from './chain.js' */

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
 * What is known of a branch, and what a call may do.
 *
 * @typedef {object} SearchContext
 * @property {Following['commits']} commits
 * @property {FollowedChange[]} changes
 * @property {readonly FollowedRecord[]} records
 * @property {number} leftSeconds of the budget
 * @property {(revision: string) => boolean} isSkipped whether a commit cannot be measured
 */

/**
 * What one commit has changed, it may have changed on other cells, too.
 *
 * @param {FollowedChange} change of several commits
 * @param {SearchContext} context
 * @returns {SearchTask | null} its cells on a narrower confirmed change that it covers; null where there is none to ask
 */
export function planWithin(change, context) {
  const rangeOf = listPlaces(context);
  const [from, to] = rangeOf(change);
  const inner = context.changes.filter((one) => {
    const [low, high] = rangeOf(one);
    const isInner = low >= from && high <= to && high - low < to - from;
    return isInner && isConfirmed(one);
  });
  for (const one of inner) {
    const task = planConfirmation(change, one, context);
    if (task !== null) return task;
  }
  return null;
}

/**
 * @param {Pick<FollowedChange, 'cells'>} change
 * @param {{ before: string, after: string }} pair
 * @param {Pick<SearchContext, 'records' | 'leftSeconds' | 'isSkipped'>} context
 * @returns {SearchTask | null} its cells of which confirmations of the pair have said nothing yet, the largest difference
 *   first; null without any
 */
export function planConfirmation({ cells }, { before, after }, context) {
  const { records, leftSeconds, isSkipped } = context;
  if (isSkipped(before) || isSkipped(after)) return null;
  const cellIds = cells
    .toSorted((one, other) => sizeOf(other.ratio) - sizeOf(one.ratio))
    .map(({ cellId }) => cellId)
    .filter((cellId) => {
      const { isMissing, needs } = readConfirmations(records, { before, after, cellId });
      return isMissing && needs <= leftSeconds;
    });
  return cellIds.length === 0 ? null : { purpose: 'confirmation', before, after, cellIds };
}

/** @type {(context: Pick<SearchContext, 'commits'>) => (pair: { before: string, after: string }) => number[]} */
function listPlaces({ commits }) {
  const places = new Map(commits.map(({ revision }, place) => [revision, place]));
  return ({ before, after }) => [before, after].map((one) => places.get(one) ?? 0);
}

/**
 * Each cell is searched by in turn, the clearest first: builds of some cells differ by so much that their search ends beside the
 * change, where other placements refute it.
 *
 * @param {FollowedChange} change confirmed
 * @param {SearchContext} context
 * @returns {SearchTask | null} null where the commit is known, or cannot be found
 */
export function planSearch(change, context) {
  if (change.commits < 2) return null;
  const passed = planWithin(change, context);
  if (passed !== null) return passed;
  const cells = change.cells.toSorted((one, other) => clarityOf(other) - clarityOf(one));
  for (const cell of cells) {
    const task = planSearchBy(cell, change, context);
    if (task !== null) return task;
  }
  return null;
}

/** @type {(cell: ChangedCell, change: FollowedChange, context: SearchContext) => SearchTask | null} */
function planSearchBy({ cellId, ratio }, change, context) {
  const { commits, records, isSkipped } = context;
  const [from, to] = listPlaces(context)(change);
  const changed = commits.slice(from + 1, to + 1).filter(({ isUnchanged }) => !isUnchanged);
  const revisions = [change.before, ...changed.map(({ revision }) => revision)];
  // Half of the whole difference on a log scale.
  const boundary = Math.sqrt(ratio.estimate);
  const tests = listTests(records, { before: change.before, cellId });
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
  const isNarrower = search.good > 0 || search.bad < revisions.length - 1;
  const after = revisions[search.bad];
  if (!isNarrower) return null;
  // Unchanged commits at the beginning do not belong to the change.
  const first = commits.findIndex(({ revision }) => revision === revisions[search.good + 1]);
  const { revision: before } = commits[Math.max(1, first) - 1];
  const task = planConfirmation(change, { before, after }, context);
  return task?.cellIds.includes(cellId) ? task : null;
}

/** @type {(cell: ChangedCell) => number} size beside what is uncertain of it: builds of some cells differ more */
function clarityOf({ ratio }) {
  return sizeOf(ratio) / Math.max(Math.log(ratio.high / ratio.low), Number.EPSILON);
}

/** @type {(ratio: Pick<RatioInterval, 'estimate'>) => number} log scale */
function sizeOf({ estimate }) {
  return Math.abs(Math.log(estimate));
}

/** @type {(records: readonly FollowedRecord[], of: { before: string, cellId: string }) => (RecordedCell & { after: string })[]} tests of a search, the oldest first */
function listTests(records, { before, cellId }) {
  return records
    .filter(({ followed }) => followed.purpose === 'search' && followed.before === before)
    .flatMap(({ followed: { after }, cells }) =>
      cells.flatMap((cell) => (cell.cellId === cellId ? { ...cell, after } : [])),
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
