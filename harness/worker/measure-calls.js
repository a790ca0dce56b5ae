/** Percentiles of the times of single calls, and of pauses of the garbage collector. */

import { toPrecision, unbind } from './bound.js';
import { clockStepMs, nowMs } from './clock.js';

/** @import { CallTimes, Operation, PauseTimes } from '../formats/types.ts' */
/** @import { Collection } from './watch-collections.js' */

// Taken before a variant is loaded, which could replace them.
const { ceil, max } = Math;
const Numbers = Float64Array;
const toNumber = Number;
const part = unbind(Numbers.prototype.subarray);
const sortNumbers = unbind(Numbers.prototype.sort);

/** Length of the loop. */
export const LOOP_MS = 20;
/** Most timings that it keeps; at a step of the clock of 10 ns it is over before. */
export const MAX_TIMINGS = 20_000;
/** Least length of a timing in steps of the clock; shorter calls are timed in groups. */
export const MIN_STEPS = 100;
/** Fewest figures that have a 99th percentile besides their largest. */
export const MIN_TAIL = 100;
/** Of a pass that the clock did not see. */
const LEAST_MS = 1e-6;
/** Readings of the clock that tell its step. */
const READINGS = 200;

/**
 * Times single calls for a short while, back to back. It is for after the batches, which it must not disturb.
 *
 * @template State
 * @param {Operation<State>} operation
 * @param {State} state
 * @param {{ documents: number, passMs: number }} loop `documents`: in one pass; `passMs`: its usual time
 * @returns {CallTimes}
 */
export function timeCalls(operation, state, { documents, passMs }) {
  const stepMs = findStepMs();
  const passes = max(1, ceil((MIN_STEPS * stepMs) / max(passMs, LEAST_MS)));
  const timings = new Numbers(MAX_TIMINGS);
  let count = 0;
  let last = nowMs();
  const endMs = last + LOOP_MS;
  while (count < MAX_TIMINGS && last < endMs) {
    operation.run(state, passes);
    const now = nowMs();
    timings[count++] = now - last;
    last = now;
  }
  const each = passes * documents;
  return { timings: count, documents: each, ...takePercentiles(timings, count, each) };
}

/** @returns {number} smallest difference of two readings of the clock that differ, in milliseconds */
export function findStepMs() {
  let step = Infinity;
  let last = nowMs();
  for (let reading = 0; reading < READINGS; reading++) {
    const now = nowMs();
    if (now > last && now - last < step) step = now - last;
    last = now;
  }
  return max(clockStepMs, step === Infinity ? 0 : step);
}

/**
 * @param {Collection[]} collected
 * @returns {PauseTimes} of each collection
 */
export function describePauses(collected) {
  const { length } = collected;
  const durations = new Numbers(length);
  // Without methods of arrays, which a variant could replace.
  for (let index = 0; index < length; index++) durations[index] = collected[index].duration;
  return length === 0
    ? { pauses: 0 }
    : { pauses: length, ...takePercentiles(durations, length, 1) };
}

/**
 * @param {Float64Array} timings milliseconds, of which the first `count` are taken; sorted afterwards
 * @param {number} count at least 1
 * @param {number} documents in each
 * @returns {Pick<CallTimes, 'p50Ns' | 'p99Ns' | 'maxNs'>} the smallest figure that so many of a hundred do not exceed
 */
export function takePercentiles(timings, count, documents) {
  const sorted = sortNumbers(part(timings, 0, count));
  /** @param {number} share */
  const at = (share) =>
    toNumber(toPrecision((sorted[max(0, ceil(share * count) - 1)] * 1e6) / documents, 5));
  return {
    p50Ns: at(0.5),
    ...(count < MIN_TAIL ? {} : { p99Ns: at(0.99) }),
    maxNs: at(1),
  };
}
