import { findExpectedRatio } from './expected-ratio.js';

/** @import { CellComparison, Claim, ClaimResult, ContractRow, MemoryMetric, RatioInterval } from '../types.ts' */

/**
 * What was measured of a claim; null where it was not.
 *
 * @typedef {object} ClaimEvidence
 * @property {CellComparison | null} cell
 * @property {MemoryMetric | null} retained
 * @property {ContractRow[] | null} contract of the candidate
 * @property {boolean | null} isSameOutput whether both sides passed the gate
 * @property {number} minimumEffect
 */

/** @typedef {Pick<ClaimResult, 'verdict' | 'reason'>} Judgement */

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
      return judgeDirection(figure.direction, evidence);
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
 * @param {import('../types.ts').ClaimDirection} direction
 * @param {ClaimEvidence} evidence
 * @returns {Judgement}
 */
function judgeDirection(direction, { cell, minimumEffect }) {
  const doubt = findDoubt(cell);
  if (cell === null || doubt !== null) return say('inconclusive', doubt ?? 'it was not measured');
  const { verdict, effect } = cell;
  if (direction === 'not-slower') {
    const isBelow = effect !== null && effect.ratio.high < 1 + minimumEffect;
    if (verdict === 'faster' || verdict === 'equivalent' || isBelow) return say('reproduced', null);
  }
  const wanted = direction === 'same' ? 'equivalent' : direction;
  if (verdict === wanted) return say('reproduced', null);
  if (verdict === 'inconclusive') return say('inconclusive', tellNeed(cell));
  return say('not-reproduced', `it is ${verdict} here`);
}

/**
 * Reproduced: the interval meets the reported ratio within its tolerance, and, where a difference was
 * reported, it excludes that there is none.
 *
 * @param {Claim} claim
 * @param {ClaimEvidence} evidence
 * @param {RatioInterval | null} measured
 * @returns {Judgement}
 */
function judgeRatio({ figure, tolerance }, { cell, minimumEffect }, measured) {
  const isTime = figure.formula !== 'retained-bytes';
  const doubt = isTime ? findDoubt(cell) : null;
  if (measured === null || doubt !== null) {
    return say('inconclusive', doubt ?? 'there is no figure');
  }
  const expected = /** @type {number} */ (findExpectedRatio(figure));
  const band = { low: expected / tolerance, high: expected * tolerance };
  const isMet = measured.low <= band.high && measured.high >= band.low;
  const isWithin = measured.low >= band.low && measured.high <= band.high;
  const isNothing = Math.abs(Math.log(expected)) < Math.log1p(minimumEffect) / 2;
  const hasNone = measured.low <= 1 && measured.high >= 1;
  const need = cell === null ? null : tellNeed(cell);
  const isOpposite = !isNothing && !hasNone && expected > 1 !== measured.estimate > 1;
  if (isOpposite) return say('not-reproduced', tellOther(measured));
  if (isWithin) return say('reproduced', null);
  if (isNothing) {
    return isMet ? say('inconclusive', need) : say('not-reproduced', tellOther(measured));
  }
  if (isMet) return hasNone ? say('inconclusive', need) : say('reproduced', null);
  if (hasNone) return say('not-reproduced', 'there may be no difference here');
  return say('direction-only', tellSize(expected, measured));
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

/** @param {CellComparison} cell */
function tellNeed({ processesNeeded, processes }) {
  if (processesNeeded === null) return `${processes.candidate} processes a side do not settle it`;
  return `about ${processesNeeded} processes a side would settle it; there were ${processes.candidate}`;
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
  return isLarger ? 'far more of it' : 'less of it';
}

/**
 * @param {ClaimResult['verdict']} verdict
 * @param {string | null} reason
 * @returns {Judgement}
 */
function say(verdict, reason) {
  return { verdict, reason };
}
