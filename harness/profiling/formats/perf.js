import { group } from 'd3-array';
import { FormatError } from '../../lib/errors.js';
import { buildProfile } from '../profiles/call-tree.js';
import { describeBy, matchLoopFrame } from '../profiles/frames.js';
import { readPerfData } from './perf-data.js';
import { makePerfFrame, makeProgramFrame } from './perf-symbols.js';

/** @import { Frame, Profile } from '../../formats/profile-types.ts' */
/** @import { FindInlined } from '../v8-log/log-reader.js' */
/** @import { Sources } from '../../formats/types.ts' */
/** @import { RecordedPlace } from './perf-data.js' */

const NS_PER_SECOND = 1e9;
/** A program runs nothing but the loop in the window. */
const MIN_LOOP_SHARE = 0.5;
const NO_SCRIPT = 'no sample in the window has a JavaScript function';
const NO_LOOP_REMEDY =
  "check that the family's worker.js has the name of the loop as printed by perf script, and that the " +
  'program keeps frame pointers and symbols, does not inline the loop, and is warm in the window';

/** Functions of V8's garbage collector, anywhere on the stack. */
const COLLECTOR = new RegExp(
  'v8::internal::(?:Heap::(?:Collect|PerformGarbage|Scavenge|MarkCompact|MinorMark|' +
    'StartIncremental|FinalizeIncremental|IterateRoots)|Scaveng|RootScavenge|' +
    'MarkCompact|MinorMark|MinorGC|IncrementalMarking|ConcurrentMarking|MarkingVisitor|' +
    'MainMarkingVisitor|Sweeper|ArrayBufferSweeper|GCTracer|Evacuator)|' +
    'cppgc::internal::(?:Marker|Sweeper|HeapBase|GC)',
);

/** What perf prints for code without a symbol. */
const UNKNOWN = '[unknown]';
const NO_PLACE = { file: null, line: null, column: null };
/** @type {Frame} */
const COLLECTION = { name: '(garbage collector)', kind: 'gc', ...NO_PLACE };

/**
 * How the samples of a recording become a profile.
 *
 * @typedef {object} ImportSettings
 * @property {{ startMs: number, endMs: number }} window by the monotonic clock
 * @property {number} frequencyHz samples per second of CPU time
 * @property {Sources['describe']} describe
 * @property {string | null} [buildPath] absolute path of the family's build
 * @property {string[] | null} [loop] names of the measured loop of the family's own program; null for node
 *
 * @typedef {Profile & { otherThreadsNs: number }} PerfProfile `otherThreadsNs`: time of other threads in the window,
 *   such as concurrent marking and compilation
 */

/**
 * Imports the output of `perf script -F comm,tid,time,ip,sym,dso --no-inline`, recorded with
 * `-k CLOCK_MONOTONIC` and processed by `resolvePerfMap`. Weights are nanoseconds of CPU time of the
 * measured thread in the window. Samples in the garbage collector count as `(garbage collector)` at the
 * root, whatever triggered it. Frames without a symbol are `(unknown)`.
 *
 * @param {string} text
 * @param {ImportSettings} settings
 * @returns {PerfProfile}
 * @throws {import('../../lib/errors.js').FormatError} when the window has no samples of JavaScript, or few of the loop
 */
export function importPerfScript(text, settings) {
  const { startMs, endMs } = settings.window;
  return importSamples(settings, (addFrame) =>
    readPerfSamples(text, {
      isInside: (timeMs) => startMs <= timeMs && timeMs <= endMs,
      addFrame,
      onStrange(line, expected) {
        throw refusePerfScript(`'${line.trim()}' is not ${expected}`);
      },
    }),
  );
}

