/** What a followed branch needs to have measured next, and what a record keeps of it. Decision 0062 has the reasons. */

import { createHash } from 'node:crypto';
import { group } from 'd3-array';
import { omitUndefined } from '../../lib/records.js';
import { shortHash } from '../../lib/words.js';
import { sumOf } from '../../stats/means.js';
import { MAX_PLACED_CELLS } from '../../stats/placement.js';
import { isDecided } from '../../stats/verdicts.js';
import { readConfirmations } from './confirmations.js';
import { readFollowing } from './following.js';
import { planConfirmation, planSearch, planWithin } from './search.js';

/** @import { FollowedCommit, FollowedPurpose, FollowedRelease, FollowedStep, Following, RecordedCell } from '../../formats/types.ts' */
/** @import { Study } from '../study.js' */
/** @import { FollowedRecord } from './chain.js' */

/**
 * What is known of a branch, and what was found in this call.
 *
 * @typedef {object} FollowState
 * @property {string} branch
 * @property {string} reference spec that every commit is compared with
 * @property {FollowedCommit[]} line its commits along first parents, the oldest first
 * @property {FollowedRelease[]} releases tags of these
 * @property {number} first index of the commit to begin with, where there are no records
 * @property {boolean} isEach whether every commit is measured, instead of the last one
 * @property {boolean} isNightly whether what merges left inconclusive is measured again
 * @property {number} level of confirmations
 * @property {FollowedRecord[]} records of this branch, points only of this reference; the oldest first
 * @property {(records: FollowedRecord[]) => Following | null} read what these say
 * @property {string[]} cellIds of the question
 * @property {{ revision: string, reason: string, wasMeasured?: true }[]} skipped commits that cannot be measured, or no longer
 * @property {string[]} unchanged hashes of commits whose built code is that of the measured one before
 */

/**
 * What one comparison measures.
 *
 * @typedef {object} FollowTask
 * @property {FollowedPurpose} purpose
 * @property {string | null} before whole hash; null for the reference
 * @property {string} after whole hash
 * @property {string[]} cellIds
 * @property {number} [level] of a confirmation
 * @property {{ boundary: number, alpha: number }} [rule] of a search
 */

/** @typedef {FollowTask & { seed: number, budgetSeconds: number | null }} FollowStepTask */

/**
 * What a comparison gave: a record, or why the commit `after` has none.
 *
 * @typedef {object} FollowOutcome
 * @property {FollowedRecord | null} record
 * @property {string} [reason] why the commit cannot be measured
 * @property {true} [isBefore] whether that is said of the commit before
 * @property {true} [isUnchanged] whether its code is that of the commit before
 * @property {string[]} [unchanged] those of the commits between that have the code of the commit before them
 * @property {number} sessionSeconds
 */

/** A comparison is started only if this share of what it probably takes is left of the budget. */
const MIN_SHARE = 1 / 2;
/** Comparisons of what a merge left open, after which it stays so. */
const MOST_MORE = 2;
/** Commits that can no longer be compared with, after which no other is tried: building each takes time beside the budget. */
const MOST_LOST = 3;

/**
 * Of a long branch reading takes seconds, and planning and printing ask for the same.
 *
 * @param {Parameters<typeof readFollowing>[1]} [known]
 * @returns {FollowState['read']} that keeps what it has read last
 */
export function openReader(known) {
  /** @type {{ records: FollowedRecord[], following: Following | null } | undefined} */
  let last;
  return function read(records) {
    if (last?.records !== records) last = { records, following: readFollowing(records, known) };
    return last.following;
  };
}

/** @type {(state: FollowState) => Map<string, number>} index of each commit, by its hash */
function indexLine({ line }) {
  return new Map(line.map(({ revision }, index) => [revision, index]));
}

/**
 * @param {Pick<FollowState, 'line' | 'records'>} state
 * @returns {number} index of the last commit that was measured; -1 if none of the line was
 */
function findLastMeasured({ line, records }) {
  const measured = new Set(
    records.flatMap(({ followed: { purpose, after } }) =>
      purpose === 'merge' || purpose === 'point' ? after : [],
    ),
  );
  return line.findLastIndex(({ revision }) => measured.has(revision));
}

