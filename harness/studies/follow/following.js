/** What is known of a branch: a pure function of the records of its comparisons and of the project's answers. */

import { group } from 'd3-array';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { countOf } from '../../lib/numbers.js';
import { formatCommand } from '../../lib/program.js';
import { omitUndefined } from '../../lib/records.js';
import { shortHash } from '../../lib/words.js';
import { isConfirmed } from '../../stats/alarms.js';
import { allowForPull } from '../../stats/decision-rule.js';
import { studentInterval, toRatios } from '../../stats/means.js';
import { isDirection, isSlower } from '../../stats/verdicts.js';
import { coversCell, parseAcknowledgements } from './acknowledgements.js';
import { isFollowed, isOfSeries, linkCommits } from './chain.js';
import { readConfirmations } from './confirmations.js';
import { findDrifts } from './drift.js';
import { readLevels } from './levels.js';
import { listConcerned, markRestored } from './restored.js';

/** @import { ChangeState, ChangedCell, ComparisonRecord, FollowedCell, FollowedChange, FollowedCommit, Following, MeasuredCommit, Question, RatioInterval, RecordedCell } from '../../formats/types.ts' */
/** @import { Acknowledgement } from './acknowledgements.js' */
/** @import { Chain, FollowedRecord } from './chain.js' */
/** @import { Drift } from './drift.js' */

/**
 * What a command that measures a pair of commits again looks like.
 *
 * @callback FormatCommand
 * @param {Question} question
 * @param {{ cellIds: string[], args: [before: string, after: string] }} asked of it
 * @returns {string}
 */

/**
 * @param {readonly ComparisonRecord[]} records of a result store, in any order; those of no followed branch are passed over
 * @param {object} [known]
 * @param {string} [known.acknowledgements] text of the file
 * @param {FormatCommand} [known.formatReproduction]
 * @returns {Following | null} null where no comparison is of a followed branch
 */
export function readFollowing(
  records,
  { acknowledgements = '', formatReproduction = formatBareCommand } = {},
) {
  const all = records
    .flatMap((record) => (isFollowed(record) ? record : []))
    .sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const newest = all.at(-1);
  if (newest === undefined) return null;
  const { branch, reference } = newest.followed;
  const { family } = newest.identity.question;
  const own = all.filter(
    (record) =>
      isOfSeries(record, { branch, reference }) && record.identity.question.family === family,
  );
  const chain = linkCommits(own);
  const used = own.filter((record) => isOnChain(record, chain));
  const pairs = listPairs(used, chain);
  const { answers, problems } = parseAcknowledgements(acknowledgements);
  const { question } = newest.identity;
  const levels = readLevels(used, chain, { question, pairs });
  const drifts = findDrifts(levels, question, {
    places: chain.places,
    isAnswered: (cellId, from, to) =>
      pairs.some(
        (pair) =>
          pair.isOfSeries &&
          pair.from < to &&
          from < pair.to &&
          pair.cells.some(({ cell }) => cell.cellId === cellId),
      ),
  });
  const suspected = drifts.flatMap((drift) => suspectDrift(drift, used, chain) ?? []);
  const found = makeChanges([...pairs, ...suspected].sort(comparePairs), formatReproduction);
  const changes = answerChanges(found, { answers, cells: levels, pairs }, chain);
  return {
    formatVersion: FORMAT_VERSION,
    branch,
    family,
    reference,
    commits: describeCommits(used, chain),
    cells: levels.map(({ changes: _, ...cell }) => cell),
    changes: markRestored(changes, ({ after }) => chain.places.get(after) ?? 0, question),
    notes: [
      ...noteOthers(all.length - own.length, `another branch, reference or family`),
      ...noteOthers(own.length - used.length, `commits that are no longer on the branch`),
      ...problems,
      ...noteUnknown(answers, chain, own),
    ],
  };
}

/** @type {(record: FollowedRecord) => string} */
function keyOf({ identity }) {
  return `${identity.createdAt} ${identity.runId}`;
}

/** @type {(record: FollowedRecord, chain: Chain) => boolean} */
function isOnChain({ followed: { before, after } }, { places }) {
  const [from, to] = [before, after].map((revision) => places.get(revision ?? ''));
  return to !== undefined && (before === null || (from !== undefined && from < to));
}

/** @type {(count: number, of: string) => string[]} */
function noteOthers(count, of) {
  return count === 0 ? [] : [`${countOf(count, 'comparison')} of ${of} left out`];
}

