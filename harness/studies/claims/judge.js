import { describeFailure } from '../../lib/failures.js';
import { countOf, formatDuration } from '../../lib/numbers.js';
import { judgePlace, locateInterval, processesToLeaveEdge } from '../../stats/band.js';
import { findExpectedRatio } from '../../stats/means.js';
import { countJobs } from '../../stats/plan.js';
import { toMemoryWord } from '../../stats/verdicts.js';
import { chooseMostProcesses, readStatement } from './claims.js';

/** @import { Cell, CellComparison, Claim, ClaimResult, ContractRow, Manifest, MemoryMetric, MemoryVerdict, MemoryWord, Question, RatioBand, RatioInterval, Verdict, VerdictWord } from '../../formats/types.ts' */
/** @import { Finding } from '../../stats/band.js' */
/** @import { Statement } from './claims.js' */

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
 * @property {(changes: Pick<Question, 'looks'>) => string} compare
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
  const { figure, cannotRun } = claim;
  if (cannotRun !== undefined) return result('cannot-run', cannotRun);
  if (figure.formula === 'same-output') return judgeOutput(evidence);
  if (figure.formula === 'contract-breaks') return judgeBreaks(figure.rows, evidence);
  const statement = readStatement(claim, evidence.minimumEffect);
  return statement === null
    ? judgeContract(evidence)
    : judgeRatio(statement, evidence, { claim, measured });
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
 * Judges a claimed ratio or direction: it is reproduced if the whole interval lies inside the band of the claim
 * and, where a difference is claimed, the verdict has its direction.
 *
 * @param {Statement} statement
 * @param {ClaimEvidence} evidence
 * @param {{ claim: Claim, measured: RatioInterval | null }} of
 * @returns {Judgement}
 */
function judgeRatio({ band, finding }, evidence, { claim, measured }) {
  const isTime = claim.figure.formula !== 'retained-bytes';
  const verdict = (isTime ? evidence.cell : evidence.retained)?.verdict;
  const doubt = verdict === undefined ? null : DOUBTS[verdict];
  if (measured === null || verdict === undefined || doubt != null) {
    return result('inconclusive', doubt ?? evidence.failure ?? 'not measured');
  }
  const place = locateInterval(measured, band);
  const hasDirection = finding !== 'same' && verdict === (isTime ? finding : toMemoryWord(finding));
  const word = judgePlace(place, { hasDirection, agrees: hasDirection || finding === 'same' });
  switch (word) {
    case 'reproduced':
      return result(word, null);
    case 'direction-only':
      return result(word, describeSize(measured, band));
    case 'not-reproduced':
      return result(word, describeOther(verdict, finding));
    default:
      return result(word, describeNeed(claim, evidence, place === 'across' ? band : null));
  }
}

/** Why a result cannot be used. @type {Partial<Record<VerdictWord | MemoryWord, string>>} */
const DOUBTS = {
  refused: 'refused: an arm fails the correctness gate',
  untrusted: 'the control differs from the baseline',
};

/**
 * @param {VerdictWord | MemoryWord} verdict
 * @param {Finding} finding that is claimed
 */
function describeOther(verdict, finding) {
  const isOther = verdict !== 'inconclusive' && !(verdict === 'equivalent' && finding === 'same');
  return isOther ? `it is ${verdict} here` : 'the interval excludes the claim';
}

/**
 * @param {RatioInterval} measured
 * @param {RatioBand} band on the same side of 1
 */
function describeSize({ estimate }, { low }) {
  const isLarger = estimate > 1 === estimate > low;
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
  if (lost !== undefined) return `${lost.jobId}: ${describeFailure(lost.failure)}`;
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

/**
 * What would settle a claim.
 *
 * @param {Claim} claim
 * @param {ClaimEvidence} evidence
 * @param {RatioBand | null} band whose edge the interval contains; null if only the verdict is open
 * @returns {string} how many processes, about how long, and with which command
 */
function describeNeed(claim, { cell, processMs, remedies }, band) {
  if (cell?.effect == null) return 'the interval is too wide';
  const { effect, placement, processes, processesNeeded } = cell;
  if (band === null && placement !== undefined && processesNeeded === null) {
    return 'other placements of the same code do not show the difference';
  }
  const seen = processes.candidate;
  const needed = band === null ? processesNeeded : processesToLeaveEdge(effect.ratio, band, seen);
  const enough = `${countOf(seen, 'process', 'processes')} per variant are not enough`;
  if (needed === null) return `${enough}, and no number would be`;
  const totalMs = processMs === null ? null : countJobs(needed) * processMs;
  const time = totalMs === null ? '' : ` (${formatDuration(totalMs)})`;
  const command =
    remedies === null
      ? ''
      : `: ${chooseRemedy(needed, totalMs, chooseMostProcesses([claim]), remedies)}`;
  return `${enough}, about ${needed} would be${time}${command}`;
}

/**
 * A longer reproduction, or a comparison with one look if more processes are needed than a reproduction
 * measures.
 *
 * @param {number} needed processes per variant
 * @param {number | null} totalMs
 * @param {number} most processes per variant that a reproduction measures
 * @param {Remedies} remedies
 * @returns {string} a command
 */
function chooseRemedy(needed, totalMs, most, { compare, reproduce }) {
  if (needed <= most && totalMs !== null) return reproduce(Math.ceil((totalMs * 1.2) / 60_000));
  return compare({ looks: [Math.max(needed, most)] });
}
