/** @import { TextSink } from '../cli/cli.js' */
/** @import { LayoutProgress } from './measure-layouts.js' */
/** @import { MemoryProgress } from './measure-memory.js' */
/** @import { Progress } from './timing.js' */
/** @import { ProfileProgress } from './record-profiles.js' */

/** @typedef {{ step: string }} StepProgress what is being done, in words */
/** @typedef {Progress | MemoryProgress | ProfileProgress | LayoutProgress | StepProgress} AnyProgress */

/** A terminal that draws would share the cores with what is timed, so it draws this seldom. */
const TERMINAL_INTERVAL_MS = 1_000;
/** In a log, where lines stay, seldom enough to be read. */
const LOG_INTERVAL_MS = 10_000;

/**
 * Makes the function that shows how far a run is: one line that is overwritten on a terminal, plain
 * lines elsewhere.
 *
 * @param {TextSink} sink
 * @param {() => number} nowMs
 * @returns {(progress: AnyProgress) => void}
 */
export function makeProgressPrinter(sink, nowMs) {
  const intervalMs = sink.isTTY === true ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS;
  let lastMs = -Infinity;
  return function printProgress(progress) {
    if (nowMs() - lastMs < intervalMs) return;
    lastMs = nowMs();
    const line = formatAnyProgress(progress);
    if (sink.isTTY === true) sink.write(`\r${line.slice(0, (sink.columns ?? 80) - 1)}\x1b[K`);
    else sink.write(`${line}\n`);
  };
}

/**
 * Removes the line from a terminal before the report comes.
 *
 * @param {TextSink} sink
 */
export function clearProgress(sink) {
  if (sink.isTTY === true) sink.write('\r\x1b[K');
}

/**
 * @param {AnyProgress} progress
 * @returns {string}
 */
function formatAnyProgress(progress) {
  if ('step' in progress) return progress.step;
  if ('job' in progress) return formatMemoryProgress(progress);
  if ('profileJob' in progress) return formatProfileProgress(progress);
  if ('layoutJob' in progress) return formatLayoutProgress(progress);
  return formatProgress(progress);
}

/**
 * @param {Progress} progress
 * @returns {string} `serialize flat · block 4 of 6 · ×2.21 [2.15, 2.27] · at most 3 min 20 s left`
 */
function formatProgress({ cellId, block, blockCount, latest, worstSecondsLeft }) {
  const parts = [cellId, `block ${block} of ${blockCount}`];
  const ratio = latest?.effect?.ratio;
  if (ratio != null) {
    const [estimate, low, high] = [ratio.estimate, ratio.low, ratio.high].map((x) => x.toFixed(3));
    parts.push(`×${estimate} [${low}, ${high}]`);
  }
  if (Number.isFinite(worstSecondsLeft))
    parts.push(`at most ${formatSeconds(worstSecondsLeft)} left`);
  return parts.join(' · ');
}

/**
 * @param {MemoryProgress} progress
 * @returns {string} `memory · allocation/serialize flat/0/baseline · job 4 of 57 · about 50 s left`
 */
function formatMemoryProgress({ job, done, total, secondsLeft }) {
  return [`memory · ${job.id}`, `job ${done + 1} of ${total}`, ...tellLeft(secondsLeft)].join(
    ' · ',
  );
}

/**
 * @param {ProfileProgress} progress
 * @returns {string} `profile · perf/serialize flat/0/baseline · job 4 of 57`
 */
function formatProfileProgress({ profileJob, done, total }) {
  return `profile · ${profileJob.id} · job ${done + 1} of ${total}`;
}

/**
 * @param {LayoutProgress} progress
 * @returns {string} `code placement · deserialize deep · job 4 of 120 · about 30 s left`
 */
function formatLayoutProgress({ layoutJob, done, total, secondsLeft }) {
  const parts = [
    'code placement',
    layoutJob.cellId,
    `job ${done + 1} of ${total}`,
    ...tellLeft(secondsLeft),
  ];
  return parts.join(' · ');
}

/**
 * @param {number} seconds NaN where not known
 * @returns {string[]} `about 30 s left`, or nothing
 */
function tellLeft(seconds) {
  return Number.isFinite(seconds) ? [`about ${formatSeconds(seconds)} left`] : [];
}

/** @param {number} seconds */
function formatSeconds(seconds) {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
