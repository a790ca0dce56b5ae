import { countOf, formatDuration } from '../../lib/numbers.js';
import { findExpectedRatio } from '../../stats/means.js';
import { VERDICTS, isDecided, isSlower } from '../../stats/verdicts.js';
import { chooseMostProcesses, hasSmallDifference, USUAL_MINIMUM_EFFECT } from './claims.js';

/** @import { Cell, CellComparison, Claim, ClaimDirection, ClaimResult, ContractRow, Manifest, MemoryMetric, MemoryVerdict, Question, RatioInterval, Verdict } from '../../formats/types.ts' */

/**
 * Measurements that a claim is judged by; null where there are none.
 *
 * @typedef {object} ClaimEvidence
 * @property {CellComparison | null} cell
 * @property {MemoryMetric | null} retained
 * @property {ContractRow[] | null} contract of the candidate
 * @property {boolean | null} isSameOutput whether both arms passed the gate
 * @property {number | null} processMs duration of one timed process; null where none was timed
 * @property {string | null} failure why nothing was measured, if a worker failed or the time ran out
 * @property {number} minimumEffect
 * @property {Remedies | null} remedies null where nothing was timed
 */

/**
 * Commands that measure a claim more precisely, as the command line formats them.
 *
 * @typedef {object} Remedies
 * @property {(changes: Pick<Question, 'minimumEffect' | 'looks'>) => string} compare
 * @property {(minutes: number) => string} reproduce
 */

/** @type {Readonly<ClaimEvidence>} */
export const NO_EVIDENCE = Object.freeze({
  cell: null,
  retained: null,
  contract: null,
  isSameOutput: null,
  processMs: null,
  failure: null,
  minimumEffect: 0,
  remedies: null,
});

/**
 * Compares a claim with the local result.
 * @type {(claim: Claim, evidence: ClaimEvidence) => ClaimResult}
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
 * @returns {RatioInterval | null} null for what the correctness gate or the contract decides
 */
function findMeasured({ figure: { formula } }, { cell, retained }) {
  if (formula === 'retained-bytes') return retained?.ratio ?? null;
  if (formula === 'same-output' || formula === 'contract' || formula === 'contract-breaks') {
    return null;
  }
  return cell?.effect?.ratio ?? null;
}

/** @type {(claim: Claim, evidence: ClaimEvidence, measured: RatioInterval | null) => Judgement} */
function judge(claim, evidence, measured) {
  const { figure } = claim;
  if (claim.cannotRun !== undefined) return result('cannot-run', claim.cannotRun);
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
  if (isSameOutput === null) return result('inconclusive', 'the correctness gate was not reached');
  return isSameOutput
    ? result('reproduced', null)
    : result('not-reproduced', 'the outputs differ; the run says where');
}

/** @param {ClaimEvidence} evidence */
function judgeContract({ contract }) {
  if (contract === null) return result('inconclusive', 'the contract was not checked');
  const broken = contract.filter(({ outcome }) => outcome !== 'holds').map(({ name }) => name);
  if (broken.length === 0) return result('reproduced', `all ${contract.length} rows hold`);
  return result('not-reproduced', `these rows fail: ${broken.join(', ')}`);
}

/**
 * @param {string[]} rows
 * @param {ClaimEvidence} evidence
 */
function judgeBreaks(rows, { contract }) {
  if (contract === null) return result('inconclusive', 'the contract was not checked');
  const holding = rows.filter((row) =>
    contract.some(({ name, outcome }) => name === row && outcome === 'holds'),
  );
  if (holding.length === 0) return result('reproduced', null);
  return result('not-reproduced', `these rows hold: ${holding.join(', ')}`);
}

/**
 * Judges a claimed direction by the verdict of its cell.
 * @type {(claim: Claim, direction: ClaimDirection, evidence: ClaimEvidence) => Judgement}
 */
