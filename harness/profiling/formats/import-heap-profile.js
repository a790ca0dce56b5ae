import { FormatError } from '../../lib/errors.js';
import { buildProfile } from '../profiles/build-profile.js';
import { describeV8Frame, isCallFrame } from './describe-frame.js';
import { readJson } from './read-json.js';

/** @import { Profile } from '../../formats/profile-types.ts' */
/** @import { CallFrame } from './describe-frame.js' */

/**
 * @typedef {object} HeapNode
 * @property {CallFrame} callFrame
 * @property {number} selfSize
 * @property {HeapNode[]} [children]
 */

const WHAT = 'a V8 sampling heap profile';
const REMEDY = 'record it again: node --heap-prof, or the heap profiler of the inspector';

/**
 * Reads a .heapprofile, as `HeapProfiler.stopSampling` returns it. Weights are bytes allocated; they
 * include what was collected since if it was recorded so.
 *
 * @param {unknown} json parsed, or its text
 * @param {string} projectPath absolute; files below it are named from there
 * @returns {Profile}
 * @throws {FormatError} when it is none
 */
export function importHeapProfile(json, projectPath) {
  const { head, samples } = readJson(json, WHAT, REMEDY);
  const builder = buildProfile({ source: 'v8-heap-profile', unit: 'bytes' });
  const waiting = [{ node: checkNode(head), parent: -1 }];
  for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
    const { node, parent } = step;
    const index = addNode(node, parent, builder, projectPath);
    for (const child of node.children ?? []) {
      waiting.push({ node: checkNode(child), parent: index });
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
function addNode(node, parent, builder, projectPath) {
  const frame = describeV8Frame(node.callFrame, projectPath);
  const isRoot = frame.name === '(root)' && frame.file === null;
  if (isRoot && node.selfSize === 0) return -1;
  // Bytes that belong to no function are still bytes.
  const index = builder.addNode(
    parent,
    builder.addFrame(isRoot ? { ...frame, name: '(program)' } : frame),
  );
  builder.addSelf(index, node.selfSize);
  return isRoot ? -1 : index;
}

/**
 * @param {unknown} value
 * @returns {HeapNode}
 */
function checkNode(value) {
  const node = /** @type {Partial<HeapNode> | null | undefined} */ (value);
  const isSize = Number.isFinite(node?.selfSize) && Number(node?.selfSize) >= 0;
  if (!isSize || !isCallFrame(node?.callFrame) || !Array.isArray(node?.children ?? [])) {
    throw new FormatError(
      `${WHAT} that cannot be read: a node has no size, no call frame or no list of children`,
      { remedy: REMEDY },
    );
  }
  return /** @type {HeapNode} */ (node);
}
