import { chooseCellsToExplain, planProfileJobs } from '../profiling/plan-profiles.js';
import { groupMemoryJobs, planMemoryJobs } from '../stats/memory/plan.js';
import { sumOf } from '../stats/means.js';
import { contrastOf } from '../stats/contrast.js';
import { planPlacements } from '../stats/placement-plan.js';
import { choosePlacementCell, judgePlacements } from '../stats/placement.js';
import { countPerVariant, isOfPrograms, lackedBy } from '../stats/plan.js';
import { countBy, estimateMs } from './execute.js';
import { MEMORY_JOB_MS } from './passes/memory.js';
import { expectPlacementMs } from './passes/placement.js';
import { countPairs, pairArms, PROFILE_JOB_MS } from './passes/profiles.js';

/** @import { Cell, CellComparison, CellProgress, PassName, PlannedMemoryJob, PlannedPlacementJob, PlannedProfileJob, Progress, Question, Recorder, ShowProgress, StoredRun } from '../formats/types.ts' */
/** @import { Clock } from './execute.js' */

/**
 * The cells at one look.
 *
 * @typedef {object} Look
 * @property {CellComparison[]} cells none before the first look
 * @property {Record<string, boolean>} decided by cell id
 * @property {Set<string>} failed ids of the cells that are given up
 */

/** @type {Look} */
const NO_LOOK = { cells: [], decided: {}, failed: new Set() };
/** In the order in which they run. @type {PassName[]} */
const PASSES = ['timing', 'memory', 'placement', 'profiles'];
/** The most that is kept for placements, and for profiles, while times and memory are measured; as a share of the budget. */
const RESERVED_SHARE = 1 / 5;
/** What is kept for a look at placements, as a multiple of what it probably takes: it is begun only if it can end in time. */
const LOOK_MARGIN = 1.25;

/** @type {(question: Question) => Progress} while outputs and behaviour are checked */
export function describeGate(question) {
  return { step: 'correctness check', ...describeCells({ question, observations: [] }, NO_LOOK) };
}

/**
 * @typedef {object} WatchedRun
 * @property {StoredRun} run its observations grow
 * @property {Recorder[]} recorders
 * @property {Clock} clock
 * @property {number} budgetMs of all passes; Infinity without a budget
 */

/**
 * Follows a run: adds the state of every cell, and the time that all remaining passes take, to what
 * each pass reports.
 * @param {WatchedRun} watched @param {ShowProgress} onProgress
 */
export function watchRun(watched, onProgress) {
  const { run, clock } = watched;
  const { question } = run.manifest;
  let look = NO_LOOK;
  let ahead = planAhead(look, watched);
  /** @type {{ pass: PassName, describe: () => Progress }} */
  let latest = { pass: 'timing', describe: () => ({ step: 'resuming' }) };
  /** @returns {Progress} */
  function describe() {
    const progress = latest.describe();
    return {
      ...progress,
      ...forecast({ pass: latest.pass, progress }, { look, ahead, ...watched }),
      secondsElapsed: clock.sessionMs() / 1000,
      ...describeCells({ question, observations: run.observations }, look),
    };
  }
  /** @param {Look} taken */
  function setLook(taken) {
    look = taken;
    ahead = planAhead(look, watched);
  }
  /** A direction that other placements may yet confirm is not strong. @param {CellComparison[]} cells by their times */
  function beforePlacements(cells) {
    if (!contrastOf(question).takesPlacements) return cells;
    const unplaced = {
      ...run,
      placementObservations: [],
      ended: /** @type {const} */ ('complete'),
    };
    const judged = judgePlacements({ cells, warnings: [] }, unplaced).cells;
    return cells.map((cell, index) =>
      cell.strong === judged[index].strong ? cell : { ...cell, strong: judged[index].strong },
    );
  }
  return {
    /**
     * When a pass has to end so that those after it keep what they probably need of the budget: nothing for placements
     * unless a whole look at a cell fits in, for profiles only what explains settled cells, and nothing unless one fits in.
     * @type {(pass: PassName) => number} milliseconds of the session
     */
    endOf(pass) {
      if (pass === 'profiles' || watched.budgetMs === Infinity) return watched.budgetMs;
      const mostMs = watched.budgetMs * RESERVED_SHARE;
      const hasRoom = mostMs >= PROFILE_JOB_MS;
      const profilesMs = hasRoom ? estimateProfilesMs(ahead.settledProfiles, watched) : 0;
      const looksMs = estimateLooksMs(ahead, run).map((lookMs) => lookMs * LOOK_MARGIN);
      const placementMs = pass === 'placement' ? 0 : sumUpTo(mostMs, looksMs);
      return watched.budgetMs - placementMs - Math.min(mostMs, profilesMs);
    },
    /** @param {Look} taken */
    onLook(taken) {
      setLook({ ...taken, cells: beforePlacements(taken.cells) });
      onProgress(describe, true);
    },
    /**
     * @param {'placement' | 'profiles'} pass that begins
     * @param {CellComparison[]} judged with their verdicts before it
     */
    onPass(pass, judged) {
      const cells = pass === 'placement' ? beforePlacements(judged) : judged;
      const decided = Object.fromEntries(cells.map(({ cell }) => [cell.id, true]));
      setLook({ cells, decided, failed: NO_LOOK.failed });
      const step = describeStart(pass, ahead);
      latest = { pass, describe: () => ({ step }) };
      onProgress(describe, true);
    },
    /** @param {PassName} pass  @returns {ShowProgress} */
    during: (pass) => (describeJob, isNews) => {
      latest = { pass, describe: describeJob };
      onProgress(describe, isNews);
    },
  };
}