function judgeDirection(claim, direction, evidence) {
  const { cell, minimumEffect, failure } = evidence;
  const doubt = findDoubt(cell);
  if (cell === null || doubt !== null) {
    return result('inconclusive', doubt ?? failure ?? 'not measured');
  }
  const { verdict, effect } = cell;
  if (effect === null) return result('inconclusive', failure ?? 'not measured');
  if (direction === 'not-slower') {
    const isBelow = effect.ratio.high < 1 + minimumEffect;
    if (isBelow || (isDecided(verdict) && !isSlower(verdict))) return result('reproduced', null);
  }
  if (VERDICTS[verdict].finding === direction) return result('reproduced', null);
  if (!isDecided(verdict)) {
    return result('inconclusive', requiredProcesses(claim, { ...evidence, cell }));
  }
  return result('not-reproduced', `it is ${verdict} here`);
}

/**
 * Judges a claimed ratio. The tolerance spans a band around it. A claimed difference is reproduced if the
 * interval overlaps the band, excludes 1 and is no wider than the band (a wider one overlaps almost any
 * band). A claim of no difference is reproduced if the interval lies within the band.
 * @type {(claim: Claim, evidence: ClaimEvidence, measured: RatioInterval | null) => Judgement}
 */
function judgeRatio(claim, evidence, measured) {
  const { cell, minimumEffect, failure } = evidence;
  const { figure, tolerance } = claim;
  const isTime = figure.formula !== 'retained-bytes';
  const doubt = isTime ? findDoubt(cell) : null;
  if (measured === null || doubt !== null) {
    return result('inconclusive', doubt ?? failure ?? 'not measured');
  }
  const expected = /** @type {number} */ (findExpectedRatio(figure));
  const band = { low: expected / tolerance, high: expected * tolerance };
  const isMet = measured.low <= band.high && measured.high >= band.low;
  const isDifference = Math.abs(Math.log(expected)) >= Math.log1p(minimumEffect) / 2;
  const describeNeed = () =>
    cell === null
      ? 'the interval is too wide'
      : requiredProcesses(claim, { ...evidence, cell }, isDifference);
  if (!isDifference) {
    const isWithin = measured.low >= band.low && measured.high <= band.high;
    if (isWithin) return result('reproduced', null);
    return isMet
      ? result('inconclusive', describeNeed())
      : result('not-reproduced', describeOther(measured));
  }
  if (measured.low <= 1 && measured.high >= 1) {
    return isMet
      ? result('inconclusive', describeNeed())
      : result('not-reproduced', 'there may be no difference here');
  }
  if (expected > 1 !== measured.estimate > 1)
    return result('not-reproduced', describeOther(measured));
  if (!isMet) return result('direction-only', describeSize(expected, measured));
  const isPrecise = measured.high / measured.low <= tolerance ** 2;
  return isPrecise ? result('reproduced', null) : result('inconclusive', describeNeed());
}

/**
 * @param {CellComparison | null} cell
 * @returns {string | null} why its result cannot be used
 */
function findDoubt(cell) {
  if (cell?.verdict === 'refused') return 'refused: an arm fails the correctness gate';
  if (cell?.verdict === 'untrusted') return 'the control differs from the baseline';
  return null;
}

/** @param {RatioInterval} measured */
function describeOther({ estimate }) {
  return estimate > 1 ? 'it is more here, not less or equal' : 'it is less here, not more or equal';
}

/**
 * @param {number} expected
 * @param {RatioInterval} measured
 */
function describeSize(expected, { estimate }) {
  const isLarger = Math.abs(Math.log(estimate)) > Math.abs(Math.log(expected));
  return isLarger ? 'the effect is larger than claimed' : 'the effect is smaller than claimed';
}

/**
 * Commands for a shell, as the command line formats them.
 *
 * @typedef {object} ClaimCommands
 * @property {(question: Question) => string} compare asks this of a new comparison
 * @property {(claimIds: string[], minutes?: number) => string} reproduce measures these claims alone,
 *   again with the same seed, or for some minutes with another one
 */

/**
 * Collects what a run measured for a claim.
 *
 * @param {Claim} claim
 * @param {{ verdict: Verdict, manifest: Manifest, question: Question }} run
 * @param {ClaimCommands} commands
 * @returns {ClaimEvidence}
 */
export function gatherEvidence(claim, { verdict, manifest, question }, commands) {
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
    failure: describeShortfall(verdict),
    remedies: {
      compare: (changes) =>
        commands.compare({
          ...question,
          ...changes,
          cells: cells.filter(({ id }) => id === cellId),
        }),
      reproduce: (minutes) => commands.reproduce([claim.id], minutes),
    },
  };
}

