import { WARM } from './warm.js';

/** @import { Figure } from '../figure.js' */

/**
 * Time per document of warm asynchronous calls, with their waits. Their timers and the threads of Node's pool give another
 * figure on a single core, so jobs do not run in pairs.
 *
 * @param {number} concurrency calls in flight
 * @returns {Figure}
 */
export function ofAwaitedCalls(concurrency) {
  return {
    ...WARM,
    kind: 'awaited',
    fields: { concurrency },
    idSuffix: concurrency === 1 ? [] : ['concurrency', String(concurrency)],
    canPair: false,
    hasResources: true,
  };
}
