import { FormatError } from '../../lib/errors.js';
import { readJsonObject } from '../../lib/files.js';
import { buildProfile } from '../profiles/call-tree.js';
import { shortenFile } from '../profiles/frames.js';
import { openRemarks } from './remarks.js';

/** @import { Frame, FrameKind, Profile } from '../../formats/profile-types.ts' */

/**
 * The samples of a line, with what Assay adds: its text, and how many lines up to it have the same.
 *
 * @typedef {{ line: number, ticks: number, text?: string, occurrence?: number }} PositionTick
 *
 * @typedef {object} CpuNode
 * @property {number} id
 * @property {CallFrame} callFrame
 * @property {number[]} [children]
 * @property {number} [hitCount] samples
 * @property {PositionTick[]} [positionTicks] lines count from 1
 */

/**
 * @typedef {object} CpuProfile
 * @property {CpuNode[]} nodes
 * @property {number} startTime microseconds
 * @property {number} endTime microseconds
 * @property {number[]} samples ids of nodes
 * @property {number[]} timeDeltas microseconds since the sample before
 */

const CPU_PROFILE = 'a V8 CPU profile';
const CPU_REMEDY = 'record it again: node --cpu-prof, or the profiler of the inspector';
const NS_PER_MICROSECOND = 1000;

/**
 * Imports a .cpuprofile, also in the form with a tree that V8 had until 2017. Weights are nanoseconds of wall
 * time, without idle time.
 *
 * @param {unknown} json parsed JSON or its text
 * @param {string} projectPath absolute; file names are relative to it
 * @param {import('./remarks.js').Remarks} [remarks]
 * @returns {Profile}
 * @throws {FormatError} when it is not such a profile
 */
export function importCpuProfile(json, projectPath, remarks = openRemarks()) {
  const value = readJsonObject(json, CPU_PROFILE, CPU_REMEDY);
  const cpuProfile = checkCpuProfile('head' in value ? flattenTree(value) : value, remarks);
  const builder = buildProfile({ source: 'v8-cpu-profile', unit: 'ns' });
  const nodeOfId = addNodes(cpuProfile.nodes, builder, projectPath);
  let samples = 0;
  const durations = measureDurations(cpuProfile);
  for (let index = 0; index < durations.length; index++) {
    const node = nodeOfId.get(cpuProfile.samples[index]);
    if (node === undefined) throw brokenCpuProfile(`sample ${index} refers to a missing node`);
    if (node === -1) {
      remarks.leaveOut('idle sample');
      continue;
    }
    samples++;
    builder.addSelf(node, durations[index] * NS_PER_MICROSECOND);
  }
  return builder.finish(samples);
}

/**
 * @param {CpuNode[]} nodes
 * @param {ReturnType<typeof buildProfile>} builder
 * @param {string} projectPath
 * @returns {Map<number, number>} index of the node by id; −1 for the root and idle time
 */
function addNodes(nodes, builder, projectPath) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const waiting = [{ node: nodes[0], parent: -1 }];
  /** @type {Map<number, number>} */
  const indexes = new Map();
  for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
    const { node, parent } = step;
    if (indexes.has(node.id)) throw brokenCpuProfile(`node ${node.id} has two parents`);
    const index = isStack(node) ? addCpuNode(node, parent, builder, projectPath) : -1;
    indexes.set(node.id, index);
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      if (child === undefined) throw brokenCpuProfile(`child ${id} of node ${node.id} is missing`);
      waiting.push({ node: child, parent: index });
    }
  }
  return indexes;
}

/** @param {CpuNode} node */
function isStack({ callFrame: { functionName, url } }) {
  return url !== '' || (functionName !== '(root)' && functionName !== '(idle)');
}

/**
 * @param {CpuNode} node
 * @param {number} parent
 * @param {ReturnType<typeof buildProfile>} builder
 * @param {string} projectPath
 */
function addCpuNode(node, parent, builder, projectPath) {
  const frame = makeV8Frame(node.callFrame, projectPath);
  const frameIndex = builder.addFrame(frame);
  if (frame.file !== null) {
    for (const { ticks, ...line } of node.positionTicks ?? []) {
      builder.addLine(frameIndex, line, ticks);
    }
  }
  return builder.addNode(parent, frameIndex);
}

/**
 * A sample lasts until the next one, the last one until the end of the profile. Samples may be out
 * of order, with negative deltas; a sample that was overtaken lasts no time.
 * @type {(cpuProfile: CpuProfile) => Float64Array} microseconds by sample
 */
function measureDurations({ startTime, endTime, timeDeltas }) {
  const times = new Float64Array(timeDeltas.length);
  let now = startTime;
  for (let index = 0; index < times.length; index++) {
    now += timeDeltas[index];
    times[index] = now;
  }
  const order = Uint32Array.from(times.keys());
  if (timeDeltas.some((delta) => delta < 0)) order.sort((a, b) => times[a] - times[b]);
  const durations = new Float64Array(times.length);
  for (let place = 0; place < order.length; place++) {
    const endsAt = place + 1 < order.length ? times[order[place + 1]] : endTime;
    durations[order[place]] = Math.max(0, endsAt - times[order[place]]);
  }
  return durations;
}