/** @type {(answers: Acknowledgement[], chain: Chain, records: FollowedRecord[]) => string[]} what is mistyped, and answers nothing */
function noteUnknown(answers, { commits }, records) {
  const known = records.flatMap(({ identity }) => identity.question.cells);
  return answers.flatMap(({ commit, cells, line }) => {
    const where = `answers, line ${line}`;
    if (!commits.some(({ revision }) => revision.startsWith(commit))) {
      return [`${where}: '${commit}' is no commit of the branch`];
    }
    return cells
      .filter((name) => !known.some((cell) => coversCell({ cells: [name] }, cell)))
      .map((name) => `${where}: '${name}' is no cell that was measured`);
  });
}

/** @type {(records: FollowedRecord[], chain: Chain) => MeasuredCommit[]} */
function describeCommits(records, { commits, unchanged, releases }) {
  const byCommit = group(records, ({ followed }) => followed.after);
  return commits.map((commit) => ({
    ...commit,
    releases: releases.get(commit.revision) ?? [],
    isUnchanged: unchanged.has(commit.revision),
    comparisons: (byCommit.get(commit.revision) ?? []).map(({ followed, identity, cells }) => ({
      ...{ runId: identity.runId, purpose: followed.purpose, createdAt: identity.createdAt },
      before: followed.before,
      cells: cells.map(({ cellId, verdict, ratio }) => ({ cellId, verdict, ratio })),
    })),
  }));
}

/**
 * What two commits showed on one cell, and whether a confirmation agrees.
 *
 * @typedef {object} PairCell
 * @property {'suspected' | 'refuted' | 'confirmed'} state
 * @property {boolean} isSlower
 * @property {RecordedCell} cell with the deciding figures
 * @property {FollowedRecord} decided where these are from
 * @property {RatioInterval} suspected
 * @property {FollowedRecord[]} records the oldest first
 */

/**
 * Two commits of which at least one cell was suspected to differ.
 *
 * @typedef {object} Pair
 * @property {string} before
 * @property {string} after
 * @property {{ before: string, after: string }} ends without commits at either end that changed nothing
 * @property {number} from place of `before` in the chain
 * @property {number} to place of `after`
 * @property {number} commits that the change may be of
 * @property {boolean} isOfSeries whether no comparison of a merge has raised it
 * @property {PairCell[]} cells
 */

/** @type {(records: FollowedRecord[], chain: Chain) => Pair[]} the oldest first */
function listPairs(records, { places, commits, unchanged }) {
  const direct = records.filter(({ followed }) => followed.before !== null);
  const byPair = group(direct, ({ followed }) => `${followed.before} ${followed.after}`);
  return [...byPair.values()]
    .map((own) => {
      const { before, after } = own[0].followed;
      const [from = 0, to = 0] = [before, after].map((one) => places.get(one ?? ''));
      const between = commits.slice(from + 1, to + 1);
      const count = between.filter(({ revision }) => !unchanged.has(revision)).length;
      const isOfSeries = own.every(
        ({ followed }) => followed.purpose !== 'merge' && followed.purpose !== 'more',
      );
      const ids = new Set(own.flatMap(({ cells }) => cells.map(({ cellId }) => cellId)));
      const cells = [...ids].flatMap((id) => judgePairCell(own, id, count) ?? []);
      const ends = trimUnchanged([commits[from], ...between], unchanged);
      return { before: before ?? '', after, ends, from, to, commits: count, isOfSeries, cells };
    })
    .filter(({ cells }) => cells.length > 0)
    .sort(comparePairs);
}

/** @type {(one: Pair, other: Pair) => number} */
function comparePairs(one, other) {
  return one.to - other.to || one.from - other.from;
}

/**
 * @param {Drift} drift
 * @param {FollowedRecord[]} records
 * @param {Chain} chain
 * @returns {Pair | null} to be confirmed; null without the points of both commits
 */
function suspectDrift({ before, after, cells }, records, { places, commits, unchanged }) {
  const [first, last] = [before, after].map((revision) =>
    records.find(({ followed }) => followed.purpose === 'point' && followed.after === revision),
  );
  if (first === undefined || last === undefined) return null;
  const [from = 0, to = 0] = [before, after].map((revision) => places.get(revision));
  const [baseline] = first.identity.question.candidates;
  const question = { ...last.identity.question, baseline };
  const decided = { ...last, identity: { ...last.identity, question } };
  const changed = commits
    .slice(from + 1, to + 1)
    .filter(({ revision }) => !unchanged.has(revision));
  return {
    ...{
      before,
      after,
      ends: { before, after },
      from,
      to,
      commits: changed.length,
      isOfSeries: true,
    },
    cells: cells.flatMap(({ cellId, step }) => {
      const cell = last.cells.find((one) => one.cellId === cellId);
      if (cell === undefined) return [];
      const isSlowerNow = step.estimate > 1;
      return {
        ...{ state: /** @type {const} */ ('suspected'), isSlower: isSlowerNow, decided },
        cell: { ...cell, verdict: isSlowerNow ? 'slower' : 'faster', ratio: step },
        ...{ suspected: step, records: [first, last] },
      };
    }),
  };
}

