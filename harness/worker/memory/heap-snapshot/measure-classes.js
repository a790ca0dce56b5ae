import { describeClass } from './describe-class.js';
import { nameEdge } from './name-edge.js';

/** @import { HeldGroup, HeldPart } from '../../../formats/types.ts' */
/** @import { HeldHeap } from './describe-held.js' */

/** Name of the documents, whatever their constructor. */
export const DOCUMENT_CLASS = '(document)';

/** Plain containers in documents; they have no group and are listed as fields. */
const PLAIN_CLASSES = new Set(['Object']);

/**
 * Sums over the instances of one class.
 *
 * @typedef {object} ClassSums
 * @property {string} name
 * @property {number} instances
 * @property {number} shallowBytes
 * @property {number} retainedBytes held by one instance alone
 * @property {number} offHeapBytes the part of it off the heap
 * @property {Map<string, HeldPart>} parts by field and label of the target
 */

/**
 * Measures the instances of every constructor held by the documents: their own bytes, the bytes held by
 * each field alone, and their share of jointly held objects (such as a slab of small buffers), divided by
 * the references from outside it.
 *
 * @param {HeldHeap} held
 * @returns {HeldGroup[]} the documents first; means per instance, `perDocument` still the total number
 *   of instances
 */
export function measureClasses(held) {
  const { classes, classOf } = sortIntoClasses(held);
  measureFields(held, classes, classOf);
  divideShared(held, classes, classOf);
  return classes.map(describeClass);
}

/**
 * Objects held by several documents (a slab) have no class; their bytes are divided.
 *
 * @param {HeldHeap} held
 * @returns {{ classes: ClassSums[], classOf: Int32Array }} index of the class by node, −1 for none
 */
function sortIntoClasses({ graph, dominators, labelNode, order, documents }) {
  const object = graph.nodeTypeNames.indexOf('object');
  const classOf = new Int32Array(graph.nodeCount).fill(-1);
  const classes = [makeClass(DOCUMENT_CLASS)];
  /** @type {Map<string, number>} */
  const indexes = new Map();
  const isInDocument = new Uint8Array(graph.nodeCount);
  for (const document of documents) {
    classOf[document] = 0;
    isInDocument[document] = 1;
  }
  for (const node of order) {
    if (isInDocument[dominators[node]] === 0) continue;
    isInDocument[node] = 1;
    if (graph.nodeTypes[node] !== object) continue;
    const name = labelNode(node);
    if (PLAIN_CLASSES.has(name)) continue;
    let index = indexes.get(name);
    if (index === undefined) {
      index = classes.push(makeClass(name)) - 1;
      indexes.set(name, index);
    }
    classOf[node] = index;
  }
  return { classes, classOf };
}

/** @type {(name: string) => ClassSums} */
function makeClass(name) {
  return {
    name,
    instances: 0,
    shallowBytes: 0,
    retainedBytes: 0,
    offHeapBytes: 0,
    parts: new Map(),
  };
}

/** @param {HeldHeap} held @param {ClassSums[]} classes @param {Int32Array} classOf */
function measureFields(held, classes, classOf) {
  const { graph, dominators, retained, labelNode } = held;
  // The last instance that counted a node, since two fields may refer to the same.
  const countedFor = new Uint32Array(graph.nodeCount);
  for (const node of held.order) {
    if (classOf[node] === -1) continue;
    const sums = classes[classOf[node]];
    sums.instances++;
    sums.shallowBytes += graph.selfBytes[node];
    sums.retainedBytes += retained.bytes[node];
    sums.offHeapBytes += retained.offHeapBytes[node];
    for (let edge = graph.firstEdge[node]; edge < graph.firstEdge[node + 1]; edge++) {
      const target = graph.edgeTargets[edge];
      if (dominators[target] !== node || countedFor[target] === node) continue;
      countedFor[target] = node;
      const offHeap = retained.offHeapBytes[target];
      const heap = retained.bytes[target] - offHeap;
      addPart(sums, nameEdge(graph, edge), labelNode(target), false, heap, offHeap);
    }
  }
}

/**
 * Each edge from an instance to a jointly held object gives its class one share of that object.
 *
 * @param {HeldHeap} held
 * @param {ClassSums[]} classes
 * @param {Int32Array} classOf
 */
function divideShared({ graph, dominators, retained, labelNode, isHeld, order }, classes, classOf) {
  const references = new Uint32Array(graph.nodeCount);
  /** @param {(node: number, target: number) => void} visit */
  function visitSharingEdges(visit) {
    for (const node of order) {
      if (isHeld[node] === 0) continue;
      for (let edge = graph.firstEdge[node]; edge < graph.firstEdge[node + 1]; edge++) {
        const target = graph.edgeTargets[edge];
        if (isHeld[target] === 1 && dominators[target] !== node) visit(node, target);
      }
    }
  }
  visitSharingEdges((_node, target) => references[target]++);
  visitSharingEdges((node, target) => {
    const offHeap = retained.offHeapBytes[target] / references[target];
    const heap = retained.bytes[target] / references[target] - offHeap;
    for (let at = node; at !== dominators[target] && at !== 0; at = dominators[at]) {
      if (classOf[at] === -1) continue;
      addPart(classes[classOf[at]], '', labelNode(target), true, heap, offHeap);
    }
  });
}

/**
 * @param {ClassSums} sums
 * @param {string} field
 * @param {string} holds
 * @param {boolean} shared
 * @param {number} heapBytes
 * @param {number} offHeapBytes
 */
function addPart({ parts }, field, holds, shared, heapBytes, offHeapBytes) {
  const key = `${field}\n${holds}\n${shared}`;
  const part = parts.get(key);
  if (part === undefined) {
    parts.set(key, { field, holds, shared, heapBytes, offHeapBytes });
  } else {
    part.heapBytes += heapBytes;
    part.offHeapBytes += offHeapBytes;
  }
}