const US_PER_SECOND = 1e6;

/**
 * Turns the old form into that of today. Its lines and columns count from 1, and its times are seconds, of
 * which some tools wrote whole ones only; so the last sample lasts as long as the mean of the others.
 *
 * @param {Record<string, any>} old
 * @returns {Record<string, unknown>} a `CpuProfile`, unless something is missing
 */
function flattenTree({ head, samples, timestamps, startTime, endTime }) {
  const nodes = [];
  const waiting = [head];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const { id, functionName, url, lineNumber, columnNumber = 0, hitCount } = node ?? {};
    const children = Array.isArray(node?.children) ? node.children : [];
    nodes.push({
      id,
      callFrame: {
        functionName,
        url,
        lineNumber: lineNumber - 1,
        columnNumber: columnNumber - 1,
      },
      hitCount,
      children: children.map((/** @type {CpuNode | null} */ child) => child?.id),
      ...(node?.lineTicks === undefined ? {} : { positionTicks: node.lineTicks }),
    });
    for (const child of children) waiting.push(child);
  }
  const [startUs, endUs] = [startTime, endTime].map((seconds) => seconds * US_PER_SECOND);
  if (!isNumbers(timestamps) || timestamps.length < 2) {
    return { nodes, samples, startTime: startUs, endTime: endUs };
  }
  const [first] = timestamps;
  const last = timestamps[timestamps.length - 1];
  return {
    nodes,
    samples,
    timeDeltas: timestamps.map((us, index) => us - timestamps[Math.max(0, index - 1)]),
    startTime: first,
    endTime: last + (last - first) / (timestamps.length - 1),
  };
}

const MAX_COUNTED_SAMPLES = 1e7;

/**
 * The samples of a profile that has only their number, or not their times. Each lasts equally long.
 *
 * @param {CpuNode[]} nodes
 * @param {Record<string, any>} value
 * @param {import('./remarks.js').Remarks} remarks
 * @returns {{ samples: unknown, timeDeltas: unknown }}
 */
function completeSamples(nodes, { samples, timeDeltas, startTime, endTime }, remarks) {
  if (timeDeltas !== undefined || !Number.isFinite(endTime - startTime)) {
    return { samples, timeDeltas };
  }
  const counts = nodes.map(({ hitCount = 0 }) => hitCount);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const isCounted = samples === undefined && counts.every((count) => count >= 0);
  if (isCounted && !(total > 0 && total <= MAX_COUNTED_SAMPLES)) return { samples, timeDeltas };
  const ids = isCounted ? nodes.flatMap(({ id }, index) => Array(counts[index]).fill(id)) : samples;
  if (!Array.isArray(ids)) return { samples, timeDeltas };
  remarks.add('samples have no times, so each counts as the same share of the recorded time');
  const each = (endTime - startTime) / ids.length;
  return { samples: ids, timeDeltas: ids.map((_, index) => (index === 0 ? 0 : each)) };
}

/** @type {(value: Record<string, unknown>, remarks: import('./remarks.js').Remarks) => CpuProfile} */
function checkCpuProfile(value, remarks) {
  const { nodes, startTime, endTime } = value;
  if (!Array.isArray(nodes) || nodes.length === 0) throw brokenCpuProfile('it has no nodes');
  for (const node of nodes) {
    if (typeof node?.id !== 'number' || !isCallFrame(node.callFrame)) {
      throw brokenCpuProfile('a node has no id or no call frame');
    }
    if (!Number.isInteger(node.hitCount ?? 0)) {
      throw brokenCpuProfile(`node ${node.id} has an invalid number of samples`);
    }
    if (!isNumbers(node.children ?? []))
      throw brokenCpuProfile(`the children of node ${node.id} are not ids`);
    if (!areTicks(node.positionTicks ?? [])) {
      throw brokenCpuProfile(`the ticks of node ${node.id} have no lines or no numbers`);
    }
  }
  const { samples, timeDeltas } = completeSamples(nodes, value, remarks);
  if (!isNumbers(samples) || !isNumbers(timeDeltas)) throw brokenCpuProfile('it has no samples');
  if (samples.length !== timeDeltas.length) {
    throw brokenCpuProfile(`it has ${samples.length} samples but ${timeDeltas.length} time deltas`);
  }
  if (!Number.isFinite(startTime) || !Number.isFinite(endTime)) {
    throw brokenCpuProfile('it has no start or end time');
  }
  return /** @type {CpuProfile} */ ({ nodes, samples, timeDeltas, startTime, endTime });
}

/** @type {(value: unknown) => value is number[]} */
function isNumbers(value) {
  return Array.isArray(value) && value.every(Number.isFinite);
}