/**
 * @param {FollowedRecord[]} records of one pair, the oldest first
 * @param {string} cellId
 * @param {number} commits that a difference may be of
 * @returns {PairCell | null} null where nothing is suspected
 */
function judgePairCell(records, cellId, commits) {
  const figures = records.flatMap((record) => {
    const cell = record.cells.find((one) => one.cellId === cellId);
    return cell === undefined || cell.ratio === null ? [] : { record, cell, ratio: cell.ratio };
  });
  // A test of a search decides where to go on, and only that of a single commit names one.
  const raised = figures.find(
    ({ record: { followed }, cell }) =>
      followed.purpose !== 'confirmation' &&
      (followed.purpose !== 'search' || commits <= 1) &&
      isDirection(cell.verdict),
  );
  const { answer, last, isMissing } = readConfirmations(records, {
    ...records[0].followed,
    cellId,
  });
  const decided = answer ?? raised ?? (isMissing ? null : last);
  if (decided === null) return null;
  const first = raised ?? answer;
  const slower = raised === undefined ? decided.ratio.estimate > 1 : isSlower(raised.cell.verdict);
  return {
    state: judgeState(),
    isSlower: slower,
    cell: decided.cell,
    decided: decided.record,
    suspected: (first ?? decided).ratio,
    records: [...new Set([first?.record, answer?.record].flatMap((one) => one ?? []))],
  };

  function judgeState() {
    if (answer === null) return isMissing ? 'suspected' : 'refuted';
    const { cell, record } = answer;
    const isSame = isDirection(cell.verdict) && isSlower(cell.verdict) === slower;
    return isSame && isStrictEnough(record) ? 'confirmed' : 'refuted';
  }
}

/** @type {(record: FollowedRecord) => boolean} whether its verdicts err at most as often as its level allows */
function isStrictEnough({ followed: { level }, identity: { question } }) {
  return level !== undefined && question.alpha <= level;
}

/** @type {(pairs: Pair[], formatReproduction: FormatCommand) => FollowedChange[]} one for each two commits, and another for what is suspected of them */
function makeChanges(pairs, formatReproduction) {
  const confirmed = pairs.map(({ cells }) => cells.filter(({ state }) => state === 'confirmed'));
  const own = pairs.map((pair, index) => confirmed[index].filter((one) => !isRepeated(one, pair)));
  const changes = pairs.flatMap((pair, index) => {
    const { ends } = pair;
    // Without commits that changed nothing, several pairs may be the same two commits.
    const same = pairs.flatMap((other, place) => {
      const isSame = other.ends.before === ends.before && other.ends.after === ends.after;
      return isSame && own[place].length > 0 ? place : [];
    });
    const open = same[0] === index ? same.flatMap((place) => own[place]) : [];
    const suspected = pair.cells.filter(
      (one) => one.state === 'suspected' && !isRepeated(one, pair),
    );
    if (pair.cells.every(({ state }) => state === 'refuted')) {
      return describeChange(pair, pair.cells, 'refuted', formatReproduction);
    }
    return [
      ...(open.length > 0 ? [describeChange(pair, open, 'open', formatReproduction)] : []),
      ...(suspected.length > 0
        ? [describeChange(pair, suspected, 'suspected', formatReproduction)]
        : []),
    ];
  });
  return nameChanges(changes);

  /** @param {PairCell} one @param {Pair} pair @returns {boolean} whether a narrower pair has it */
  function isRepeated({ cell, isSlower: slower }, pair) {
    return pairs.some(
      (other, place) =>
        isWithin(other, pair) &&
        confirmed[place].some((one) => one.cell.cellId === cell.cellId && one.isSlower === slower),
    );
  }
}

/**
 * Two commits have one confirmed change, which keeps its name whatever else is suspected of them.
 * @type {(changes: FollowedChange[]) => FollowedChange[]}
 */
function nameChanges(changes) {
  const byId = group(changes, ({ id }) => id);
  const names = new Map(
    [...byId].flatMap(([id, own]) =>
      own
        .toSorted((one, other) => Number(isConfirmed(other)) - Number(isConfirmed(one)))
        .map(
          (change, index) =>
            /** @type {const} */ ([change, index === 0 ? id : `${id}.${index + 1}`]),
        ),
    ),
  );
  return changes.map((change) => ({ ...change, id: names.get(change) ?? change.id }));
}

