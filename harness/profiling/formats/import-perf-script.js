import { buildProfile } from '../profiles/build-profile.js';
import { describePerfFrame } from './describe-perf-frame.js';
import { describeProgramFrame } from './describe-program-frame.js';
import { matchLoopFrame } from '../profiles/match-loop-frame.js';
import { mendStacks } from './mend-stacks.js';
import { findMeasuredThread, readPerfSamples, refusePerfScript } from './read-perf-samples.js';

/** @import { Frame, Profile } from '../../formats/profile-types.ts' */

const NS_PER_SECOND = 1e9;
/** A program does nothing but the loop in the window. */
const MIN_LOOP_SHARE = 0.5;
const NO_SCRIPT = 'no sample in the window has a function of JavaScript';
const NO_LOOP_REMEDY =
  "see that the family's worker.js names its loop as perf script prints it, and that the program " +
  'keeps frame pointers, symbols and that function as one of its own, and is warm in the window';

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
 * @param {string | null} [settings.buildPath] absolute path of what the family built
 * @param {string[] | null} [settings.loop] names of the measured loop of a program of the family's
 *   own; null for node
 * @returns {Profile & { otherThreadsNs: number }} `otherThreadsNs`: what threads that run no
 *   JavaScript, or not the loop, did in the window, such as concurrent marking and compiling
 * @throws {import('../../lib/errors.js').FormatError} when it has no sample of JavaScript, or few of the loop, in the window
 */
export function importPerfScript(
  text,
  { window, frequencyHz, projectPath, buildPath = null, loop = null },
) {
  const builder = buildProfile({ source: 'perf', unit: 'ns' });
  /** @type {Set<number>} */
  const measured = new Set();
  /** @type {Set<number>} */
  const nameless = new Set();
  const collection = builder.addFrame(COLLECTION);
  const isMeasured = loop === null ? isScript : matchLoopFrame(loop);

  const samples = readPerfSamples(text, window, function addFrame(symbol, object) {
    if (COLLECTOR.test(symbol)) return collection;
    const described =
      loop === null
        ? describePerfFrame(symbol, object, projectPath, buildPath)
        : describeProgramFrame(symbol, object, projectPath, buildPath);
    const frame = builder.addFrame(described);
    if (isMeasured(described)) measured.add(frame);
    if (described.name === '(unknown)') nameless.add(frame);
    return frame;
  });
  const thread = findMeasuredThread(samples, measured);
  if (thread === null) throw loop === null ? refusePerfScript(NO_SCRIPT) : refuseLoop(loop, 0);
  const sampleNs = NS_PER_SECOND / frequencyHz;
  const ofThread = samples.filter((sample) => sample.thread === thread);
  const recorded = ofThread.map(({ stack }) => stack);
  const stacks = loop === null ? recorded : mendStacks(recorded, measured, nameless);
  if (loop !== null) requireLoop(loop, stacks, measured);
  for (const stack of stacks) {
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

/** @param {Frame} frame */
function isScript({ kind }) {
  return kind === 'js';
}

/**
 * @param {string[]} loop
 * @param {number[][]} stacks of the thread that runs it
 * @param {Set<number>} measured frames of the loop
 * @throws {import('../../lib/errors.js').FormatError} when so few have it that they do not stand for what was
 *   measured
 */
function requireLoop(loop, stacks, measured) {
  const found = stacks.filter((stack) => stack.some((frame) => measured.has(frame))).length;
  if (found < MIN_LOOP_SHARE * stacks.length) throw refuseLoop(loop, found / stacks.length);
}

/**
 * @param {string[]} loop
 * @param {number} share of the samples that have it
 */
function refuseLoop(loop, share) {
  const found =
    share === 0
      ? 'no sample in the window has'
      : `only ${(100 * share).toFixed(0)} % of the samples in the window have`;
  return refusePerfScript(`${found} the measured loop (${loop.join(', ')})`, NO_LOOP_REMEDY);
}