/**
 * The next comparison. It follows from the records and the commits, so that another call does what is missing.
 *
 * @param {FollowState} state
 * @param {number} [leftSeconds] of the budget
 * @returns {FollowTask | null} null when nothing is missing
 */
export function planNext(state, leftSeconds = Infinity) {
  const last = findLastMeasured(state);
  if (last === -1) return planFirst(state);
  const task = planPoint(state, last) ?? planMerge(state, last);
  if (task !== null || isLost(state)) return task;
  const { value: next } = planChanges(state, leftSeconds).next();
  return next ?? (state.isNightly ? planMore(state) : null);
}

/**
 * @param {FollowState} state
 * @returns {{ after: string, needs: number }[]} confirmations that were cut short and are still to be repeated, one for each pair of
 *   commits; `needs`: seconds of budget without which none is begun
 */
export function listWaiting(state) {
  const waiting = new Map(
    [...planChanges(state, Infinity)]
      .filter(({ purpose }) => purpose === 'confirmation')
      .map(({ before, after, cellIds }) => {
        const needs = cellIds.map(
          (cellId) => readConfirmations(state.records, { before, after, cellId }).needs,
        );
        return [`${before} ${after}`, { after, needs: Math.max(...needs) }];
      }),
  );
  return [...waiting.values()].filter(({ needs }) => needs > 0);
}

/** @type {(state: Pick<FollowState, 'skipped'>) => boolean} whether the earlier commits are probably lost, as to a new contract */
function isLost({ skipped }) {
  return skipped.filter(({ wasMeasured }) => wasMeasured).length >= MOST_LOST;
}

/** @type {(state: FollowState) => FollowTask | null} */
function planFirst({ line, first, isEach, skipped, cellIds }) {
  const wanted = [
    line[first],
    ...(isEach ? line.slice(first + 1) : line.slice(first + 1).slice(-1)),
  ];
  const after = wanted.find(({ revision }) => !isSkipped(revision, skipped))?.revision;
  return after === undefined ? null : { purpose: 'point', before: null, after, cellIds };
}

/** @type {(state: FollowState, last: number) => FollowTask | null} */
function planPoint({ line, records, skipped, cellIds }, last) {
  const after = line[last].revision;
  const isMeasured = records.some(
    ({ followed }) => followed.purpose === 'point' && followed.after === after,
  );
  if (isMeasured || isSkipped(after, skipped)) return null;
  return { purpose: 'point', before: null, after, cellIds };
}

/** @type {(state: FollowState, last: number) => FollowTask | null} */
function planMerge(state, last) {
  const { line, records, isEach, skipped, unchanged, cellIds } = state;
  const missing = line.slice(last + 1);
  const after = (isEach ? missing : missing.slice(-1))
    .map(({ revision }) => revision)
    .find((revision) => !isSkipped(revision, skipped) && !unchanged.includes(revision));
  if (after === undefined) return null;
  const usable = line.filter(({ revision }) => !isSkipped(revision, skipped));
  const before = usable[findLastMeasured({ line: usable, records })]?.revision;
  if (before === undefined || isLost(state)) {
    return { purpose: 'point', before: null, after, cellIds };
  }
  return { purpose: 'merge', before, after, cellIds };
}

/**
 * What makes an alert of a suspicion: its confirmation, and then the search for its commit.
 *
 * @param {FollowState} state
 * @param {number} leftSeconds
 * @returns {Generator<FollowTask, undefined>} at most one for each change, the most urgent first
 */