/** @type {(inner: Pair, outer: Pair) => boolean} */
function isWithin(inner, outer) {
  return inner !== outer && inner.from >= outer.from && inner.to <= outer.to;
}

/**
 * @param {FollowedCommit[]} commits of a pair, both included
 * @param {ReadonlySet<string>} unchanged
 * @returns {Pair['ends']}
 */
function trimUnchanged(commits, unchanged) {
  const isChanged = (/** @type {FollowedCommit} */ { revision }, /** @type {number} */ index) =>
    index > 0 && !unchanged.has(revision);
  const first = Math.max(1, commits.findIndex(isChanged));
  const last = commits.findLastIndex(isChanged);
  return {
    before: commits[first - 1].revision,
    after: commits[last === -1 ? commits.length - 1 : last].revision,
  };
}

/** @type {(pair: Pair, cells: PairCell[], state: ChangeState, formatReproduction: FormatCommand) => FollowedChange} */
function describeChange(pair, cells, state, formatReproduction) {
  // What is to be confirmed is the pair that was measured.
  const { before, after } = state === 'suspected' ? pair : pair.ends;
  const [{ decided }] = cells;
  const { question } = decided.identity;
  const records = [...new Set(cells.flatMap((cell) => cell.records))];
  return {
    id: `${shortHash(before)}..${shortHash(after)}`,
    direction: cells.some((cell) => cell.isSlower) ? 'slower' : 'faster',
    ...{ before, after, commits: Math.max(1, pair.commits), state },
    cells: cells.map(describeCell),
    reproduce: formatReproduction(question, {
      cellIds: cells.map(({ cell }) => cell.cellId),
      args: [question.baseline, question.candidates[0]],
    }),
    runIds: records
      .sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
      .map(({ identity }) => identity.runId),
  };
}

/** @type {(own: PairCell) => ChangedCell} */
function describeCell({ cell, decided, suspected }) {
  const { followed, identity } = decided;
  const cause = followed.causes?.find(({ cellId }) => cellId === cell.cellId)?.text;
  return {
    cellId: cell.cellId,
    ratio: placedRatio(cell, identity.question) ?? cell.ratio ?? suspected,
    suspected,
    verdict: cell.verdict,
    ...omitUndefined({ cause }),
  };
}

/**
 * @param {RecordedCell} cell
 * @param {Question} question
 * @returns {RatioInterval | null} over placements of the code, at the level of the question; null without placements
 */
function placedRatio({ placement }, question) {
  if (placement === undefined) return null;
  const { logRatio: estimate, standardError, degreesOfFreedom: freedom } = placement;
  const interval = studentInterval({ estimate, standardError, freedom }, question.alpha);
  return toRatios(allowForPull(interval, question));
}

/** @type {FormatCommand} */
function formatBareCommand(_question, { args }) {
  return formatCommand(['compare', ...args]);
}

/**
 * An answer names a commit of the change. Where a search has found the commit since, it may name the change that was known
 * before, by its last commit.
 *
 * @type {(changes: FollowedChange[], known: { answers: Acknowledgement[], cells: Pick<FollowedCell, 'cellId' | 'operation' | 'corpus'>[], pairs: Pair[] }, chain: Chain) => FollowedChange[]}
 */
function answerChanges(changes, { answers, cells, pairs }, { commits, places }) {
  const names = new Map(cells.map((cell) => [cell.cellId, cell]));
  return changes.map((change) => {
    if (change.state !== 'open' || answers.length === 0) return change;
    const [from = 0, to = 0] = [change.before, change.after].map((one) => places.get(one));
    const wider = pairs.filter(
      (pair) =>
        pair.from <= from && pair.to >= to && pair.cells.some(({ state }) => state === 'confirmed'),
    );
    const revisions = [
      ...commits.slice(from + 1, to + 1).map(({ revision }) => revision),
      ...wider.map(({ after }) => after),
    ];
    const own = answers.filter(({ commit }) =>
      revisions.some((revision) => revision.startsWith(commit)),
    );
    const covering = listConcerned(change).map(({ cellId }) => {
      const name = names.get(cellId);
      return name && own.find((answer) => coversCell(answer, name));
    });
    const [first] = covering;
    if (first === undefined || covering.includes(undefined)) return change;
    const { answer, reason, line } = first;
    return { ...change, state: 'acknowledged', acknowledged: { answer, reason, line } };
  });
}
