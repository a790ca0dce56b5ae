import { UsageError } from '../lib/errors.js';

/**
 * Refuses a promise: the time of an asynchronous function is that of making promises.
 *
 * @param {any} result
 * @param {string} what returned it
 */
export function requireDone(result, what) {
  if (typeof result?.then !== 'function') return;
  // Nobody waits for it.
  result.then(undefined, () => {});
  throw new UsageError(`${what} returns a promise, so its work cannot be timed`, {
    remedy: 'only an operation that measures itself (a method measure) may be asynchronous',
  });
}