/** @param {unknown} value */
function areTicks(value) {
  return (
    Array.isArray(value) &&
    value.every((tick) => Number.isInteger(tick?.line) && Number.isFinite(tick.ticks))
  );
}

/** @param {string} why */
function brokenCpuProfile(why) {
  return new FormatError(`${CPU_PROFILE} that cannot be read: ${why}`, { remedy: CPU_REMEDY });
}

/**
 * @typedef {object} HeapNode
 * @property {CallFrame} callFrame
 * @property {number} selfSize
 * @property {HeapNode[]} [children]
 */

const HEAP_PROFILE = 'a V8 sampling heap profile';
const HEAP_REMEDY = 'record it again: node --heap-prof, or the heap profiler of the inspector';

/**
 * Imports a .heapprofile, the result of `HeapProfiler.stopSampling`. Weights are allocated bytes,
 * including collected objects if the profiler recorded them.
 *
 * @param {unknown} json parsed JSON or its text
 * @param {string} projectPath absolute; file names are relative to it
 * @returns {Profile}
 * @throws {FormatError} when it is not such a profile
 */
export function importHeapProfile(json, projectPath) {
  const { head, samples } = readJsonObject(json, HEAP_PROFILE, HEAP_REMEDY);
  const builder = buildProfile({ source: 'v8-heap-profile', unit: 'bytes' });
  const waiting = [{ node: checkHeapNode(head), parent: -1 }];
  for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
    const { node, parent } = step;
    const index = addHeapNode(node, parent, builder, projectPath);
    for (const child of node.children ?? []) {
      waiting.push({ node: checkHeapNode(child), parent: index });
    }
  }
  return builder.finish(Array.isArray(samples) ? samples.length : 0);
}

/**
 * @param {HeapNode} node
 * @param {number} parent
 * @param {ReturnType<typeof buildProfile>} builder
 * @param {string} projectPath
 * @returns {number} −1 for the root
 */
function addHeapNode(node, parent, builder, projectPath) {
  const frame = makeV8Frame(node.callFrame, projectPath);
  const isRoot = frame.name === '(root)' && frame.file === null;
  if (isRoot && node.selfSize === 0) return -1;
  // Bytes allocated outside of functions count too.
  const index = builder.addNode(
    parent,
    builder.addFrame(isRoot ? { ...frame, name: '(program)' } : frame),
  );
  builder.addSelf(index, node.selfSize);
  return isRoot ? -1 : index;
}

/** @type {(value: unknown) => HeapNode} */
function checkHeapNode(value) {
  const node = /** @type {Partial<HeapNode> | null | undefined} */ (value);
  const isSize = Number.isFinite(node?.selfSize) && Number(node?.selfSize) >= 0;
  if (!isSize || !isCallFrame(node?.callFrame) || !Array.isArray(node?.children ?? [])) {
    throw new FormatError(
      `${HEAP_PROFILE} that cannot be read: a node has no size, no call frame or no list of children`,
      { remedy: HEAP_REMEDY },
    );
  }
  return /** @type {HeapNode} */ (node);
}

/**
 * A frame of V8's own profilers; lines and columns count from 0.
 *
 * @typedef {object} CallFrame
 * @property {string} functionName
 * @property {string} url
 * @property {number} lineNumber −1 if unknown
 * @property {number} columnNumber
 * @property {string} [file] its name in reports, an extension of Assay like `edited`
 * @property {boolean} [edited] as in `Frame`
 */

/** @type {(callFrame: CallFrame, projectPath: string) => Frame} */
function makeV8Frame({ functionName, url, lineNumber, columnNumber, ...known }, projectPath) {
  const file = known.file ?? shortenFile(url, projectPath);
  return {
    name: functionName === '' ? '(anonymous)' : functionName,
    kind: chooseKind(functionName, file),
    file,
    line: file === null || lineNumber < 0 ? null : lineNumber + 1,
    column: file === null || columnNumber < 0 ? null : columnNumber + 1,
    ...(known.edited === undefined ? {} : { edited: known.edited }),
  };
}

/**
 * A function without a script is a native function of node, such as `utf8Write`, or a V8 builtin; the
 * profile does not distinguish them. Names in parentheses are states of the VM.
 * @type {(name: string, file: string | null) => FrameKind}
 */
function chooseKind(name, file) {
  if (file !== null) return 'js';
  if (name === '(garbage collector)' || name === '(GC)') return 'gc';
  return name.startsWith('(') ? 'program' : 'builtin';
}

/** @type {(value: unknown) => value is CallFrame} */
function isCallFrame(value) {
  if (typeof value !== 'object' || value === null) return false;
  const { functionName, url, lineNumber, columnNumber } = /** @type {Partial<CallFrame>} */ (value);
  return (
    typeof functionName === 'string' &&
    typeof url === 'string' &&
    Number.isInteger(lineNumber) &&
    Number.isInteger(columnNumber)
  );
}
