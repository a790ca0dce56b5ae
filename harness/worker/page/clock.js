/// <reference lib="dom" />
/** Replaces `harness/worker/clock.js` in a page. */

import { askJson } from './ask.js';

/** Milliseconds of a monotonic clock. */
export const nowMs = performance.now.bind(performance);

/** Of the page alone: nothing outside of it records its work. @returns {number} milliseconds */
export function monotonicMs() {
  return nowMs();
}

/** Readings that show the step of the clock. */
const READINGS = 100;

/** Browsers make their clock coarse, to protect secrets of other sites. */
export const clockStepMs = findStepMs();

function findStepMs() {
  let stepMs = Infinity;
  let lastMs = nowMs();
  for (let seen = 0; seen < READINGS;) {
    const ms = nowMs();
    if (ms === lastMs) continue;
    stepMs = Math.min(stepMs, ms - lastMs);
    lastMs = ms;
    seen++;
  }
  // Multiples of a step that is no binary fraction differ in their last digits.
  return Number(stepMs.toPrecision(3));
}

/**
 * CPU time of all threads of the process of the page, context switches of its main thread.
 *
 * @returns {Pick<NodeJS.ResourceUsage, 'userCPUTime' | 'systemCPUTime' | 'voluntaryContextSwitches' | 'involuntaryContextSwitches' | 'maxRSS'>}
 */
export function readResourceUsage() {
  return askJson('usage');
}

/** @returns {NodeJS.CpuUsage} of all threads of the process of the page, in microseconds */
export function readCpuUsage() {
  const { userCPUTime: user, systemCPUTime: system } = readResourceUsage();
  return { user, system };
}
