import { findExpectedRatio } from '../../stats/expected-ratio.js';
import { judgeDirection, judgeRatio } from './judge-measured.js';
import { say } from './say-verdict.js';

/** @import { CellComparison, Claim, ClaimResult, ContractRow, MemoryMetric, RatioInterval } from '../../formats/types.ts' */
/** @import { Judgement } from './say-verdict.js' */

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
