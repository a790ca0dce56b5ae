import { countOf } from '../../lib/numbers.js';
import { listDifferences, NOTED, selectDifferences } from '../../run/identity.js';
import {
  equivalenceBand,
  judgePlace,
  locateInterval,
  processesToLeaveEdge,
  restrictBand,
} from '../../stats/band.js';
import { VERDICTS, isDecided, isDirection, ratioOf } from '../../stats/verdicts.js';

/** @import { CellAnswer, CellComparison, CellFinding, CellReplay, EnvironmentDifference, Question, RatioBand, RatioInterval, ReplayAnswer, ReplayRecord, Verdict } from '../../formats/types.ts' */
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
    const band = findBand(recorded, question.minimumEffect);
    const judged = judgeCell(recorded, here, band);
    const reason = judged.reason ?? requiredProcesses(judged.answer, comparison, band);
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
 * The ratios that agree with the result of a report: for a direction or an inconclusive result the recorded
 * interval widened by the minimum effect, for `equivalent` those that count as no difference.
 *
 * @param {CellFinding} recorded
 * @param {number} minimumEffect a share
 * @returns {RatioBand | null} null for a result that no ratio can reproduce or contradict
 */
function findBand({ verdict, ratio }, minimumEffect) {
  const { finding } = VERDICTS[verdict];
  if (finding === 'same') return equivalenceBand(minimumEffect);
  if (ratio === null || verdict === 'refused' || verdict === 'untrusted') return null;
  const factor = 1 + minimumEffect;
  const band = { low: ratio.low / factor, high: ratio.high * factor };
  return finding === null ? band : restrictBand(band, finding, minimumEffect);
}

/**
 * @param {Pick<ReplayRecord, 'question' | 'results'>} record
 * @returns {NonNullable<Question['bands']>} by cell id, for the cells with a decided result
 */
export function listBands({ question, results }) {
  const entries = results.flatMap(({ cellId, ...recorded }) => {
    const band = findBand(recorded, question.minimumEffect);
    return band !== null && isDecided(recorded.verdict) ? [[cellId, [band]]] : [];
  });
  return Object.fromEntries(entries);
}

/**
 * @param {CellAnswer} answer
 * @param {CellComparison | undefined} comparison
 * @param {RatioBand | null} band
 * @returns {string | null} how many processes would settle it
 */
function requiredProcesses(answer, comparison, band) {
  if (answer !== 'inconclusive' && answer !== 'size-open') return null;
  const ratio = comparison === undefined ? null : ratioOf(comparison);
  if (comparison === undefined || ratio === null || band === null) return null;
  const { processes, processesNeeded } = comparison;
  const isAcross = locateInterval(ratio, band) === 'across';
  const needed = isAcross
    ? processesToLeaveEdge(ratio, band, processes.candidate)
    : processesNeeded;
  if (needed === null) return null;
  return `about ${countOf(Math.ceil(needed), 'process', 'processes')} per variant would settle it; there were ${processes.candidate}`;
}

/** @type {(comparison: CellComparison | undefined) => CellFinding} */
function toFinding(comparison) {
  if (comparison === undefined) return NOTHING;
  return { verdict: comparison.verdict, ratio: ratioOf(comparison) };
}

/**
 * Compares the recorded result of a cell with the local one, by the rule of decision 0012.
 *
 * @param {CellFinding} recorded
 * @param {CellFinding} here
 * @param {RatioBand | null} band of the recorded result
 * @returns {{ answer: CellAnswer, reason: string | null }}
 */
function judgeCell(recorded, here, band) {
  const gate = judgeGate(recorded, here) ?? judgeTrust(recorded, here);
  if (gate !== null) return gate;
  const [then, now] = [recorded.ratio, here.ratio];
  if (then === null || now === null || band === null) {
    const whose = then === null ? 'the report has' : 'there is';
    return { answer: 'inconclusive', reason: `${whose} no ratio` };
  }
  const place = locateInterval(now, band);
  const isSame = VERDICTS[here.verdict].finding === VERDICTS[recorded.verdict].finding;
  const hasDirection = isSame && isDirection(here.verdict);
  const answer = judgePlace(place, { hasDirection, agrees: isSame });
  if (answer === 'direction-only') return { answer, reason: describeSize(then, now) };
  if (answer === 'not-reproduced') return { answer, reason: describeOther(recorded, here) };
  // An inconclusive report can be contradicted, but not reproduced.
  if (!isDecided(recorded.verdict)) {
    return { answer: 'inconclusive', reason: 'the report is inconclusive' };
  }
  return { answer, reason: null };
}

/** @type {(recorded: CellFinding, here: CellFinding) => string} */
function describeOther(recorded, here) {
  const isOther = isDecided(here.verdict) && here.verdict !== recorded.verdict;
  return isOther ? `it is ${here.verdict} here` : 'the interval excludes that of the report';
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

/** @param {RatioInterval} then @param {RatioInterval} now */
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
