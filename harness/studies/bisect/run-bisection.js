import { openLog } from './open-log.js';
import {
  countTests,
  listOpen,
  MAX_ATTEMPTS,
  nextCandidate,
  recordAnswer,
  startSearch,
} from './search.js';

/** @import { BisectionLog, BisectionTools } from './open-log.js' */
/** @import { Search } from './search.js' */
/** @import { Bisection } from './types.ts' */

/** Chance of a wrong answer in each of the three parts: the ends, the search, the neighbours. */
const ALPHA = 0.05;

/**
 * Compares the ends, searches between them, and compares the first bad candidate with the last good
 * one. Decision 0011 has the reasons.
 *
 * @param {Bisection} opened without a step
 * @param {BisectionTools} tools
 * @returns {Promise<Bisection>}
 * @throws {import('../../lib/errors.js').AssayError} when one of the ends cannot be measured
 */
export async function runBisection(opened, tools) {
  const log = openLog(opened, tools);
  const ends = await compareEnds(log, tools);
  if (ends === null) return log.current();
  // Half way between 1 and the whole of it, as ratios go.
  log.note({ boundary: Math.sqrt(ends.estimate) });
  const search = await searchBetween(log, tools);
  if (tools.isInterrupted()) return log.note({ ended: 'interrupted' });
  if (!isSettled(search, log.current())) return log.note({ ended: 'not-settled' });
  const change = await compareNeighbours(search, log);
  return log.note({ change, ended: tools.isInterrupted() ? 'interrupted' : 'found' });
}

/**
 * @param {BisectionLog} log
 * @param {BisectionTools} tools
 * @returns {Promise<import('../../formats/types.ts').RatioInterval | null>} null where there is nothing to search
 *   for; the log says why
 */
async function compareEnds(log, tools) {
  const last = log.current().candidates.length - 1;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    // Three attempts at a direction have three chances to see one that is not there.
    const alpha = ALPHA / MAX_ATTEMPTS;
    const task = { purpose: /** @type {const} */ ('ends'), baseline: 0, candidate: last };
    const { answer, ratio } = await log.take({ ...task, attempt, alpha });
    if (tools.isInterrupted()) log.note({ ended: 'interrupted' });
    else if (answer === 'bad') return ratio;
    else if (answer === 'good') log.note({ ended: 'no-regression' });
    else if (answer === 'unusable') log.note({ ended: 'failed' });
    if (log.current().ended !== 'running') return null;
  }
  log.note({ ended: 'not-settled' });
  return null;
}

/**
 * @param {BisectionLog} log
 * @param {BisectionTools} tools
 * @returns {Promise<Search>} as far as it came
 */
async function searchBetween(log, { isInterrupted }) {
  const { candidates } = log.current();
  const alpha = ALPHA / countTests(candidates.length);
  let search = startSearch(candidates.length);
  for (;;) {
    const candidate = nextCandidate(search);
    if (candidate === null || isInterrupted()) return search;
    const attempt = search.attempts + 1;
    const task = { purpose: /** @type {const} */ ('search'), baseline: 0, candidate };
    const { answer } = await log.take({ ...task, attempt, alpha });
    if (isInterrupted()) return search;
    search = recordAnswer(search, candidate, answer);
    log.note(describeSearch(search, log.current()));
  }
}

/**
 * @param {Search} search
 * @param {Bisection} bisection
 * @returns {Pick<Bisection, 'lastGood' | 'firstBad' | 'passedOver'>}
 */
function describeSearch({ good, bad, passedOver }, { candidates, steps }) {
  const between = passedOver.filter((index) => index > good && index < bad).sort((a, b) => a - b);
  return {
    lastGood: candidates[good].spec,
    firstBad: candidates[bad].spec,
    passedOver: between.map((index) => {
      const { spec } = candidates[index];
      const reason = steps.findLast(({ candidate }) => candidate === spec)?.reason;
      return { spec, reason: reason ?? 'not settled' };
    }),
  };
}

/**
 * Whether all that lies between the last good and the first bad candidate cannot be measured. One that
 * was measured without an answer leaves the question open.
 *
 * @param {Search} search
 * @param {Bisection} bisection
 */
function isSettled(search, { passedOver, steps }) {
  if (listOpen(search).length > 0) return false;
  return passedOver.every(
    ({ spec }) => steps.findLast(({ candidate }) => candidate === spec)?.answer === 'unusable',
  );
}

/**
 * How much slower the first bad candidate is than the last good one.
 *
 * @param {Search} search
 * @param {BisectionLog} log
 * @returns {Promise<Bisection['change']>}
 */
async function compareNeighbours({ good, bad }, log) {
  const { candidates, steps } = log.current();
  const areEnds = good === 0 && bad === candidates.length - 1;
  const known = areEnds ? steps.findLast(({ purpose }) => purpose === 'ends') : undefined;
  const task = { purpose: /** @type {const} */ ('neighbours'), baseline: good, candidate: bad };
  const { verdict, ratio } = known ?? (await log.take({ ...task, attempt: 1, alpha: ALPHA }));
  return { verdict, ratio };
}
