/** @import { ClaimResult } from '../../formats/types.ts' */

/** @typedef {Pick<ClaimResult, 'verdict' | 'reason'>} Judgement */

/**
 * @param {ClaimResult['verdict']} verdict
 * @param {string | null} reason what else there is to say; no full stop
 * @returns {Judgement}
 */
export function say(verdict, reason) {
  return { verdict, reason };
}
