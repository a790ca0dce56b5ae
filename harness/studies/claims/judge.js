import { countOf, formatDuration } from '../../lib/numbers.js';
import { findExpectedRatio } from '../../stats/expected-ratio.js';
import { chooseMostProcesses, holdSmallDifference } from './claims.js';
import { VERDICTS, isDecided, isSlower } from '../../stats/verdicts.js';

/** @import { Cell, CellComparison, Claim, ClaimDirection, ClaimResult, ContractRow, Manifest, MemoryMetric, MemoryVerdict, Question, RatioInterval, Verdict } from '../../formats/types.ts' */

/**
 * What was measured of a claim; null where it was not.
 *
 * @typedef {object} ClaimEvidence
 * @property {CellComparison | null} cell
 * @property {MemoryMetric | null} retained
 * @property {ContractRow[] | null} contract of the candidate
 * @property {boolean | null} isSameOutput whether both sides passed the gate
 * @property {number | null} processMs life of one timed process; null where none was timed
 * @property {string | null} failure why there is no figure, where a worker failed or the
 *   time ran out
 * @property {number} minimumEffect
 */

/**
 * Holds a claim against what was measured here.
 *
 * @param {Claim} claim
 * @param {ClaimEvidence} evidence
 * @returns {ClaimResult}
 */
export function judgeClaim(claim, evidence) {
  const measured = findMeasured(claim, evidence);
  return {
    id: claim.id,
    claimed: findExpectedRatio(claim.figure),
    measured,
    ...judge(claim, evidence, measured),
  };
}

/**
 * @param {Claim} claim
 * @param {ClaimEvidence} evidence
 * @returns {RatioInterval | null} null for what the gate or the contract settles
 */
function findMeasured({ figure: { formula } }, { cell, retained }) {
  if (formula === 'retained-bytes') return retained?.ratio ?? null;
  if (formula === 'same-output' || formula === 'contract' || formula === 'contract-breaks') {
    return null;
  }
  return cell?.effect?.ratio ?? null;
}

/**
 * @param {Claim} claim
 * @param {ClaimEvidence} evidence
 * @param {RatioInterval | null} measured
 * @returns {Judgement}
 */
function judge(claim, evidence, measured) {
  const { figure } = claim;
  if (claim.cannotRun !== undefined) return say('cannot-run', claim.cannotRun);
  switch (figure.formula) {
    case 'same-output':
      return judgeOutput(evidence);
    case 'contract':
      return judgeContract(evidence);
    case 'contract-breaks':
      return judgeBreaks(figure.rows, evidence);
    case 'direction':
      return judgeDirection(claim, figure.direction, evidence);
    default:
      return judgeRatio(claim, evidence, measured);
  }
}

/** @param {ClaimEvidence} evidence */
function judgeOutput({ isSameOutput }) {
  if (isSameOutput === null) return say('inconclusive', 'the gate was not reached');
  return isSameOutput
    ? say('reproduced', null)
    : say('not-reproduced', 'the outputs differ; the run names where');
}

/** @param {ClaimEvidence} evidence */
function judgeContract({ contract }) {
  if (contract === null) return say('inconclusive', 'the contract was not tried');
  const broken = contract.filter(({ outcome }) => outcome !== 'holds').map(({ name }) => name);
  if (broken.length === 0) return say('reproduced', `all ${contract.length} promises hold`);
  return say('not-reproduced', `does not hold: ${broken.join(', ')}`);
}

/**
 * @param {string[]} rows
 * @param {ClaimEvidence} evidence
 */
function judgeBreaks(rows, { contract }) {
  if (contract === null) return say('inconclusive', 'the contract was not tried');
  const holding = rows.filter((row) =>
    contract.some(({ name, outcome }) => name === row && outcome === 'holds'),
  );
  if (holding.length === 0) return say('reproduced', null);
  return say('not-reproduced', `holds after all: ${holding.join(', ')}`);
}

/**
 * Holds a direction without a figure against a cell.
 *
 * @param {Claim} claim
 * @param {ClaimDirection} direction
 * @param {ClaimEvidence} evidence
 * @returns {Judgement}
 */
function judgeDirection(claim, direction, { cell, minimumEffect, processMs, failure }) {
  const doubt = findDoubt(cell);
  if (cell === null || doubt !== null) {
    return say('inconclusive', doubt ?? failure ?? 'it was not measured');
  }
  const { verdict, effect } = cell;
  if (effect === null) return say('inconclusive', failure ?? 'it was not measured');
  if (direction === 'not-slower') {
    const isBelow = effect.ratio.high < 1 + minimumEffect;
    if (isBelow || (isDecided(verdict) && !isSlower(verdict))) return say('reproduced', null);
  }
  if (VERDICTS[verdict].finding === direction) return say('reproduced', null);
  if (!isDecided(verdict)) return say('inconclusive', tellNeed(claim, { cell, processMs }));
  return say('not-reproduced', `it is ${verdict} here`);
}

/**
 * Reproduced: the interval overlaps the band around the reported ratio that its tolerance makes, is no
 * wider than the band, and, where a difference was reported, excludes 1; where none was, it lies within
 * the band. A wider interval overlaps the band of almost any claim.
 *
 * @param {Claim} claim
 * @param {ClaimEvidence} evidence
 * @param {RatioInterval | null} measured
 * @returns {Judgement}
 */