/**
 * Imports a recording of node, as `importPerfScript` does what perf prints of it. The names of its code are looked up here,
 * because perf reads and sorts the hundred thousand symbols of node anew for every recording.
 *
 * @param {Buffer} file `perf.data`, recorded with `-k CLOCK_MONOTONIC`
 * @param {ImportSettings} settings
 * @param {object} names
 * @param {string} names.map the perf map of the process
 * @param {FindInlined} names.findInlined
 * @param {(object: string, offset: number) => string | null} names.findSymbol of a program or library
 * @returns {PerfProfile}
 * @throws {import('../../lib/errors.js').FormatError} as `importPerfScript`, and when `file` is no such recording
 */
export function importPerfData(file, settings, { map, findInlined, findSymbol }) {
  const listGenerated = openPerfMap(map, findInlined);
  /** @type {(place: RecordedPlace, isInnermost: boolean) => string[]} the innermost function first */
  function listNames({ object, address, offset }, isInnermost) {
    const back = isInnermost ? 0 : 1;
    const isFile = object.startsWith('/') && !object.startsWith('//');
    return isFile ? [findSymbol(object, offset - back) ?? UNKNOWN] : listGenerated(address - back);
  }
  return importSamples(settings, (addFrame) => {
    /** @type {Map<RecordedPlace, number[]>[]} those of callers, and the innermost ones */
    const known = [new Map(), new Map()];
    return readPerfData(file, settings.window).map(({ thread, stack }) => ({
      thread,
      stack: stack.flatMap((place, index) => {
        const framesOf = known[Number(index === 0)];
        const names = framesOf.get(place);
        if (names !== undefined) return names;
        const frames = listNames(place, index === 0).map((name) => addFrame(name, place.object));
        framesOf.set(place, frames);
        return frames;
      }),
    }));
  });
}

/**
 * @param {ImportSettings} settings
 * @param {(addFrame: (symbol: string, object: string) => number) => Pick<PerfSample, 'thread' | 'stack'>[]} readSamples
 *   of the window
 * @returns {PerfProfile}
 */
