/** A branch of which every merge is measured, simulated: what its comparisons would find. */

import { confirmationLevel } from '../../stats/alarms.js';
import { forEachArm } from '../../stats/plan.js';
import { drawUniform } from '../../stats/random.js';
import { USUAL } from '../../stats/usual.js';
import { describeStep, makeFollowStudy, openReader } from '../follow/follow.js';
import { askTask } from '../follow/question.js';
import { countSeen } from '../follow/seen.js';
import { describeCells } from '../history/store.js';
import { makeQuestion, playFigures } from './looks.js';
import { drawNormal } from './noise.js';
import { placeCells } from './scenarios/placements.js';
import { NOISE } from './scenarios/times.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */
/** @import { Cell, CellComparison, FollowedCommit, Following, PlannedJob, PlannedPlacementJob, Question, RecordedCell } from '../../formats/types.ts' */

/** @import { FollowedRecord } from '../follow/chain.js' */
/** @import { FollowState } from '../follow/follow.js' */

/**
 * A cell: by how much builds of the same code differ on it, log scale.
 *
 * @typedef {object} BranchCell
 * @property {Pick<Cell, 'id' | 'operation' | 'corpus'>} cell
 * @property {number} spread
 */

/**
 * What is true of a branch.
 *
 * @typedef {object} BranchTruth
 * @property {BranchCell[]} cells
 * @property {(revision: string, cellId: string) => number} codeOf log ratio of the code of a commit to that of the reference,
 *   on average over placements
 * @property {number} busy share of the comparisons that are measured in a busy hour
 * @property {(before: number, after: number) => boolean} [isSettled] whether a comparison of these commits is not measured, and
 *   taken to find them equivalent
 */

/** @typedef {(question: Question) => RecordedCell[]} MeasureComparison */

/** What every commit is compared with. */
const REFERENCE = 'reference';
/** Of a process in a busy hour: neighbours come and go. */
const BUSY_NOISE = NOISE['neighbour in episodes of 8 jobs'];

/** @type {(cells: BranchCell[], seed: number) => Question} the usual question on these cells */
function askBranch(cells, seed) {
  return {
    ...makeQuestion(1, seed, { placements: USUAL.placements }),
    cells: cells.map(({ cell }) => cell),
  };
}

/**
 * @param {BranchTruth} truth
 * @param {RandomGenerator} random
 * @returns {MeasureComparison} of variants whose specs are `codeOf`'s revisions. A build of a commit is the same in all
 *   comparisons, copies of its code are others in each
 */
function openComparisons({ cells, codeOf, busy, isSettled = () => false }, random) {
  const spreads = new Map(cells.map(({ cell, spread }) => [cell.id, spread]));
  /** @type {Map<string, number>} */
  const builds = new Map();
  /** @type {(spec: string, cellId: string) => number} */
  const buildOf = (spec, cellId) => {
    const key = `${spec} ${cellId}`;
    const known = builds.get(key);
    if (known !== undefined) return known;
    const level = codeOf(spec, cellId) + (spreads.get(cellId) ?? 0) * drawNormal(random);
    builds.set(key, level);
    return level;
  };
  return function measure(question) {
    if (isSettled(numberOf(question.baseline), numberOf(question.candidates[0]))) {
      return settle(question);
    }
    const draw = (drawUniform(random) < busy ? BUSY_NOISE : NOISE.normal)(random);
    const noiseOf = (/** @type {PlannedJob | PlannedPlacementJob} */ job) => draw(job) ?? NaN;
    const specOf = (/** @type {{ arm: string }} */ { arm }) =>
      arm === 'candidate' ? question.candidates[0] : question.baseline;
    const idOf = (/** @type {number} */ cell) => question.cells[cell].id;
    const played = playFigures(
      question,
      (job, cell) => buildOf(specOf(job), idOf(cell)) + noiseOf(job),
    );
    /** @type {Map<string, number>} */
    const copies = new Map();
    const placed = placeCells(played, question, (cell, job) => {
      const key = `${cell} ${job.arm} ${job.placement}`;
      const spread = spreads.get(idOf(cell)) ?? 0;
      const level =
        copies.get(key) ?? codeOf(specOf(job), idOf(cell)) + spread * drawNormal(random);
      copies.set(key, level);
      return level + noiseOf(job);
    });
    const described = placed.map((comparison, cell) => ({
      ...comparison,
      processes: forEachArm(() => played[cell].samples.at(-1)?.size ?? 0),
      ...{ baselineNs: 1000, candidateNs: 1000 * (comparison.effect?.ratio.estimate ?? 1) },
    }));
    return describeCells(described, question);
  };
}