function judgeRatio(claim, { cell, minimumEffect, processMs, failure }, measured) {
  const { figure, tolerance } = claim;
  const isTime = figure.formula !== 'retained-bytes';
  const doubt = isTime ? findDoubt(cell) : null;
  if (measured === null || doubt !== null) {
    return say('inconclusive', doubt ?? failure ?? 'it was not measured');
  }
  const expected = /** @type {number} */ (findExpectedRatio(figure));
  const band = { low: expected / tolerance, high: expected * tolerance };
  const isMet = measured.low <= band.high && measured.high >= band.low;
  const isDifference = Math.abs(Math.log(expected)) >= Math.log1p(minimumEffect) / 2;
  const tellOpen = () =>
    cell === null ? 'the interval is too wide' : tellNeed(claim, { cell, processMs, isDifference });
  if (!isDifference) {
    const isWithin = measured.low >= band.low && measured.high <= band.high;
    if (isWithin) return say('reproduced', null);
    return isMet ? say('inconclusive', tellOpen()) : say('not-reproduced', tellOther(measured));
  }
  if (measured.low <= 1 && measured.high >= 1) {
    return isMet
      ? say('inconclusive', tellOpen())
      : say('not-reproduced', 'there may be no difference here');
  }
  if (expected > 1 !== measured.estimate > 1) return say('not-reproduced', tellOther(measured));
  if (!isMet) return say('direction-only', tellSize(expected, measured));
  const isPrecise = measured.high / measured.low <= tolerance ** 2;
  return isPrecise ? say('reproduced', null) : say('inconclusive', tellOpen());
}

/**
 * @param {CellComparison | null} cell
 * @returns {string | null} why its figures prove nothing
 */
function findDoubt(cell) {
  if (cell?.verdict === 'refused') return 'refused: a side does not pass the gate';
  if (cell?.verdict === 'untrusted') return 'the control differs from the baseline';
  return null;
}

/** @param {RatioInterval} measured */
function tellOther({ estimate }) {
  return estimate > 1
    ? 'it is more here, not less or the same'
    : 'it is less here, not more or the same';
}

/**
 * @param {number} expected
 * @param {RatioInterval} measured
 */
function tellSize(expected, { estimate }) {
  const isLarger = Math.abs(Math.log(estimate)) > Math.abs(Math.log(expected));
  return isLarger ? 'a larger effect than was claimed' : 'a smaller effect than was claimed';
}

/**
 * What a run has to say about a claim.
 *
 * @param {Claim} claim
 * @param {{ verdict: Verdict, manifest: Manifest, question: Question }} run
 * @returns {ClaimEvidence}
 */
export function gatherEvidence(claim, { verdict, manifest, question }) {
  const { cells } = question;
  const cellId = findCellId(claim, cells);
  const { workerMs, observations } = verdict.timing;
  return {
    cell: verdict.cells.find(({ cell }) => cell.id === cellId) ?? null,
    retained: findRetained(claim, verdict.memory),
    contract: manifest.contracts[claim.candidate] ?? null,
    isSameOutput: isSameOutput(claim, verdict.differences, cells),
    minimumEffect: question.minimumEffect,
    processMs: observations === 0 ? null : workerMs / observations,
    failure: tellShortfall(verdict),
  };
}

/**
 * @param {Claim} claim
 * @param {Verdict['differences']} differences that the gate found
 * @param {Cell[]} cells
 * @returns {boolean} whether there is none on the cell of the claim
 */
export function isSameOutput(claim, differences, cells) {
  const cellId = findCellId(claim, cells);
  return differences.every((difference) => difference.cellId !== cellId);
}

/**
 * @param {Verdict} verdict
 * @returns {string | null} what the worker that could not be run said, or that there was no time
 */
function tellShortfall({ failedJobs, ended }) {
  const lost = failedJobs.find(({ measured }) => !measured);
  if (lost !== undefined) return `${lost.jobId}: ${lost.failure.detail}`;
  return ended === 'budget'
    ? 'the time ran out before there was a figure; try a longer --budget'
    : null;
}

/**
 * @param {Claim} claim
 * @param {Cell[]} cells
 * @returns {string}
 */
function findCellId({ operation, corpus }, cells) {
  const cell = cells.find((one) => one.operation === operation && one.corpus === corpus);
  return cell?.id ?? `${operation} ${corpus}`;
}

/**
 * @param {Claim} claim
 * @param {MemoryVerdict | undefined} memory
 */
function findRetained({ figure, corpus }, memory) {
  if (figure.formula !== 'retained-bytes') return null;
  const held = memory?.corpora.find((one) => one.corpus === corpus);
  if (figure.of === 'document') {
    return held?.metrics.find(({ name }) => name === 'retained') ?? null;
  }
  return held?.groups.find(({ name }) => name === figure.of)?.metric ?? null;
}

/** @typedef {Pick<ClaimResult, 'verdict' | 'reason'>} Judgement */

/**
 * @param {ClaimResult['verdict']} verdict
 * @param {string | null} reason what else there is to say; no full stop
 * @returns {Judgement}
 */
function say(verdict, reason) {
  return { verdict, reason };
}

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
function tellNeed(claim, { cell, processMs, isDifference = true }) {
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
  const isSettled = isDecided(cell.verdict);
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
