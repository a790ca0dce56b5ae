/** @import { TextSink } from '../cli/cli.js' */

/**
 * @typedef {object} Progress
 * @property {string} step what is being done: `serialize flat · block 4 of 6`
 * @property {number} [secondsLeft] NaN if unknown
 * @property {boolean} [isUpperBound] whether it takes at most so long, rather than about so long
 */

/** Drawing takes time of the cores that are measured on, so a terminal is updated this seldom. */
const TERMINAL_INTERVAL_MS = 1_000;
/** In a log the lines remain, so they are few. */
const LOG_INTERVAL_MS = 10_000;

/**
 * Returns a function that shows progress: one line that is overwritten on a terminal, plain lines
 * elsewhere.
 * @type {(sink: TextSink, nowMs: () => number) => (progress: Progress) => void}
 */
export function makeProgressPrinter(sink, nowMs) {
  const intervalMs = sink.isTTY === true ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS;
  let lastMs = -Infinity;
  return function printProgress(progress) {
    if (nowMs() - lastMs < intervalMs) return;
    lastMs = nowMs();
    const line = formatProgress(progress);
    if (sink.isTTY === true) sink.write(`\r${line.slice(0, (sink.columns ?? 80) - 1)}\x1b[K`);
    else sink.write(`${line}\n`);
  };
}

/**
 * Removes the line from a terminal before the report is printed.
 *
 * @param {TextSink} sink
 */
export function clearProgress(sink) {
  if (sink.isTTY === true) sink.write('\r\x1b[K');
}

/**
 * @param {Progress} progress
 * @returns {string} `serialize flat · block 4 of 6 · at most 3 min 20 s left`
 */
function formatProgress({ step, secondsLeft = NaN, isUpperBound = false }) {
  if (!Number.isFinite(secondsLeft)) return step;
  const whole = Math.ceil(secondsLeft);
  const time = whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${step} · ${isUpperBound ? 'at most' : 'about'} ${time} left`;
}
