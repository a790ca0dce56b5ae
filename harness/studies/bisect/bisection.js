import { AssayError } from '../../lib/errors.js';

/** @import { Bisection, BisectionStep, StepAnswer, StepOutcome, StepPurpose, StepSettings } from '../../formats/types.ts' */

/**
 * What a step measures; the arms are indices of candidates.
 *
 * @typedef {StepSettings & { baseline: number, candidate: number }} StepTask
 */

/** Chance of a wrong answer in each of the three parts: the ends, the search, the neighbours. */
const ALPHA = 0.05;

/**
 * Compares the ends, searches between them, and compares the first bad candidate with the last good
 * one. Decision 0011 has the reasons. Steps that an earlier session finished are not measured again.
 *
 * @param {Bisection} opened
 * @param {BisectionTools} tools
 * @returns {Promise<Bisection>}
 * @throws {import('../../lib/errors.js').AssayError} when one of the ends cannot be measured
 */
export async function runBisection(opened, tools) {
  const log = openLog(opened, tools);
  const ends = await compareEnds(log);
  if (ends === null) return log.current();
  // Half of the whole difference on a log scale.
  log.note({ boundary: Math.sqrt(ends.estimate) });
  const search = await searchBetween(log);
  if (search === null) return log.note({ ended: 'interrupted' });
  if (!isSettled(search, log.current())) return log.note({ ended: 'not-settled' });
  const change = await compareNeighbours(search, log);
  return log.note(change === null ? { ended: 'interrupted' } : { change, ended: 'found' });
}

/**
 * @param {BisectionLog} log
 * @returns {Promise<import('../../formats/types.ts').RatioInterval | null>} null where there is nothing to search
 *   for; the log says why
 */
async function compareEnds(log) {
  const last = log.current().candidates.length - 1;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    // Each attempt can find a difference that does not exist.
    const alpha = ALPHA / MAX_ATTEMPTS;
    const task = { purpose: /** @type {const} */ ('ends'), baseline: 0, candidate: last };
    const step = await log.take({ ...task, attempt, alpha });
    if (step === null) log.note({ ended: 'interrupted' });
    else if (step.answer === 'bad') return step.ratio;
    else if (step.answer === 'good') log.note({ ended: 'no-regression' });
    else if (step.answer === 'unusable') log.note({ ended: 'failed' });
    if (log.current().ended !== 'running') return null;
  }
  log.note({ ended: 'not-settled' });
  return null;
}

/**
 * @param {BisectionLog} log
 * @returns {Promise<Search | null>} as far as it got; null when it was interrupted
 */
async function searchBetween(log) {
  const { candidates } = log.current();
  const alpha = ALPHA / countTests(candidates.length);
  let search = startSearch(candidates.length);
  for (;;) {
    const candidate = nextCandidate(search);
    if (candidate === null) return search;
    const attempt = search.attempts + 1;
    const task = { purpose: /** @type {const} */ ('search'), baseline: 0, candidate };
    const step = await log.take({ ...task, attempt, alpha });
    if (step === null) return null;
    search = recordAnswer(search, candidate, step.answer);
    log.note(describeSearch(search, log.current()));
  }
}

/**
 * @param {Search} search
 * @param {Bisection} bisection
 * @returns {Pick<Bisection, 'lastGood' | 'firstBad' | 'skipped'>}
 */
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
 * @param {Search} search
 * @param {Bisection} bisection
 */
function isSettled(search, { skipped, steps }) {
  if (listOpen(search).length > 0) return false;
  return skipped.every(
    ({ spec }) => steps.findLast(({ candidate }) => candidate === spec)?.answer === 'unusable',
  );
}

/**
 * Measures how much slower the first bad candidate is than the last good one.
 *
 * @param {Search} search
 * @param {BisectionLog} log
 * @returns {Promise<Bisection['change']>} null when it was interrupted
 */
