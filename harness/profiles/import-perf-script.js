import { FormatError } from '../errors.js';
import { buildProfile } from './build-profile.js';
import { describePerfFrame } from './describe-perf-frame.js';

/** @import { Frame, Profile } from './types.ts' */

/**
 * @typedef {object} Sample
 * @property {string} thread
 * @property {number[]} stack frames, the innermost first
 */

/** `node 23514 22068.391351:`: command, thread, seconds. */
const HEADER = /^\s*\S.*?\s(\d+)\s+(?:\[\d+\]\s+)?(\d+\.\d+):/;
const FRAME = /^\s+[0-9a-f]+ (.*) \(([^()]*(?: \(deleted\))?)\)$/s;
const NS_PER_SECOND = 1e9;
const MS_PER_SECOND = 1000;

/** What V8's collector is made of, wherever on the stack. */
const COLLECTOR = new RegExp(
  'v8::internal::(?:Heap::(?:Collect|PerformGarbage|Scavenge|MarkCompact|MinorMark|' +
    'StartIncremental|FinalizeIncremental|IterateRoots)|Scaveng|RootScavenge|' +
    'MarkCompact|MinorMark|MinorGC|IncrementalMarking|ConcurrentMarking|MarkingVisitor|' +
    'MainMarkingVisitor|Sweeper|ArrayBufferSweeper|GCTracer|Evacuator)|' +
    'cppgc::internal::(?:Marker|Sweeper|HeapBase|GC)',
);

/** @type {Frame} */
const COLLECTION = {
  name: '(garbage collector)',
  kind: 'gc',
  file: null,
  line: null,
  column: null,
};

/**
 * Reads the text of `perf script -F comm,tid,time,ip,sym,dso --no-inline`, recorded with
 * `-k CLOCK_MONOTONIC` and named by `resolvePerfMap`. Weights are nanoseconds of CPU time of the
 * main thread, in the window. A sample within the collector counts as `(garbage collector)` at the
 * root, whoever asked for memory. Frames that perf could not name are `(unknown)`.
 *
 * @param {string} text
 * @param {object} settings
 * @param {{ startMs: number, endMs: number }} settings.window by the monotonic clock
 * @param {number} settings.frequencyHz samples in a second of CPU time
 * @param {string} settings.projectPath absolute; files below it are named from there
 * @returns {Profile & { otherThreadsNs: number }} `otherThreadsNs`: what threads that run no
 *   JavaScript did in the window, such as concurrent marking and compiling
 * @throws {FormatError} when it has no sample of JavaScript in the window
 */
export function importPerfScript(text, { window, frequencyHz, projectPath }) {
  const builder = buildProfile({ source: 'perf', unit: 'ns' });
  /** @type {Map<string, number>} */
  const frameOfLine = new Map();
  const isScript = new Set();
  const collection = builder.addFrame(COLLECTION);

  /** @param {string} line */
  function readFrame(line) {
    const [, symbol, object] = FRAME.exec(line) ?? [];
    if (symbol === undefined) {
      throw broken(`'${line.trim()}' is no frame`);
    }
    if (COLLECTOR.test(symbol)) return collection;
    const described = describePerfFrame(symbol, object, projectPath);
    const frame = builder.addFrame(described);
    if (described.kind === 'js') isScript.add(frame);
    return frame;
  }

  const samples = readSamples(text, window, function frameOf(line) {
    const known = frameOfLine.get(line);
    if (known !== undefined) return known;
    const frame = readFrame(line);
    frameOfLine.set(line, frame);
    return frame;
  });
  const thread = findMainThread(samples, isScript);
  const sampleNs = NS_PER_SECOND / frequencyHz;
  const ofThread = samples.filter((sample) => sample.thread === thread);
  for (const { stack } of ofThread) {
    const path = stack.includes(collection) ? [collection] : stack;
    let node = -1;
    for (let depth = path.length - 1; depth >= 0; depth--) {
      node = builder.addNode(node, path[depth]);
    }
    if (node !== -1) builder.addSelf(node, sampleNs);
  }
  const others = samples.length - ofThread.length;
  return { ...builder.finish(ofThread.length), otherThreadsNs: others * sampleNs };
}

/**
 * @param {string} text
 * @param {{ startMs: number, endMs: number }} window
 * @param {(line: string) => number} frameOf
 * @returns {Sample[]} those in the window
 */
function readSamples(text, { startMs, endMs }, frameOf) {
  const samples = [];
  /** @type {Sample | null} */
  let sample = null;
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    if (line.startsWith('\t')) {
      if (sample !== null) sample.stack.push(frameOf(line));
      continue;
    }
    const [, thread, seconds] = HEADER.exec(line) ?? [];
    if (thread === undefined) throw broken(`'${line.trim()}' begins no sample`);
    const timeMs = Number(seconds) * MS_PER_SECOND;
    const isInside = startMs <= timeMs && timeMs <= endMs;
    sample = isInside ? { thread, stack: [] } : null;
    if (sample !== null) samples.push(sample);
  }
  return samples;
}

/**
 * @param {Sample[]} samples
 * @param {Set<unknown>} isScript frames of JavaScript
 * @returns {string} the thread that has most of them
 */
function findMainThread(samples, isScript) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { thread, stack } of samples) {
    if (!stack.some((frame) => isScript.has(frame))) continue;
    counts.set(thread, (counts.get(thread) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  if (most === undefined) throw broken('no sample in the window has a function of JavaScript');
  return most[0];
}

/** @param {string} why */
function broken(why) {
  return new FormatError(`text of perf script that cannot be used: ${why}`, {
    remedy:
      'record with node --perf-basic-prof and perf record -g -k CLOCK_MONOTONIC, then print it ' +
      'with perf script -F comm,tid,time,ip,sym,dso --no-inline',
  });
}
