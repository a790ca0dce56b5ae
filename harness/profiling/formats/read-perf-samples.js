import { FormatError } from '../../lib/errors.js';

/**
 * @typedef {object} PerfSample
 * @property {string} thread
 * @property {number[]} stack frames, the innermost first
 */

/** `node 23514 22068.391351:`: command, thread, seconds. */
const HEADER = /^\s*\S.*?\s(\d+)\s+(?:\[\d+\]\s+)?(\d+\.\d+):/;
const FRAME = /^\s+[0-9a-f]+ (.*) \(([^()]*(?: \(deleted\))?)\)$/s;
const MS_PER_SECOND = 1000;

/**
 * Reads the text of `perf script -F comm,tid,time,ip,sym,dso --no-inline`.
 *
 * @param {string} text
 * @param {{ startMs: number, endMs: number }} window by the clock of the recording
 * @param {(symbol: string, object: string) => number} addFrame called once for each line that differs
 * @returns {PerfSample[]} those in the window
 * @throws {FormatError} when a line is neither the beginning of a sample nor a frame
 */
export function readPerfSamples(text, { startMs, endMs }, addFrame) {
  /** @type {Map<string, number>} */
  const frameOfLine = new Map();

  /** @param {string} line */
  function readFrame(line) {
    const known = frameOfLine.get(line);
    if (known !== undefined) return known;
    const [, symbol, object] = FRAME.exec(line) ?? [];
    if (symbol === undefined) throw refusePerfScript(`'${line.trim()}' is no frame`);
    const frame = addFrame(symbol, object);
    frameOfLine.set(line, frame);
    return frame;
  }

  const samples = [];
  /** @type {PerfSample | null} */
  let sample = null;
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    if (line.startsWith('\t')) {
      if (sample !== null) sample.stack.push(readFrame(line));
      continue;
    }
    const [, thread, seconds] = HEADER.exec(line) ?? [];
    if (thread === undefined) throw refusePerfScript(`'${line.trim()}' begins no sample`);
    const timeMs = Number(seconds) * MS_PER_SECOND;
    const isInside = startMs <= timeMs && timeMs <= endMs;
    sample = isInside ? { thread, stack: [] } : null;
    if (sample !== null) samples.push(sample);
  }
  return samples;
}

/**
 * @param {PerfSample[]} samples
 * @param {Set<number>} measured frames of which the measured thread has most
 * @returns {string | null} that thread; null where none has any
 */
export function findMeasuredThread(samples, measured) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { thread, stack } of samples) {
    if (!stack.some((frame) => measured.has(frame))) continue;
    counts.set(thread, (counts.get(thread) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? null;
}

/**
 * @param {string} why
 * @param {string} [remedy]
 * @returns {FormatError}
 */
export function refusePerfScript(
  why,
  remedy = 'record with node --perf-basic-prof and perf record -g -k CLOCK_MONOTONIC, then print it ' +
    'with perf script -F comm,tid,time,ip,sym,dso --no-inline',
) {
  return new FormatError(`text of perf script that cannot be used: ${why}`, { remedy });
}