/**
 * @param {Claim} claim
 * @param {Verdict['differences']} differences that the gate found
 * @param {Cell[]} cells
 * @returns {boolean} whether none is on the cell of the claim
 */
export function isSameOutput(claim, differences, cells) {
  const cellId = findCellId(claim, cells);
  return differences.every((difference) => difference.cellId !== cellId);
}

/**
 * @param {Verdict} verdict
 * @returns {string | null} the failure of the worker, or that the time ran out
 */
function describeShortfall({ failedJobs, ended }) {
  const lost = failedJobs.find(({ measured }) => !measured);
  if (lost !== undefined) return `${lost.jobId}: ${lost.failure.detail}`;
  return ended === 'budget' ? 'the time ran out first; use a longer --budget' : null;
}

/** @type {(claim: Claim, cells: Cell[]) => string} */
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
  const measured = memory?.corpora.find((one) => one.corpus === corpus);
  if (figure.of === 'document') {
    return measured?.metrics.find(({ name }) => name === 'retained') ?? null;
  }
  return measured?.groups.find(({ name }) => name === figure.of)?.metric ?? null;
}

/** @typedef {Pick<ClaimResult, 'verdict' | 'reason'>} Judgement */

/**
 * @param {ClaimResult['verdict']} verdict
 * @param {string | null} reason without a full stop
 * @returns {Judgement}
 */
function result(verdict, reason) {
  return { verdict, reason };
}

/** The maximum of `--processes`. */
const LARGEST_NUMBER = 10_000;
/** Baseline, candidate and control. */
const ARM_COUNT = 3;

/**
 * @param {Claim} claim
 * @param {ClaimEvidence & { cell: CellComparison }} evidence
 * @param {boolean} [isDifference] whether the reported ratio is other than 1
 * @returns {string} how many processes, about how long, and with which command
 */
function requiredProcesses(claim, { cell, processMs, remedies }, isDifference = true) {
  const seen = cell.processes.candidate;
  const needed = estimateNeed(claim, cell, isDifference);
  if (needed === null)
    return `${countOf(seen, 'process', 'processes')} per arm are not enough, and no number would be`;
  const totalMs = processMs === null ? null : needed * ARM_COUNT * processMs;
  const time = totalMs === null ? '' : ` (${formatDuration(totalMs)})`;
  const command =
    remedies === null ? '' : `: ${chooseRemedy(claim, { cell, needed, totalMs }, remedies)}`;
  return `${countOf(seen, 'process', 'processes')} per arm are not enough, about ${needed} would be${time}${command}`;
}

/**
 * Processes per arm after which the interval would be narrow enough if the estimate stays the same. The
 * width of an interval is proportional to the inverse square root of the number of processes.
 *
 * @param {Claim} claim
 * @param {CellComparison} cell
 * @param {boolean} isDifference
 * @returns {number | null} null where no number would be enough
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
 * The largest half-width of an interval that would settle the claim. For a difference the interval must
 * exclude 1, and either exclude the band of the claim or be no wider than it; or it excludes the band only.
 * For a claim of no difference only the edge of the band counts.
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
 * If the cell was settled for `compare`, or more processes are needed than a reproduction measures, the
 * remedy is a comparison with a minimum effect of interest below the claimed effect.
 *
 * @param {Claim} claim
 * @param {{ cell: CellComparison, needed: number, totalMs: number | null }} need
 * @param {Remedies} remedies
 * @returns {string} a command
 */
function chooseRemedy(claim, { cell, needed, totalMs }, remedies) {
  const isSettled = isDecided(cell.verdict);
  const most = chooseMostProcesses([claim]);
  if (!isSettled && needed <= most && totalMs !== null) {
    return remedies.reproduce(Math.ceil((totalMs * 1.2) / 60_000));
  }
  const expected = findExpectedRatio(claim.figure);
  const isSmall = isSettled || hasSmallDifference([claim]);
  return remedies.compare({
    looks: [Math.max(needed, most)],
    minimumEffect:
      expected === null || !isSmall
        ? USUAL_MINIMUM_EFFECT
        : Math.max(0.005, Math.round(Math.abs(expected - 1) * 500) / 1000),
  });
}