function* planChanges(state, leftSeconds) {
  // Cells that are no longer measured are left alone: no comparison has them.
  const { records, read, skipped, level, cellIds: asked } = state;
  const following = read(records);
  if (following === null) return;
  const places = indexLine(state);
  const changes = following.changes
    .filter(
      ({ before, after, state: is }) =>
        is !== 'refuted' &&
        [before, after].every((one) => places.has(one) && !isSkipped(one, skipped)),
    )
    .map((change) => ({
      ...change,
      cells: change.cells.filter(({ cellId }) => asked.includes(cellId)),
    }));
  const known = {
    ...{ ...following, records, leftSeconds },
    isSkipped: (/** @type {string} */ revision) => isSkipped(revision, skipped),
  };
  for (const change of changes.filter(({ state: is }) => is === 'suspected')) {
    const task = planWithin(change, known) ?? planConfirmation(change, change, known);
    if (task !== null) yield confirm(task);
  }
  for (const change of changes.filter(({ state: is }) => is !== 'suspected')) {
    const task = planSearch(change, known);
    if (task !== null) yield task.purpose === 'search' ? task : confirm(task);
  }

  /** @param {{ before: string, after: string, cellIds: string[] }} asked @returns {FollowTask} */
  function confirm({ cellIds, before, after }) {
    // Others would not be measured in other placements, without which it is no confirmation.
    const cells = cellIds.slice(0, MAX_PLACED_CELLS);
    return { purpose: 'confirmation', before, after, cellIds: cells, level };
  }
}

/**
 * Cells that merges left open, those of the pair with the widest interval.
 * @type {(state: FollowState) => FollowTask | null}
 */
function planMore(state) {
  const { records, skipped, cellIds } = state;
  const places = indexLine(state);
  const results = records.flatMap(({ followed: { purpose, before, after }, cells }) => {
    const isOfPair = before !== null && places.has(before) && places.has(after);
    if (!isOfPair || isSkipped(after, skipped) || isSkipped(before, skipped)) return [];
    if (purpose !== 'merge' && purpose !== 'more') return [];
    return cells
      .filter(({ cellId }) => cellIds.includes(cellId))
      .map((cell) => ({ ...cell, pair: `${before} ${after}`, before, after }));
  });
  const open = [...group(results, ({ pair, cellId }) => `${pair} ${cellId}`).values()].flatMap(
    (own) => {
      const isOpen = own.length <= MOST_MORE && own.every(({ verdict }) => !isDecided(verdict));
      return isOpen ? own[own.length - 1] : [];
    },
  );
  const [widest] = open.toSorted((one, other) => widthOf(other) - widthOf(one));
  if (widest === undefined) return null;
  const { before, after, pair } = widest;
  const own = open.filter((one) => one.pair === pair).map(({ cellId }) => cellId);
  return { purpose: 'more', before, after, cellIds: own };
}

/** @type {(cell: Pick<RecordedCell, 'ratio'>) => number} */
function widthOf({ ratio }) {
  return ratio === null ? Infinity : Math.log(ratio.high / ratio.low);
}

/** @type {(revision: string, skipped: FollowState['skipped']) => boolean} */
function isSkipped(wanted, skipped) {
  return skipped.some(({ revision }) => revision === wanted);
}

/**
 * @param {FollowTask} task
 * @param {FollowState} state
 * @returns {FollowedStep} what its record keeps of the branch
 */
export function describeStep({ purpose, before, after, level }, state) {
  const { branch, reference, line, releases } = state;
  const places = indexLine(state);
  const placeOf = (/** @type {string} */ revision) => places.get(revision) ?? 0;
  const to = placeOf(after);
  const commits = line.slice(before === null ? to : placeOf(before) + 1, to + 1);
  const unchanged = commits
    .map(({ revision }) => revision)
    .filter((revision) => state.unchanged.includes(revision));
  const from = Math.min(
    to,
    ...state.records.map(({ followed }) => places.get(followed.after) ?? Infinity),
  );
  return {
    ...{ branch, purpose, reference, before, after, commits },
    ...omitUndefined({ unchanged: unchanged.length === 0 ? undefined : unchanged }),
    releases: keepReleases(releases, placeOf, from),
    ...omitUndefined({ level }),
  };
}

/**
 * Tags before the first measured commit say nothing, but for the last of them.
 * @type {(releases: FollowedRelease[], placeOf: (revision: string) => number, from: number) => FollowedRelease[]}
 */