function importSamples({ frequencyHz, describe, buildPath = null, loop = null }, readSamples) {
  const builder = buildProfile({ source: 'perf', unit: 'ns' });
  /** @type {Set<number>} */
  const measured = new Set();
  /** @type {Set<number>} */
  const nameless = new Set();
  const collection = builder.addFrame(COLLECTION);
  const isMeasured = loop === null ? isScript : matchLoopFrame(loop);

  const samples = readSamples(function addFrame(symbol, object) {
    if (COLLECTOR.test(symbol)) return collection;
    const described =
      loop === null
        ? makePerfFrame(symbol, object, describe, buildPath)
        : makeProgramFrame(symbol, object, describe, buildPath);
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
  const stacks = loop === null ? recorded : repairStacks(recorded, measured, nameless);
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
 * @param {number[][]} stacks of its thread
 * @param {Set<number>} measured frames of the loop
 * @throws {import('../../lib/errors.js').FormatError} when too few samples have it to represent what was
 *   measured
 */
function requireLoop(loop, stacks, measured) {
  const found = stacks.filter((stack) => stack.some((frame) => measured.has(frame))).length;
  if (found < MIN_LOOP_SHARE * stacks.length) throw refuseLoop(loop, found / stacks.length);
}

/** @param {string[]} loop @param {number} share of samples with the loop */
function refuseLoop(loop, share) {
  const found =
    share === 0
      ? 'no sample in the window has'
      : `only ${(100 * share).toFixed(0)} % of the samples in the window have`;
  return refusePerfScript(`${found} the measured loop (${loop.join(', ')})`, NO_LOOP_REMEDY);
}

/**
 * @typedef {object} PerfSample
 * @property {string} command name of the thread
 * @property {string} thread
 * @property {string} rest of the header: period and event, where they were printed
 * @property {number[]} stack frames, the innermost first
 */

/** `node 23514 22068.391351:`: command, thread, seconds; `perf script` may print process and CPU, too. */
const HEADER = /^\s*(\S.*?)\s+(?:\d+\/)?(\d+)\s+(?:\[\d+\]\s+)?(\d+\.\d+):(.*)$/s;
const FRAME = /^\s+[0-9a-f]+ (.*)$/s;
/** Names and paths may contain spaces and parentheses; paths begin with `/`, other objects mostly with `[`. */
const OBJECTS = [/^(.*) \(([/[].*)\)$/s, /^(.*) \(([^()]*)\)$/s];
const MS_PER_SECOND = 1000;

/** @param {string} text @returns {boolean} whether it begins like the output of `perf script` */
export function isPerfScript(text) {
  const first = text.split('\n', 1000).find((line) => line.trim() !== '' && !line.startsWith('#'));
  return first !== undefined && HEADER.test(first);
}

/**
 * Parses the output of `perf script` with ip, sym and dso.
 *
 * @param {string} text
 * @param {object} reader
 * @param {(timeMs: number) => boolean} reader.isInside by the clock of the recording; other samples are left out
 * @param {(symbol: string, object: string) => number} reader.addFrame called once per distinct line
 * @param {(line: string, expected: string) => void} reader.onStrange called with a line that is neither a header
 *   nor a frame; if it returns, the line and the frames of such a header are left out
 * @returns {PerfSample[]}
 */
function readPerfSamples(text, { isInside, addFrame, onStrange }) {
  /** @type {Map<string, number>} */
  const frameOfLine = new Map();

  /** @param {string} line @returns {number | null} null if it is none */
  function readFrame(line) {
    const known = frameOfLine.get(line);
    if (known !== undefined) return known;
    const [, described] = FRAME.exec(line) ?? [];
    if (described === undefined) return null;
    const frame = addFrame(...splitFrame(described));
    frameOfLine.set(line, frame);
    return frame;
  }

  const samples = [];
  /** @type {PerfSample | null} */
  let sample = null;
  let isOpen = false;
  for (const line of text.split('\n')) {
    if (line.trim() === '') {
      isOpen = false;
    } else if (line.startsWith('\t') || (isOpen && FRAME.test(line))) {
      if (sample === null) continue;
      const frame = readFrame(line);
      if (frame === null) onStrange(line, 'a frame');
      else sample.stack.push(frame);
    } else {
      const [, command, thread, seconds, rest] = HEADER.exec(line) ?? [];
      isOpen = command !== undefined;
      if (!isOpen) onStrange(line, 'the header of a sample');
      const timeMs = Number(seconds) * MS_PER_SECOND;
      sample = isOpen && isInside(timeMs) ? { command, thread, rest, stack: [] } : null;
      if (sample !== null) samples.push(sample);
    }
  }
  return samples;
}

/** @param {string} text of a frame without its address @returns {[symbol: string, object: string]} */
function splitFrame(text) {
  for (const pattern of OBJECTS) {
    const [, symbol, object] = pattern.exec(text) ?? [];
    if (symbol !== undefined) return [symbol, object];
  }
  return [text, '[unknown]'];
}

/** Period and event of a header, and the frame if there is no stack. */
const REST = /^\s*(?:(\d+)(?:\s+|$))?(?:(\S+):(?=\s|$))?\s*([0-9a-f]+ .*\))?/s;
const CLOCK = /^(?:cpu|task)-clock(?::|$)/;

/**
 * Imports what `perf script` prints, by anyone and of any program: one profile for each event. The command is
 * the root of each stack. Weights are the periods of the samples, else their number.
 *
 * @param {string} text
 * @param {string} projectPath absolute; file names are relative to it
 * @param {import('./remarks.js').Remarks} remarks
 * @returns {{ name: string, profile: Profile }[]} by event
 * @throws {FormatError} when there are no samples
 */
export function importAnyPerfScript(text, projectPath, remarks) {
  /** @type {Frame[]} */
  const frames = [];
  const describe = describeBy(projectPath);
  const addFrame = (/** @type {string} */ symbol, /** @type {string} */ object) =>
    frames.push(makePerfFrame(symbol.replace(/\+0x[0-9a-f]+$/, ''), object, describe)) - 1;
  const samples = readPerfSamples(text, {
    isInside: () => true,
    addFrame,
    onStrange(line, expected) {
      if (line.startsWith('#')) remarks.leaveOut('comment');
      else remarks.leaveOut(`line that is not ${expected}`, `lines that are not ${expected}`);
    },
  });
  if (samples.length === 0) throw refusePerfScript('it has no samples');
  const weighed = samples.map(({ command, rest, stack }) => {
    const [, period, event = 'samples', only] = REST.exec(rest) ?? [];
    const isAlone = stack.length === 0 && only !== undefined;
    const own = isAlone ? [addFrame(...splitFrame(only.replace(/^\S+ /, '')))] : stack;
    return { command, period: Number(period), event, stack: own };
  });
  const events = group(weighed, ({ event }) => event);
  return [...events].map(([event, ofEvent]) => {
    const hasPeriods = ofEvent.every(({ period }) => period > 0);
    const unit = hasPeriods && CLOCK.test(event) ? 'ns' : 'none';
    const builder = buildProfile({ source: 'perf', unit });
    for (const { command, period, stack } of ofEvent) {
      const root = { name: command, kind: /** @type {const} */ ('native'), ...NO_PLACE };
      let node = builder.addNode(-1, builder.addFrame(root));
      for (const frame of stack.toReversed()) {
        node = builder.addNode(node, builder.addFrame(frames[frame]));
      }
      builder.addSelf(node, hasPeriods ? period : 1);
    }
    return { name: event, profile: builder.finish(ofEvent.length) };
  });
}

/**
 * @param {Pick<PerfSample, 'thread' | 'stack'>[]} samples
 * @param {Set<number>} measured frames
 * @returns {string | null} the thread with most samples of them; null if none has any
 */
function findMeasuredThread(samples, measured) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { thread, stack } of samples) {
    if (!stack.some((frame) => measured.has(frame))) continue;
    counts.set(thread, (counts.get(thread) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? null;
}

/** @type {(why: string, remedy?: string) => FormatError} */
function refusePerfScript(
  why,
  remedy = 'record with node --perf-basic-prof and perf record -g -k CLOCK_MONOTONIC, and print with ' +
    'perf script -F comm,tid,time,ip,sym,dso --no-inline',
) {
  return new FormatError(`cannot read the output of perf script: ${why}`, { remedy });
}

// A frame in code generated at run time or without an object: address, symbol, object.
const GENERATED =
  /^(\s+)([0-9a-f]+) .* \((\/(?:[^\n]*\/)?perf-\d+\.map|\[unknown\]|\/\/anon|\[anon[^\n()]*\])\)$/gm;

/**
 * Resolves symbols of generated code in the output of `perf script` with the perf map of the process.
 * perf assumes that no address is used twice, but V8 reuses the memory of discarded code, so perf reports
 * outdated functions; here the latest entry counts. V8 does not move code while it writes a map; a
 * runtime that writes its map at exit has the code that is still alive.
 *
 * An inlined function becomes a separate frame, called by the function that it was inlined into. All
 * but the innermost address of a stack are return addresses, so the byte before them is looked up.
 *
 * @param {string} script output of `perf script` with ip, sym and dso
 * @param {string} map content of `perf-PID.map`: start and size in hexadecimal, with or without
 *   `0x`, name
 * @param {FindInlined} [findInlined] looks up inlined functions, if known
 * @returns {string} the script with resolved symbols
 * @throws {FormatError} when the map is empty
 */
export function resolvePerfMap(script, map, findInlined = () => []) {
  const listNames = openPerfMap(map, findInlined);
  /** @type {Map<number, string[]>} */
  const known = new Map();
  return script.replace(GENERATED, function nameFrame(frame, indent, ip, object, at) {
    const address = parseInt(ip, 16) - (isInnermost(script, at) ? 0 : 1);
    const names = known.get(address) ?? listNames(address);
    known.set(address, names);
    return names[0] === UNKNOWN && !object.endsWith('.map')
      ? frame
      : names.map((name) => `${indent}${ip} ${name} (${object})`).join('\n');
  });
}

/**
 * @param {string} script
 * @param {number} at start of a frame
 * @returns {boolean} whether the line before it is the header of the sample
 */
function isInnermost(script, at) {
  return script[script.lastIndexOf('\n', at - 2) + 1] !== '\t';
}

/**
 * @param {string} map content of `perf-PID.map`
 * @param {FindInlined} findInlined
 * @returns {(address: number) => string[]} the functions at an address of generated code, the innermost first
 * @throws {FormatError} when the map is empty
 */
function openPerfMap(map, findInlined) {
  const findCode = indexMap(map);
  return function listNames(address) {
    const code = findCode(address);
    if (code === null) return [UNKNOWN];
    const inlined = findInlined(code.start, address - code.start);
    return [...inlined.map((name) => `JS:*${name.replaceAll('\n', ' ')}`), code.name];
  };
}

/** @type {(map: string) => (address: number) => { start: number, name: string } | null} */
function indexMap(map) {
  const entries = [...map.matchAll(/^(?:0x)?([0-9a-f]+) (?:0x)?([0-9a-f]+) (.+)$/gm)];
  if (entries.length === 0) {
    throw new FormatError('the perf map is empty', {
      remedy: 'start node with --perf-basic-prof, and keep its map until perf script has run',
    });
  }
  const starts = Float64Array.from(entries, ([, start]) => parseInt(start, 16));
  const ends = starts.map((start, index) => start + parseInt(entries[index][2], 16));
  return function findCode(address) {
    for (let index = starts.length - 1; index >= 0; index--) {
      if (starts[index] <= address && address < ends[index]) {
        return { start: starts[index], name: entries[index][3] };
      }
    }
    return null;
  };
}

/**
 * Adds the measured loop to truncated stacks. libc and other libraries keep no frame pointers: a walk
 * that starts in `malloc` ends there or skips the caller; and perf truncates stacks at 127 frames. Such
 * stacks would be dropped, and with them allocations and recursion, often the subject of the comparison.
 * In the window the thread runs nothing but the loop, so they belong to it. Complete stacks outside the
 * loop, such as the worker's between two stretches, are kept.
 *
 * @param {number[][]} stacks of one thread: frames, the innermost first
 * @param {Set<number>} loops frames of the loop
 * @param {Set<number>} nameless frames without a symbol
 * @returns {number[][]} as many stacks
 */
function repairStacks(stacks, loops, nameless) {
  const { loop, callers, ends } = surveyLoop(stacks, loops);
  if (loop === null) return stacks;
  return stacks.map(function repairStack(stack) {
    if (stack.some((frame) => loops.has(frame))) return stack;
    const [leaf, caller] = stack;
    if (callers.has(caller) && !callers.has(leaf)) return [leaf, loop, ...stack.slice(1)];
    const end = stack.at(-1);
    if (end !== undefined && ends.has(end) && !nameless.has(end)) return stack;
    const named = stack.findLastIndex((frame) => !nameless.has(frame));
    return [...stack.slice(0, named + 1), loop];
  });
}

/**
 * @param {number[][]} stacks
 * @param {Set<number>} loops
 * @returns {{ loop: number | null, callers: Set<number>, ends: Set<number> }} the
 *   outermost loop frame of most stacks, its callers, and the outermost frames of stacks with it
 */
function surveyLoop(stacks, loops) {
  /** @type {Set<number>} */
  const callers = new Set();
  /** @type {Set<number>} */
  const ends = new Set();
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const stack of stacks) {
    const at = stack.findLastIndex((frame) => loops.has(frame));
    if (at === -1) continue;
    counts.set(stack[at], (counts.get(stack[at]) ?? 0) + 1);
    if (at + 1 < stack.length) callers.add(stack[at + 1]);
    ends.add(stack[stack.length - 1]);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return { loop: most?.[0] ?? null, callers, ends };
}
