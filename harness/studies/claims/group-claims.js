/** @import { Claim } from '../../formats/types.ts' */

/**
 * Claims that one comparison settles.
 *
 * @typedef {object} ClaimGroup
 * @property {'time' | 'memory' | 'gate'} kind what has to be done for them; for the gate nothing is
 *   timed
 * @property {string} baseline
 * @property {string} candidate
 * @property {Claim[]} claims
 * @property {number | undefined} [processMs] of a timed job, where the family says so
 */

/**
 * Puts together what one comparison settles, so that no cell is measured twice. What the gate and the
 * contract settle goes with a comparison of the same sides where there is one.
 *
 * @param {Claim[]} claims
 * @returns {ClaimGroup[]} in the order of their first claims; claims that cannot be run are in none
 */
export function groupClaims(claims) {
  /** @type {Map<string, ClaimGroup>} */
  const groups = new Map();
  const runnable = claims.filter(({ cannotRun }) => cannotRun === undefined);
  const measured = new Set(
    runnable.filter(isMeasured).map((claim) => keyOf(claim, findKind(claim))),
  );
  for (const claim of runnable) {
    const { baseline, candidate } = claim;
    const kind = findKind(claim, measured);
    const key = keyOf(claim, kind);
    const group = groups.get(key) ?? { kind, baseline, candidate, claims: [] };
    groups.set(key, group);
    group.claims.push(claim);
  }
  return [...groups.values()];
}

/** @param {Claim} claim */
function isMeasured(claim) {
  return findKind(claim) !== 'gate';
}

/**
 * @param {Claim} claim
 * @param {Set<string>} [measured] keys of groups in which something is measured
 * @returns {ClaimGroup['kind']}
 */
function findKind(claim, measured = new Set()) {
  const { formula } = claim.figure;
  if (formula === 'retained-bytes') return 'memory';
  const isSettledByGate =
    formula === 'same-output' || formula === 'contract' || formula === 'contract-breaks';
  if (!isSettledByGate) return 'time';
  const hosts = /** @type {const} */ (['time', 'memory']);
  return hosts.find((kind) => measured.has(keyOf(claim, kind))) ?? 'gate';
}

/**
 * @param {Claim} claim
 * @param {ClaimGroup['kind']} kind
 */
function keyOf({ baseline, candidate }, kind) {
  return JSON.stringify([kind, baseline, candidate]);
}