function keepReleases(releases, placeOf, from) {
  const since = releases.findIndex(({ revision }) => placeOf(revision) >= from);
  return since === -1 ? releases.slice(-1) : releases.slice(Math.max(0, since - 1));
}

/**
 * The study that measures what is missing, until nothing is or the budget ends.
 *
 * @param {(task: FollowStepTask, state: FollowState) => Promise<FollowOutcome | null>} compare null where it was
 *   interrupted; throws where the commit before or the reference cannot be measured
 * @param {{ seed: number, budgetSeconds: number }} settings `budgetSeconds`: of all comparisons of this call together
 * @returns {Study<FollowState, FollowStepTask, FollowOutcome>}
 */
export function makeFollowStudy(compare, { seed, budgetSeconds }) {
  return {
    next(state, { results }) {
      const left = budgetSeconds - sumOf(results.map(({ sessionSeconds }) => sessionSeconds));
      const task = left <= 0 ? null : planNext(state, left);
      if (task === null) return null;
      const expected = expectSeconds(task, state.records);
      const kept = reserveFor(task, state);
      // What a call begins with is measured as far as it goes, or a small budget would never measure anything. A merge is
      // not measured again for the sake of precision, and so is not begun with half of what it needs.
      const needed = task.purpose === 'merge' ? expected + kept / 2 : MIN_SHARE * expected;
      if (results.length > 0 && left < needed) return null;
      return {
        ...task,
        seed: deriveSeed(seed, task, state.records),
        budgetSeconds: left === Infinity ? null : Math.ceil(Math.max(left / 2, left - kept)),
      };
    },
    measure: compare,
    announce({ purpose, after }, { line }) {
      const { subject } = /** @type {FollowedCommit} */ (
        line.find(({ revision }) => revision === after)
      );
      return `${purpose} ${shortHash(after)} ${subject}`;
    },
    comment: (_, __, { isUnchanged }) =>
      isUnchanged ? 'nothing is measured: its built code is that of the commit before' : undefined,
    absorb(state, { task, result }) {
      const { record, reason, isBefore, isUnchanged, unchanged = [] } = result;
      const { before, after } = task;
      const known = [...state.unchanged, ...unchanged, ...(isUnchanged ? [after] : [])];
      return {
        ...state,
        unchanged: known,
        skipped: [
          ...state.skipped,
          ...(reason === undefined
            ? []
            : isBefore && before !== null
              ? [{ revision: before, reason, wasMeasured: isBefore }]
              : [{ revision: after, reason }]),
        ],
        records: record === null ? state.records : [...state.records, record],
      };
    },
    conclude: (state) => state,
  };
}

/**
 * Every comparison of the branch has another order of jobs and other placements, whatever became of the records of others.
 *
 * @param {number} seed of the call
 * @param {FollowTask} task
 * @param {FollowedRecord[]} records
 * @returns {number}
 */
function deriveSeed(seed, { purpose, before, after, cellIds }, records) {
  const attempts = records.filter(
    ({ followed }) =>
      followed.purpose === purpose && followed.before === before && followed.after === after,
  );
  const asked = JSON.stringify([seed, purpose, before, after, cellIds, attempts.length]);
  return createHash('sha256').update(asked).digest().readUInt32BE();
}

/**
 * @param {FollowTask} task
 * @param {FollowedRecord[]} records
 * @returns {number} what it takes if a cell takes as long as in earlier ones for this purpose; 0 if there are none
 */
function expectSeconds({ purpose, cellIds }, records) {
  const own = records.filter(({ followed }) => followed.purpose === purpose);
  const cells = sumOf(own.map((record) => record.cells.length));
  return cells === 0 ? 0 : (sumOf(own.map(({ seconds }) => seconds)) / cells) * cellIds.length;
}

/**
 * The line needs its point, so that a comparison which is hard to decide does not take all there is.
 * @type {(task: FollowTask, state: FollowState) => number} seconds that are kept of the budget
 */
function reserveFor(task, { records }) {
  return task.purpose === 'merge' ? expectSeconds({ ...task, purpose: 'point' }, records) : 0;
}
