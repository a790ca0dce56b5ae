/** @import { PassContext } from '../pass.js' */

/**
 * The parts of a pass's context that are the same in most tests: a clock that stands still, no budget, no
 * interrupt. Used by tests only.
 *
 * @template O
 * @returns {Pick<PassContext<O>, 'observations' | 'append' | 'onProgress' | 'clock' | 'untilMs' | 'signal'>}
 */
export function makeContext() {
  return {
    observations: [],
    append: () => undefined,
    onProgress: () => undefined,
    clock: { elapsedMs: () => 7, sessionMs: () => 0 },
    untilMs: Infinity,
    signal: new AbortController().signal,
  };
}
