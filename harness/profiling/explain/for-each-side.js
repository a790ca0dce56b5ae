/** @import { Side } from './types.ts' */

/**
 * @template Value
 * @param {(side: Side) => Value} make
 * @returns {Record<Side, Value>} what it makes of the baseline and of the candidate
 */
export function forEachSide(make) {
  return { baseline: make('baseline'), candidate: make('candidate') };
}