/** @type {MeasureComparison} both are equivalent on all cells */
function settle(question) {
  const ratio = { estimate: 1, low: 0.99, high: 1.01 };
  const effect = { ratio, standardError: 0.005, degreesOfFreedom: 60 };
  const figures = { verdict: 'equivalent', effect, processes: forEachArm(() => 48) };
  const described = question.cells.map((cell) => ({
    cell,
    ...figures,
    ...{ baselineNs: 1000, candidateNs: 1000 },
  }));
  return describeCells(
    /** @type {CellComparison[]} */ (/** @type {unknown} */ (described)),
    question,
  );
}

/**
 * A branch that is followed push by push, as `follow` does, with comparisons that are simulated.
 *
 * @param {BranchTruth} truth
 * @param {RandomGenerator} random
 */
export function openBranch(truth, random) {
  const measure = openComparisons(truth, random);
  const cellIds = truth.cells.map(({ cell }) => cell.id);
  const context = { question: askBranch(truth.cells, 0), directory: '.' };
  const study = makeFollowStudy(() => Promise.reject(new Error('the scenario measures')), {
    ...{ seed: random.next() >>> 0, budgetSeconds: Infinity },
  });
  const session = { path: '', results: [], elapsedMs: () => 0, isInterrupted: () => false };
  return {
    /** @type {(level: number) => FollowState} without a commit; `level`: of confirmations */
    start: (level) => ({
      ...{ branch: 'main', reference: REFERENCE, line: [], releases: [], first: 0 },
      ...{
        isEach: false,
        isNightly: false,
        records: [],
        read: openReader(),
        cellIds,
        skipped: [],
        unchanged: [],
      },
      level,
    }),
    /** @type {(state: FollowState, commits: number) => FollowState} adds commits and measures what is missing */
    push(state, commits) {
      const { length } = state.line;
      const pushed = Array.from({ length: commits }, (_, index) => describeCommit(length + index));
      let now = { ...state, line: [...state.line, ...pushed] };
      for (let task = study.next(now, session); task !== null; task = study.next(now, session)) {
        const question = askTask(task, now, context);
        const { length: at } = now.records;
        const record = /** @type {FollowedRecord} */ (
          /** @type {unknown} */ ({
            ...{ followed: describeStep(task, now), cells: measure(question), seconds: 1 },
            identity: { runId: `run-${at}`, createdAt: dateOf(at), question },
          })
        );
        now = study.absorb(now, { task, result: { record, sessionSeconds: 1 }, ms: 1 });
      }
      return now;
    },
  };
}

/**
 * @param {BranchTruth} truth
 * @param {object} history
 * @param {number[]} history.pushes commits of each; the first has one
 * @param {number} history.mergesPerYear
 * @param {RandomGenerator} random
 * @returns {Following}
 */
export function followBranch(truth, { pushes, mergesPerYear }, random) {
  const { start, push } = openBranch(truth, random);
  const { length: cells } = truth.cells;
  let state = start(1);
  for (const commits of pushes) {
    const seen = countSeen(state.records, cells);
    const level = confirmationLevel({ falseAlarmsPerYear: 1, mergesPerYear, cells, seen });
    state = push({ ...state, level }, commits);
  }
  const following = state.read(state.records);
  if (following === null) throw new Error('the scenario has no push');
  return following;
}

/** @type {(minutes: number) => string} */
function dateOf(minutes) {
  return new Date(Date.UTC(2026, 0, 1, 0, minutes)).toISOString();
}

/** @type {(number: number) => FollowedCommit} */
function describeCommit(number) {
  return { revision: revisionOf(number), subject: `Commit ${number}`, date: dateOf(number) };
}

/** @type {(number: number) => string} whole hash of a commit */
export function revisionOf(number) {
  return String(number).padStart(12, '0').padEnd(40, '0');
}

/**
 * @param {string} spec of a commit, or the reference
 * @returns {number} of the commit; -1 for the reference
 */
export function numberOf(spec) {
  return spec === REFERENCE ? -1 : Number(spec.slice(spec.indexOf('@') + 1).slice(0, 12));
}