/**
 * @param {'placement' | 'profiles'} pass
 * @param {Ahead} ahead
 * @returns {string} what is done before the first job of the pass
 */
function describeStart(pass, { placement, profiles }) {
  if (pass === 'placement' && placement.length > 0) return 'code placement · making copies';
  return profiles.length > 0 ? 'profiles' : 'writing the report';
}

/**
 * @param {Pick<StoredRun, 'observations'> & { question: Question }} run
 * @param {Look} look
 * @returns {Pick<Progress, 'comparison'>} empty if only memory is measured
 */
function describeCells({ question, observations }, look) {
  if (question.memory === 'only') return {};
  /** @type {Map<string, Measured>} */
  const measured = new Map();
  for (const [lastJob, { cellId, arm }] of observations.entries()) {
    if (arm !== 'candidate') continue;
    const { processes } = measured.get(cellId) ?? NOT_MEASURED;
    measured.set(cellId, { processes: processes + 1, lastJob });
  }
  const rows = question.cells.map((cell) =>
    describeCell(cell, measured.get(cell.id) ?? NOT_MEASURED, look),
  );
  return { comparison: { question, rows } };
}

/** @typedef {Pick<CellProgress, 'processes' | 'lastJob'>} Measured */
/** @type {Measured} */
const NOT_MEASURED = { processes: 0, lastJob: -1 };

/** @type {(cell: Cell, measured: Measured, look: Look) => CellProgress} */
function describeCell(cell, measured, { cells, decided, failed }) {
  const comparison = cells.find((one) => one.cell.id === cell.id) ?? null;
  if (comparison !== null && decided[cell.id] === true) {
    // Other cells may have been measured further; this one rests on its own processes.
    const processes = countPerVariant(comparison.processes);
    return { cell, state: 'settled', ...measured, processes, comparison };
  }
  const isWaiting = measured.processes === 0;
  const state = failed.has(cell.id) ? 'failed' : isWaiting ? 'waiting' : 'measuring';
  return { cell, state, ...measured, comparison };
}

/**
 * Jobs of the passes after timing, as far as they are known.
 *
 * @typedef {object} Ahead
 * @property {PlannedMemoryJob[][]} memory jobs that run at the same time
 * @property {PlannedPlacementJob[][]} placement by look at a cell
 * @property {PlannedProfileJob[][]} profiles jobs that run at the same time
 * @property {PlannedProfileJob[][]} settledProfiles those of them that do not depend on how open cells turn out
 */

/** @type {(look: Look, watched: WatchedRun) => Ahead} */
function planAhead(look, { run, recorders }) {
  const { question, corpora } = run.manifest;
  const { cells: allCells, placements = 0, memory, recorders: asked } = question;
  const expected = memory === 'only' ? [] : expectVerdicts(question, look);
  /** @param {CellComparison[]} comparisons */
  const planProfiles = (comparisons) => {
    const cells = chooseCellsToExplain(question, comparisons);
    const lacks = (/** @type {Cell} */ cell) => lackedBy(run.manifest, cell);
    const planned = planProfileJobs({ cells, allCells, recorders, asked, lacks });
    return pairArms(planned, { recorders, cells: allCells });
  };
  return {
    memory:
      memory === 'none'
        ? []
        : groupMemoryJobs(planMemoryJobs(question, corpora), question, corpora),
    placement: choosePlacementCells(expected, run).flatMap((id) =>
      planPlacements(question, id, placements),
    ),
    profiles: planProfiles(expected),
    settledProfiles: planProfiles(
      question.explain === 'all'
        ? expected
        : look.cells.filter(({ cell }) => look.decided[cell.id]),
    ),
  };
}

/**
 * @param {Question} question
 * @param {Look} look
 * @returns {CellComparison[]} as if every open cell turned out to differ whose ratio is unknown, or differs
 *   from 1 by the minimum effect so far
 */
