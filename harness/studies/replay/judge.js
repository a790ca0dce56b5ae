import { countOf } from '../../lib/numbers.js';
import { listDifferences, NOTED, selectDifferences } from '../../run/identity.js';
import { VERDICTS, isDecided, isDirection } from '../../stats/verdicts.js';

/** @import { CellAnswer, CellComparison, CellFinding, CellReplay, EnvironmentDifference, RatioInterval, ReplayAnswer, ReplayRecord, Verdict } from '../../formats/types.ts' */
/** @import { Identity } from '../../run/identity.js' */

const NOTHING = Object.freeze({ verdict: /** @type {const} */ ('inconclusive'), ratio: null });

/**
 * Compares a report with the local run.
 *
 * @param {Pick<ReplayRecord, 'question' | 'results'>} record
 * @param {Pick<Verdict, 'cells'>} verdict of the run made here
 * @param {EnvironmentDifference[]} differences between the hosts
 * @returns {{ answer: ReplayAnswer, cells: CellReplay[] }}
 */
export function judgeReplay({ question, results }, { cells: measured }, differences) {
  const cells = question.cells.map(({ id }) => {
    const { verdict, ratio } = results.find(({ cellId }) => cellId === id) ?? NOTHING;
    const comparison = measured.find(({ cell }) => cell.id === id);
    const here = toFinding(comparison);
    const recorded = { verdict, ratio };
    const judged = judgeCell(recorded, here, question.minimumEffect);
    const reason = judged.reason ?? requiredProcesses(judged.answer, comparison);
    return { cellId: id, recorded, here, answer: judged.answer, reason };
  });
  return { answer: sumUp(cells, differences), cells };
}

/** @type {(cells: CellReplay[], differences: EnvironmentDifference[]) => ReplayAnswer} */
function sumUp(cells, differences) {
  const isMissed = cells.some(
    ({ answer }) => answer === 'not-reproduced' || answer === 'direction-only',
  );
  if (isMissed) return differences.length > 0 ? 'environment-differs' : 'not-reproduced';
  return cells.every(({ answer }) => answer === 'reproduced') ? 'reproduced' : 'inconclusive';
}

/**
 * @param {CellAnswer} answer
 * @param {CellComparison | undefined} comparison
 * @returns {string | null} how many processes would settle it
 */
function requiredProcesses(answer, comparison) {
  if (answer !== 'inconclusive' || comparison?.processesNeeded == null) return null;
  const { processesNeeded, processes } = comparison;
  return `about ${countOf(Math.ceil(processesNeeded), 'process', 'processes')} per arm would settle it; there were ${processes.candidate}`;
}

/** @type {(comparison: CellComparison | undefined) => CellFinding} */
function toFinding(comparison) {
  if (comparison === undefined) return NOTHING;
  return { verdict: comparison.verdict, ratio: comparison.effect?.ratio ?? null };
}

/**
 * Compares the recorded result of a cell with the local one, by the rule of decision 0012.
 *
 * @param {CellFinding} recorded
 * @param {CellFinding} here
 * @param {number} minimumEffect as a share
 * @returns {{ answer: CellAnswer, reason: string | null }}
 */
function judgeCell(recorded, here, minimumEffect) {
  const gate = judgeGate(recorded, here) ?? judgeTrust(recorded, here);
  if (gate !== null) return gate;
  const [then, now] = [recorded.ratio, here.ratio];
  if (then === null || now === null) {
    const whose = then === null ? 'the report has' : 'there is';
    return { answer: 'inconclusive', reason: `${whose} no ratio` };
  }
  const isMet = now.low <= then.high && now.high >= then.low;
  const isSame = VERDICTS[here.verdict].finding === VERDICTS[recorded.verdict].finding;
  if (isDirection(recorded.verdict) && isDirection(here.verdict)) {
    if (!isSame) return { answer: 'not-reproduced', reason: `it is ${here.verdict} here` };
    return isMet
      ? { answer: 'reproduced', reason: null }
      : { answer: 'direction-only', reason: describeSize(then, now) };
  }
  // An inconclusive report can be contradicted, but not reproduced.
  const isSettled = isDecided(recorded.verdict);
  const isEquivalent = isSame && isDecided(here.verdict);
  if (isSettled && (isEquivalent || isWithin(now, then, minimumEffect))) {
    return { answer: 'reproduced', reason: null };
  }
  if (!isMet) return { answer: 'not-reproduced', reason: 'the intervals do not overlap' };
  if (!isSettled) return { answer: 'inconclusive', reason: 'the report is inconclusive' };
  if (!isDecided(here.verdict)) return { answer: 'inconclusive', reason: null };
  return { answer: 'not-reproduced', reason: `it is ${here.verdict} here` };
}

/**
 * @param {CellFinding} recorded
 * @param {CellFinding} here
 * @returns {{ answer: CellAnswer, reason: string } | null} null where both passed the gate
 */
function judgeGate(recorded, here) {
  const [then, now] = [recorded.verdict === 'refused', here.verdict === 'refused'];
  if (!then && !now) return null;
  if (then && now) return { answer: 'reproduced', reason: 'an arm fails the correctness gate' };
  return {
    answer: 'not-reproduced',
    reason: now
      ? 'an arm fails the correctness gate here'
      : 'both arms pass the correctness gate here',
  };
}

/**
 * @param {CellFinding} recorded
 * @param {CellFinding} here
 * @returns {{ answer: CellAnswer, reason: string } | null} null where both can be trusted
 */
function judgeTrust(recorded, here) {
  if (here.verdict === 'untrusted') {
    return { answer: 'inconclusive', reason: 'the control differs from the baseline here' };
  }
  if (recorded.verdict !== 'untrusted') return null;
  return { answer: 'inconclusive', reason: 'the control differs from the baseline in the report' };
}

/**
 * @param {RatioInterval} inner
 * @param {RatioInterval} outer
 * @param {number} minimumEffect widens the outer interval
 */
function isWithin(inner, outer, minimumEffect) {
  const factor = 1 + minimumEffect;
  return inner.low >= outer.low / factor && inner.high <= outer.high * factor;
}

/**
 * @param {RatioInterval} then
 * @param {RatioInterval} now
 */
function describeSize(then, now) {
  const isMore = Math.abs(Math.log(now.estimate)) > Math.abs(Math.log(then.estimate));
  return isMore ? 'the effect is larger here' : 'the effect is smaller here';
}

/**
 * Lists how the hosts of two runs differ, as far as results may depend on it. The Node that runs Assay
 * does not count where another one measured.
 *
 * @param {Identity} recorded
 * @param {Identity} here
 * @param {boolean} isSameNode whether the Node of the report measured here
 * @returns {EnvironmentDifference[]}
 */
export function compareHosts(recorded, here, isSameNode) {
  const differences = selectDifferences(listDifferences(recorded, here), NOTED);
  const isOtherRunner = isSameNode && differences.some(({ aspect }) => aspect === 'node');
  return differences
    .filter(({ aspect }) => !isOtherRunner || (aspect !== 'node' && aspect !== 'v8'))
    .map(({ label, before, now }) => ({ part: label, recorded: before, here: now }));
}
