/** What it would take to settle a claim that is inconclusive. */

/** @import { CellComparison, Claim, RatioInterval } from '../../formats/types.ts' */

import { countOf, formatDuration } from '../../lib/numbers.js';
import { findExpectedRatio } from '../../stats/expected-ratio.js';
import { chooseMostProcesses, holdSmallDifference } from './minimum-effect.js';

/** The most that `--processes` takes. */
const LARGEST_NUMBER = 10_000;
/** Baseline, candidate and control. */
const ARM_COUNT = 3;

/**
 * @param {Claim} claim
 * @param {object} evidence
 * @param {CellComparison} evidence.cell
 * @param {number | null} evidence.processMs life of one process; null where not known
 * @param {boolean} [evidence.isDifference] whether the reported ratio is other than 1
 * @returns {string} how many processes, about how long, and with which command
 */
export function tellNeed(claim, { cell, processMs, isDifference = true }) {
  const seen = cell.processes.candidate;
  const needed = estimateNeed(claim, cell, isDifference);
  if (needed === null)
    return `${countOf(seen, 'process', 'processes')} a side do not settle it, nor would any number`;
  const totalMs = processMs === null ? null : needed * ARM_COUNT * processMs;
  const time = totalMs === null ? '' : `, some ${formatDuration(totalMs)}`;
  const command = formatRemedy(claim, { cell, needed, totalMs });
  return `${countOf(seen, 'process', 'processes')} a side do not settle it, about ${needed} would${time}: ${command}`;
}

/**
 * Processes a side after which the interval would be narrow enough, were the estimate to stay. The
 * width of an interval goes with the inverse square root of the number of processes.
 *
 * @param {Claim} claim
 * @param {CellComparison} cell
 * @param {boolean} isDifference
 * @returns {number | null} null where no number of them would do
 */
function estimateNeed({ figure, tolerance }, cell, isDifference) {
  const { effect, processes, processesNeeded } = cell;
  const expected = findExpectedRatio(figure);
  if (expected === null || effect === null) return processesNeeded;
  const distance = findDistance(effect.ratio, expected, tolerance, isDifference);
  const halfWidth = Math.log(effect.ratio.high / effect.ratio.low) / 2;
  const needed = Math.ceil(processes.candidate * (halfWidth / distance) ** 2);
  return needed <= LARGEST_NUMBER ? Math.max(needed, processes.candidate + 1) : null;
}

/**
 * How wide half of an interval may be to settle the claim. Of a difference it must exclude 1, and then
 * either all the ratios that count as the claimed one or, to be as precise as the claim, no more than
 * their width; or it excludes these ratios alone. A claim of no difference has only their edge.
 *
 * @param {RatioInterval} ratio
 * @param {number} expected
 * @param {number} tolerance
 * @param {boolean} isDifference whether one was claimed
 * @returns {number} of logarithms
 */
function findDistance({ estimate }, expected, tolerance, isDifference) {
  const offClaim = Math.abs(Math.log(estimate / expected)) - Math.log(tolerance);
  if (!isDifference) return Math.abs(offClaim);
  const offOne = Math.abs(Math.log(estimate));
  return Math.max(Math.min(offOne, Math.max(offClaim, Math.log(tolerance))), offClaim);
}

/**
 * Where the cell itself was settled, or more processes are needed than a reproduction measures, the
 * comparison has to be made by hand, with an effect of interest that the claim lies beyond.
 *
 * @param {Claim} claim
 * @param {{ cell: CellComparison, needed: number, totalMs: number | null }} need
 * @returns {string}
 */
function formatRemedy(claim, { cell, needed, totalMs }) {
  const isSettled = cell.verdict !== 'inconclusive';
  const most = chooseMostProcesses([claim]);
  if (!isSettled && needed <= most && totalMs !== null) {
    const minutes = Math.ceil((totalMs * 1.2) / 60_000);
    return `just reproduce ${claim.id} --budget ${minutes}m`;
  }
  const { baseline, candidate, operation, corpus, figure } = claim;
  const words = ['just', 'compare', baseline, candidate, '--op', operation, '--corpus', corpus];
  words.push('--processes', String(Math.max(needed, most)));
  const expected = findExpectedRatio(figure);
  if (expected !== null && (isSettled || holdSmallDifference([claim]))) {
    const percent = Math.max(0.5, Math.abs(expected - 1) * 50);
    words.push('--mei', percent.toFixed(1));
  }
  return words.join(' ');
}
