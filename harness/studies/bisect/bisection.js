import { AssayError } from '../../lib/errors.js';
import { describeError } from '../../lib/failures.js';

/** @import { Bisection, BisectionStep, RatioInterval, StepAnswer, StepOutcome, StepPurpose, StepSettings } from '../../formats/types.ts' */
/** @import { Study } from '../study.js' */

/**
 * What a step measures; the arms are indices of candidates.
 *
 * @typedef {StepSettings & { baseline: number, candidate: number }} StepTask
 */

/** Chance of a wrong answer in each of the three parts: the ends, the search, the neighbours. */
export const ALPHA = 0.05;
/** Why a step has no answer that is measured again when the bisection is resumed. */
export const INTERRUPTED = 'interrupted';

/**
 * The study that compares the ends, searches between them, and compares the first bad candidate with the last good one.
 * Decision 0011 has the reasons.
 *
 * @param {(task: StepTask, path: string) => Promise<StepOutcome>} compare in the directory of the bisection; throws
 *   AssayError where an arm cannot be measured
 * @returns {Study<Bisection, StepTask, StepOutcome>}
 */
export function makeBisectionStudy(compare) {
  return {
    next: (bisection) => followPlan(bisection).task,
    measure: (task, _bisection, { path, isInterrupted }) =>
      compare(task, path).catch((error) => explainSkip(error, task.purpose, isInterrupted())),
    absorb(bisection, { task, result, ms }) {
      const { candidates } = bisection;
      /** @type {BisectionStep} */
      const step = {
        ...task,
        ...result,
        baseline: candidates[task.baseline].spec,
        candidate: candidates[task.candidate].spec,
        seconds: Math.round(ms) / 1000,
      };
      const steps = [...listAnswered(bisection), step];
      return { ...followPlan({ ...bisection, steps }).bisection, steps };
    },
    conclude: (bisection, { isOver }) => ({
      ...bisection,
      ...followPlan(bisection).bisection,
      steps: bisection.steps,
      ...(isOver ? {} : { ended: 'interrupted' }),
    }),
  };
}

/** @type {(bisection: Bisection) => BisectionStep[]} steps that are not measured again */
function listAnswered({ steps }) {
  return steps.filter(({ reason }) => reason !== INTERRUPTED);
}

/**
 * Follows the plan of a bisection through the answers so far. It depends on nothing else, so a bisection is resumed by
 * following it again.
 *
 * @param {Bisection} opened
 * @returns {{ bisection: Bisection, task: StepTask | null }} what the answered steps show, and the next one; null at the
 *   end
 */
function followPlan(opened) {
  let bisection = resetBisection(opened);
  const { candidates } = bisection;
  const plan = planSteps(
    candidates.length,
    (changes) => (bisection = { ...bisection, ...changes }),
  );
  let turn = plan.next();
  for (const step of listAnswered(opened)) {
    if (turn.done) break;
    bisection = { ...bisection, steps: [...bisection.steps, step] };
    turn = plan.next(step);
  }
  return { bisection, task: turn.done ? null : describeTask(turn.value, bisection) };
}

/** @type {(planned: PlannedStep, bisection: Bisection) => StepTask} */
function describeTask(planned, { boundary, seed, steps }) {
  return {
    ...planned,
    // Another order of jobs in every step, derived from the seed of the bisection.
    seed: (seed + steps.length) % 2 ** 32,
    boundary: planned.purpose === 'search' ? boundary : null,
  };
}

/** @typedef {Omit<StepTask, 'seed' | 'boundary'>} PlannedStep */

/**
 * @template Result
 * @typedef {Generator<PlannedStep, Result, BisectionStep>} Steps yields what to measure and is given its answer
 */

/** @typedef {(changes: Partial<Bisection>) => Bisection} Note adds to the record, and returns it */

/** @type {(count: number, note: Note) => Steps<void>} */
function* planSteps(count, note) {
  const ends = yield* compareEnds(count, note);
  if (ends === null) return;
  // Half of the whole difference on a log scale.
  note({ boundary: Math.sqrt(ends.estimate) });
  const search = yield* searchBetween(count, note);
  if (!isSettled(search, note({}))) {
    note({ ended: 'not-settled' });
    return;
  }
  note({ change: yield* compareNeighbours(search, note), ended: 'found' });
}

/** @type {(count: number, note: Note) => Steps<RatioInterval | null>} null where there is nothing to search for */
function* compareEnds(count, note) {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    // Each attempt can find a difference that does not exist.
    const alpha = ALPHA / MAX_ATTEMPTS;
    const step = yield { purpose: 'ends', baseline: 0, candidate: count - 1, attempt, alpha };
    if (step.answer === 'bad') return step.ratio;
    if (step.answer === 'good') note({ ended: 'no-regression' });
    else if (step.answer === 'unusable') note({ ended: 'failed' });
    if (step.answer !== 'unsettled') return null;
  }
  note({ ended: 'not-settled' });
  return null;
}

/** @type {(count: number, note: Note) => Steps<Search>} as far as it got */
function* searchBetween(count, note) {
  const alpha = ALPHA / countTests(count);
  let search = startSearch(count);
  for (;;) {
    const candidate = nextCandidate(search);
    if (candidate === null) return search;
    const attempt = search.attempts + 1;
    const { answer } = yield { purpose: 'search', baseline: 0, candidate, attempt, alpha };
    search = recordAnswer(search, candidate, answer);
    note(describeSearch(search, note({})));
  }
}

