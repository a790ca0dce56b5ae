import { FormatError } from '../../lib/errors.js';
import { buildProfile } from '../profiles/build-profile.js';
import { describeV8Frame, isCallFrame } from './describe-frame.js';
import { readJson } from './read-json.js';

/** @import { Profile } from '../../formats/profile-types.ts' */
/** @import { CallFrame } from './describe-frame.js' */

/**
 * @typedef {object} CpuNode
 * @property {number} id
 * @property {CallFrame} callFrame
 * @property {number[]} [children]
 * @property {{ line: number, ticks: number }[]} [positionTicks] lines count from 1
 */

/**
 * @typedef {object} CpuProfile
 * @property {CpuNode[]} nodes
 * @property {number} startTime microseconds
 * @property {number} endTime microseconds
 * @property {number[]} samples ids of nodes
 * @property {number[]} timeDeltas microseconds since the sample before
 */

const WHAT = 'a V8 CPU profile';
const REMEDY = 'record it again: node --cpu-prof, or the profiler of the inspector';
const NS_PER_MICROSECOND = 1000;

/**
 * Reads a .cpuprofile. Weights are nanoseconds of wall time; idle time is left out.
 *
 * @param {unknown} json parsed, or its text
 * @param {string} projectPath absolute; files below it are named from there
 * @returns {Profile}
 * @throws {FormatError} when it is none
 */
export function importCpuProfile(json, projectPath) {
  const cpuProfile = checkCpuProfile(readJson(json, WHAT, REMEDY));
  const builder = buildProfile({ source: 'v8-cpu-profile', unit: 'ns' });
  const nodeOfId = addNodes(cpuProfile.nodes, builder, projectPath);
  let samples = 0;
  const durations = measureDurations(cpuProfile);
  for (let index = 0; index < durations.length; index++) {
    const node = nodeOfId.get(cpuProfile.samples[index]);
    if (node === undefined) throw broken(`sample ${index} names a node that is not there`);
    if (node === -1) continue;
    samples++;
    builder.addSelf(node, durations[index] * NS_PER_MICROSECOND);
  }
  return builder.finish(samples);
}

/**
 * @param {CpuNode[]} nodes
 * @param {ReturnType<typeof buildProfile>} builder
 * @param {string} projectPath
 * @returns {Map<number, number>} node of the profile by id; −1 for the root and idle time
 */
function addNodes(nodes, builder, projectPath) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const waiting = [{ node: nodes[0], parent: -1 }];
  /** @type {Map<number, number>} */
  const indexes = new Map();
  for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
    const { node, parent } = step;
    if (indexes.has(node.id)) throw broken(`node ${node.id} has two parents`);
    const index = isStack(node) ? addNode(node, parent, builder, projectPath) : -1;
    indexes.set(node.id, index);
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      if (child === undefined) throw broken(`child ${id} of node ${node.id} is missing`);
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
function addNode(node, parent, builder, projectPath) {
  const frame = describeV8Frame(node.callFrame, projectPath);
  const frameIndex = builder.addFrame(frame);
  if (frame.file !== null) {
    for (const { line, ticks } of node.positionTicks ?? []) {
      builder.addLine(frameIndex, line, ticks);
    }
  }
  return builder.addNode(parent, frameIndex);
}

/**
 * A sample holds until the next one is taken, the last until the profile ends. Samples can be
 * listed in another order than they were taken in; then a delta is negative, and a sample that was
 * overtaken holds for no time.
 *
 * @param {CpuProfile} cpuProfile
 * @returns {Float64Array} microseconds, by sample
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

/**
 * @param {Record<string, unknown>} value
 * @returns {CpuProfile}
 */
function checkCpuProfile(value) {
  const { nodes, samples, timeDeltas, startTime, endTime } = value;
  if (!Array.isArray(nodes) || nodes.length === 0) throw broken('it has no nodes');
  for (const node of nodes) {
    if (typeof node?.id !== 'number' || !isCallFrame(node.callFrame)) {
      throw broken('one of its nodes has no id or no call frame');
    }
    if (!isNumbers(node.children ?? [])) throw broken(`the children of node ${node.id} are no ids`);
    if (!areTicks(node.positionTicks ?? [])) {
      throw broken(`the ticks of node ${node.id} have no lines or no numbers`);
    }
  }
  if (!isNumbers(samples) || !isNumbers(timeDeltas)) throw broken('it has no samples');
  if (samples.length !== timeDeltas.length) {
    throw broken(`it has ${samples.length} samples but ${timeDeltas.length} time deltas`);
  }
  if (!Number.isFinite(startTime) || !Number.isFinite(endTime)) {
    throw broken('it does not say when it begins and ends');
  }
  return /** @type {CpuProfile} */ ({ nodes, samples, timeDeltas, startTime, endTime });
}

/**
 * @param {unknown} value
 * @returns {value is number[]}
 */
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
function broken(why) {
  return new FormatError(`${WHAT} that cannot be read: ${why}`, { remedy: REMEDY });
}