function expectVerdicts({ cells, minimumEffect }, { cells: comparisons, decided }) {
  return cells.map((cell) => {
    const comparison = comparisons.find((one) => one.cell.id === cell.id);
    const isDecided = comparison !== undefined && decided[cell.id] === true;
    const { effect = null } = comparison ?? {};
    const size = effect === null ? Infinity : Math.abs(Math.log(effect.ratio.estimate));
    if (isDecided || (comparison !== undefined && size < Math.log1p(minimumEffect))) {
      return comparison;
    }
    const unknown = { ratio: { estimate: 1 + minimumEffect } };
    const expected = { ...comparison, cell, verdict: 'slower', effect: effect ?? unknown };
    return /** @type {CellComparison} */ (expected);
  });
}

/** @type {(cells: CellComparison[], run: StoredRun) => string[]} */
function choosePlacementCells(cells, run) {
  // There are no placement copies of programs.
  if (isOfPrograms(run.manifest)) return [];
  /** @type {string[]} */
  const chosen = [];
  for (;;) {
    const next = choosePlacementCell(cells, chosen, run);
    if (next === null) return chosen;
    chosen.push(next);
  }
}

/**
 * @param {{ pass: PassName, progress: Progress }} latest `secondsLeft` of timing is its own
 * @param {WatchedRun & { look: Look, ahead: Ahead }} watched
 * @returns {Required<Pick<Progress, 'secondsLeft' | 'isUpperBound' | 'next'>>} of all passes that remain
 */
function forecast({ pass, progress }, { look, ahead, ...watched }) {
  const { run, clock, budgetMs } = watched;
  const position = PASSES.indexOf(pass);
  const { secondsLeft = NaN, isUpperBound = false } = progress;
  const leftMs = { ...measureAhead(ahead, watched), timing: secondsLeft * 1000 };
  for (const over of PASSES.slice(0, position)) leftMs[over] = 0;
  const allMs = sumOf(Object.values(leftMs));
  // Open cells take what memory leaves.
  const isOpen =
    pass === 'memory' &&
    run.manifest.question.memory === 'too' &&
    run.manifest.question.cells.some(({ id }) => look.decided[id] !== true);
  const budgetLeftMs = Math.max(0, budgetMs - clock.sessionMs());
  const isCut = budgetMs < Infinity && (!(allMs <= budgetLeftMs) || isOpen);
  return {
    secondsLeft: (isCut ? budgetLeftMs : allMs) / 1000,
    isUpperBound: isUpperBound || isCut,
    next: PASSES.slice(position + 1).filter((name) => leftMs[name] !== 0),
  };
}

/**
 * @param {Ahead} ahead
 * @param {WatchedRun} watched
 * @returns {Record<PassName, number>} milliseconds; NaN for placement before the first timed job
 */
function measureAhead(ahead, watched) {
  const { run } = watched;
  const { memoryObservations } = run;
  const memory = ahead.memory.flatMap((jobs) =>
    leaveOutObserved(jobs, memoryObservations).slice(0, 1),
  );
  const kindOf = (/** @type {{ kind: string }} */ { kind }) => kind;
  return {
    timing: 0,
    memory: estimateMs(countBy(memory, kindOf), memoryObservations, kindOf, MEMORY_JOB_MS),
    placement: sumOf(estimateLooksMs(ahead, run)),
    profiles: estimateProfilesMs(ahead.profiles, watched),
  };
}

/** @type {(ahead: Ahead, run: StoredRun) => number[]} milliseconds of each look at placements */
function estimateLooksMs({ placement }, run) {
  return placement
    .map((jobs) => leaveOutObserved(jobs, run.placementObservations))
    .filter(({ length }) => length > 0)
    .map((jobs) => expectPlacementMs(jobs, run));
}

/** @type {(profiles: PlannedProfileJob[][], watched: WatchedRun) => number} */
function estimateProfilesMs(profiles, { run, recorders }) {
  const { profileObservations, manifest } = run;
  const width = countPairs(profiles.flat(), { recorders, cells: manifest.question.cells });
  const left = profiles.flatMap((jobs) => leaveOutObserved(jobs, profileObservations).slice(0, 1));
  const kindOf = (/** @type {{ recorder: string }} */ { recorder }) => recorder;
  return estimateMs(countBy(left, kindOf), profileObservations, kindOf, PROFILE_JOB_MS) / width;
}

/** @type {(most: number, numbers: number[]) => number} the sum of the first ones, up to `most` */
function sumUpTo(most, numbers) {
  let sum = 0;
  for (const number of numbers) {
    if (!(sum + number <= most)) break;
    sum += number;
  }
  return sum;
}

/**
 * @template {{ id: string }} P
 * @param {P[]} jobs
 * @param {{ id: string }[]} observations
 * @returns {P[]}
 */
function leaveOutObserved(jobs, observations) {
  const observed = new Set(observations.map(({ id }) => id));
  return jobs.filter(({ id }) => !observed.has(id));
}