/** @type {(search: Search, bisection: Bisection) => Pick<Bisection, 'lastGood' | 'firstBad' | 'skipped'>} */
function describeSearch({ good, bad, skipped }, { candidates, steps }) {
  const between = skipped.filter((index) => index > good && index < bad).sort((a, b) => a - b);
  return {
    lastGood: candidates[good].spec,
    firstBad: candidates[bad].spec,
    skipped: between.map((index) => {
      const { spec } = candidates[index];
      const reason = steps.findLast(({ candidate }) => candidate === spec)?.reason;
      return { spec, reason: reason ?? 'not settled' };
    }),
  };
}

/**
 * Whether every candidate between the last good and the first bad one is known to be unusable. One that was
 * measured without an answer leaves the search unsettled.
 *
 * @type {(search: Search, bisection: Bisection) => boolean}
 */
function isSettled(search, { skipped, steps }) {
  if (listOpen(search).length > 0) return false;
  return skipped.every(
    ({ spec }) => steps.findLast(({ candidate }) => candidate === spec)?.answer === 'unusable',
  );
}

/**
 * Measures how much slower the first bad candidate is than the last good one, unless they are the ends.
 *
 * @type {(search: Search, note: Note) => Steps<Bisection['change']>}
 */
function* compareNeighbours({ good, bad }, note) {
  const { candidates, steps } = note({});
  const areEnds = good === 0 && bad === candidates.length - 1;
  const known = areEnds ? steps.findLast(({ purpose }) => purpose === 'ends') : undefined;
  const { verdict, ratio } =
    known ??
    (yield { purpose: 'neighbours', baseline: good, candidate: bad, attempt: 1, alpha: ALPHA });
  return { verdict, ratio };
}

/** Attempts at a candidate without a clear answer before it is skipped. */
const MAX_ATTEMPTS = 3;

/**
 * The state of a search.
 *
 * @typedef {object} Search
 * @property {number} good index of the last candidate known to be good
 * @property {number} bad index of the first one known to be bad
 * @property {readonly number[]} skipped indices of skipped candidates
 * @property {number} attempts at the next candidate, all without an answer
 * @property {number} testsLeft comparisons that the error rate of the search allows
 */

/**
 * The most answers that a search needs: each halves the candidates that are left.
 *
 * @param {number} count of candidates, both ends included
 * @returns {number}
 */
function countAnswers(count) {
  return Math.ceil(Math.log2(count - 1));
}

/**
 * The most comparisons of a bisection if none has to be repeated: of the ends, of the search, and of the
 * neighbours unless they are the ends.
 *
 * @param {number} count of candidates, both ends included
 * @returns {number}
 */
export function countComparisons(count) {
  return count === 2 ? 1 : countAnswers(count) + 2;
}

/**
 * The most comparisons of a search, repetitions included. They share its error rate, so the search ends
 * with them.
 *
 * @param {number} count of candidates, both ends included
 * @returns {number}
 */
export function countTests(count) {
  return MAX_ATTEMPTS * countAnswers(count);
}

/**
 * @param {number} count of candidates, both ends included; at least 2
 * @returns {Search}
 */
export function startSearch(count) {
  return { good: 0, bad: count - 1, skipped: [], attempts: 0, testsLeft: countTests(count) };
}

/**
 * The candidate to measure next: the middle one of those without an answer.
 *
 * @param {Search} search
 * @returns {number | null} index; null at the end of the search
 */
export function nextCandidate(search) {
  const open = listOpen(search);
  if (open.length === 0 || search.testsLeft === 0) return null;
  return open[Math.floor(open.length / 2)];
}

/**
 * @param {Search} search
 * @returns {number[]} indices of candidates without an answer, ascending
 */
function listOpen({ good, bad, skipped }) {
  const passed = new Set(skipped);
  const between = Array.from({ length: bad - good - 1 }, (_, offset) => good + 1 + offset);
  return between.filter((index) => !passed.has(index));
}

/**
 * Adds the answer of a step. A candidate that cannot be measured is skipped and costs no test; one without
 * a clear answer is measured again from scratch.
 *
 * @param {Search} search
 * @param {number} index of the candidate that was next
 * @param {StepAnswer} answer
 * @returns {Search}
 */
export function recordAnswer(search, index, answer) {
  const skipped = [...search.skipped, index];
  if (answer === 'unusable') return { ...search, skipped, attempts: 0 };
  const testsLeft = search.testsLeft - 1;
  if (answer === 'good') return { ...search, good: index, attempts: 0, testsLeft };
  if (answer === 'bad') return { ...search, bad: index, attempts: 0, testsLeft };
  const attempts = search.attempts + 1;
  if (attempts < MAX_ATTEMPTS) return { ...search, attempts, testsLeft };
  return { ...search, skipped, attempts: 0, testsLeft };
}

/**
 * @param {Omit<Bisection, 'boundary' | 'steps' | 'ended' | 'lastGood' | 'firstBad' | 'skipped' | 'change'>} bisection
 * @returns {Bisection} before its first step
 */
export function resetBisection(bisection) {
  const { candidates } = bisection;
  return {
    ...bisection,
    boundary: null,
    steps: [],
    ended: 'running',
    lastGood: candidates[0].spec,
    firstBad: candidates[candidates.length - 1].spec,
    skipped: [],
    change: null,
  };
}

/**
 * A candidate that cannot be measured is skipped, unless it is an end. What fails after an interruption says nothing
 * about the candidate.
 *
 * @type {(error: unknown, purpose: StepPurpose, isInterrupted: boolean) => StepOutcome}
 */
function explainSkip(error, purpose, isInterrupted) {
  const isOfCandidate = error instanceof AssayError && purpose !== 'ends' && !isInterrupted;
  if (!isOfCandidate) throw error;
  const nothing = { verdict: null, ratio: null, processes: 0, runId: null };
  return { ...nothing, answer: 'unusable', reason: describeError(error) };
}