async function compareNeighbours({ good, bad }, log) {
  const { candidates, steps } = log.current();
  const areEnds = good === 0 && bad === candidates.length - 1;
  const known = areEnds ? steps.findLast(({ purpose }) => purpose === 'ends') : undefined;
  const task = { purpose: /** @type {const} */ ('neighbours'), baseline: good, candidate: bad };
  const step = known ?? (await log.take({ ...task, attempt: 1, alpha: ALPHA }));
  return step === null ? null : { verdict: step.verdict, ratio: step.ratio };
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
function countTests(count) {
  return MAX_ATTEMPTS * countAnswers(count);
}

/**
 * @param {number} count of candidates, both ends included; at least 2
 * @returns {Search}
 */
function startSearch(count) {
  return { good: 0, bad: count - 1, skipped: [], attempts: 0, testsLeft: countTests(count) };
}

/**
 * The candidate to measure next: the middle one of those without an answer.
 *
 * @param {Search} search
 * @returns {number | null} index; null at the end of the search
 */
function nextCandidate(search) {
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
function recordAnswer(search, index, answer) {
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
 * @typedef {object} BisectionTools
 * @property {(task: StepTask) => Promise<StepOutcome>} compare throws AssayError where an arm cannot be
 *   measured
 * @property {(bisection: Bisection) => void} keep called after every step
 * @property {(step: BisectionStep, bisection: Bisection) => void} onStep
 * @property {() => boolean} isInterrupted
 * @property {() => number} nowMs
 */

/**
 * The record of a bisection as it grows.
 *
 * @typedef {object} BisectionLog
 * @property {() => Bisection} current
 * @property {(changes: Partial<Bisection>) => Bisection} note
 * @property {(task: Pick<StepTask, 'purpose' | 'baseline' | 'candidate' | 'attempt' | 'alpha'>) => Promise<BisectionStep | null>} take
 *   measures a step, or returns the one that an earlier session measured; null when it was interrupted
 */

/** @type {(opened: Bisection, tools: BisectionTools) => BisectionLog} */
function openLog(opened, { compare, keep, onStep, isInterrupted, nowMs }) {
  // The next step depends only on the answers so far, so a bisection is resumed by replaying them.
  const earlier = opened.steps.filter(({ reason }) => reason !== INTERRUPTED);
  let bisection = resetBisection(opened);
  /** @type {BisectionLog['note']} */
  function note(changes) {
    bisection = { ...bisection, ...changes };
    // Steps of an earlier session that are not replayed yet must not be lost from the file.
    if (bisection.steps.length >= earlier.length) keep(bisection);
    return bisection;
  }
  /** @type {BisectionLog['take']} */
  async function take(wanted) {
    const { candidates, steps, seed, boundary } = bisection;
    const known = earlier[steps.length];
    if (known !== undefined) {
      note({ steps: [...steps, known] });
      return known;
    }
    if (isInterrupted()) return null;
    const task = {
      ...wanted,
      // Another order of jobs in every step, derived from the seed of the bisection.
      seed: (seed + steps.length) % 2 ** 32,
      boundary: wanted.purpose === 'search' ? boundary : null,
    };
    const startMs = nowMs();
    const outcome = await compare(task).catch((error) =>
      describeError(error, wanted.purpose, isInterrupted()),
    );
    /** @type {BisectionStep} */
    const step = {
      ...task,
      ...outcome,
      baseline: candidates[task.baseline].spec,
      candidate: candidates[task.candidate].spec,
      seconds: Math.round(nowMs() - startMs) / 1000,
    };
    note({ steps: [...steps, step] });
    onStep(step, bisection);
    return step.reason === INTERRUPTED ? null : step;
  }
  return { current: () => bisection, note, take };
}

/** Why a step has no answer that is measured again when the bisection is resumed. */
export const INTERRUPTED = 'interrupted';

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
 * A candidate that cannot be measured is skipped, unless it is an end.
 * @type {(error: unknown, purpose: StepPurpose, isInterrupted: boolean) => StepOutcome}
 */
function describeError(error, purpose, isInterrupted) {
  if (!(error instanceof AssayError) || purpose === 'ends') throw error;
  const nothing = { verdict: null, ratio: null, processes: 0, runId: null };
  return isInterrupted
    ? { ...nothing, answer: 'unsettled', reason: INTERRUPTED }
    : { ...nothing, answer: 'unusable', reason: error.message };
}
