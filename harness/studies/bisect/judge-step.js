import { listBreaches } from '../../stats/list-breaches.js';
import { MIN_PROCESSES } from '../../stats/cell-verdict.js';

/** @import { CellComparison, RatioInterval } from '../../formats/types.ts' */
/** @import { MeasuredStep, StepAnswer, StepOutcome } from './types.ts' */

/**
 * What a comparison of one cell says of its candidate.
 *
 * @param {MeasuredStep} step
 * @param {number | null} boundary ratio that tells good from bad; null for the usual rule
 * @returns {Omit<StepOutcome, 'runId'>}
 */
export function judgeStep({ verdict, manifest }, boundary) {
  const [cell] = verdict.cells;
  const processes = Math.min(cell.processes.baseline, cell.processes.candidate);
  const common = { verdict: cell.verdict, ratio: cell.effect?.ratio ?? null, processes };
  const obstacle = findObstacle({ verdict, manifest }, cell);
  if (obstacle !== null) return { ...common, ...obstacle };
  const answer =
    boundary === null ? answerByRule(cell) : answerByBoundary(common.ratio, processes, boundary);
  return {
    ...common,
    answer,
    reason: answer === 'unsettled' ? 'the interval is too wide to tell' : null,
  };
}

/**
 * What keeps a comparison from having an answer, whatever its figures.
 *
 * @param {MeasuredStep} step
 * @param {CellComparison} cell
 * @returns {{ answer: StepAnswer, reason: string } | null}
 */
function findObstacle({ verdict, manifest }, cell) {
  if (cell.verdict === 'refused') {
    return { answer: 'unusable', reason: describeRefusal({ verdict, manifest }) };
  }
  if (verdict.ended === 'interrupted') return { answer: 'unsettled', reason: 'interrupted' };
  const lost = verdict.failedJobs.find(({ measured }) => !measured);
  if (lost !== undefined) {
    return { answer: 'unusable', reason: `a job ${lost.failure.detail} (${lost.jobId})` };
  }
  if (cell.verdict !== 'untrusted') return null;
  return { answer: 'unsettled', reason: 'the control differs too: the machine was disturbed' };
}

/**
 * @param {CellComparison} cell
 * @returns {StepAnswer}
 */
function answerByRule({ verdict }) {
  if (verdict === 'inconclusive') return 'unsettled';
  return verdict === 'slower' ? 'bad' : 'good';
}

/**
 * @param {RatioInterval | null} ratio
 * @param {number} processes
 * @param {number} boundary
 * @returns {StepAnswer}
 */
function answerByBoundary(ratio, processes, boundary) {
  if (ratio === null || processes < MIN_PROCESSES) return 'unsettled';
  if (ratio.low > boundary) return 'bad';
  return ratio.high < boundary ? 'good' : 'unsettled';
}

/**
 * @param {MeasuredStep} step
 * @returns {string}
 */
function describeRefusal({ verdict, manifest }) {
  const breaches = listBreaches(manifest.contracts, manifest.question.acceptedRows);
  if (breaches.length > 0) {
    const specs = [...new Set(breaches.map(({ spec }) => spec))];
    const broken = specs.map((spec) => {
      const rows = breaches.filter((breach) => breach.spec === spec).map(({ row }) => row.name);
      // As `--accept` takes them.
      return `${rows.join(',')} (${spec})`;
    });
    return `breaks the behaviour contract: ${broken.join('; ')}`;
  }
  const [difference] = verdict.differences;
  if (difference === undefined) return 'wrong output when hot';
  const { variant, document, path } = difference;
  return `other output than the reference's (${variant}, document ${document}, ${path})`;
}
