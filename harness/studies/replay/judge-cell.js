/** @import { RatioInterval, VerdictWord } from '../../formats/types.ts' */

/**
 * What was found of a cell: in the report, or here.
 *
 * @typedef {{ verdict: VerdictWord, ratio: RatioInterval | null }} CellFinding
 */

/** @typedef {'reproduced' | 'direction-only' | 'not-reproduced' | 'inconclusive'} CellAnswer */

/**
 * Holds what a report says of a cell against what was measured here (decision 0012 has the rule).
 *
 * @param {CellFinding} recorded
 * @param {CellFinding} here
 * @param {number} minimumEffect as a share
 * @returns {{ answer: CellAnswer, reason: string | null }}
 */
export function judgeCell(recorded, here, minimumEffect) {
  const gate = judgeGate(recorded, here) ?? judgeTrust(recorded, here);
  if (gate !== null) return gate;
  const [then, now] = [recorded.ratio, here.ratio];
  if (then === null || now === null) {
    const whose = then === null ? 'the report has' : 'there is';
    return { answer: 'inconclusive', reason: `${whose} no figure` };
  }
  const isMet = now.low <= then.high && now.high >= then.low;
  const isSame = here.verdict === recorded.verdict;
  if (isDirection(recorded) && isDirection(here)) {
    if (!isSame) return { answer: 'not-reproduced', reason: `it is ${here.verdict} here` };
    return isMet
      ? { answer: 'reproduced', reason: null }
      : { answer: 'direction-only', reason: tellSize(then, now) };
  }
  // A report that settles nothing can be contradicted, but there is nothing to reproduce.
  const isSettled = recorded.verdict !== 'inconclusive';
  const isEquivalent = isSame && here.verdict === 'equivalent';
  if (isSettled && (isEquivalent || isWithin(now, then, minimumEffect))) {
    return { answer: 'reproduced', reason: null };
  }
  if (!isMet) return { answer: 'not-reproduced', reason: 'the intervals do not meet' };
  if (!isSettled) return { answer: 'inconclusive', reason: 'the report does not settle it' };
  if (here.verdict === 'inconclusive') return { answer: 'inconclusive', reason: null };
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
  if (then && now) return { answer: 'reproduced', reason: 'a side does not pass the gate' };
  return {
    answer: 'not-reproduced',
    reason: now ? 'a side does not pass the gate here' : 'both sides pass the gate here',
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
  return { answer: 'inconclusive', reason: 'the report itself does not trust its figure' };
}

/** @param {CellFinding} finding */
function isDirection({ verdict }) {
  return verdict === 'faster' || verdict === 'slower';
}

/**
 * @param {RatioInterval} inner
 * @param {RatioInterval} outer
 * @param {number} minimumEffect by which the outer one is widened
 */
function isWithin(inner, outer, minimumEffect) {
  const factor = 1 + minimumEffect;
  return inner.low >= outer.low / factor && inner.high <= outer.high * factor;
}

/**
 * @param {RatioInterval} then
 * @param {RatioInterval} now
 */
function tellSize(then, now) {
  const isMore = Math.abs(Math.log(now.estimate)) > Math.abs(Math.log(then.estimate));
  return isMore ? 'more of it here' : 'less of it here';
}
