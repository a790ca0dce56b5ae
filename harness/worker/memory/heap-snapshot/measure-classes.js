/** @import { HeldGroup, HeldPart } from '../../../formats/types.ts' */
/** @import { HeldHeap } from './held.js' */
/** @import { HeapGraph } from './read-snapshot.js' */

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
  return classes.map(toHeldGroup);
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

const MAX_EDGE_LENGTH = 60;

/**
 * Label of an edge.
 *
 * @param {HeapGraph} graph
 * @param {number} edge
 * @returns {string} a property's name; `[…]` for elements; internal edges in parentheses
 */
function nameEdge({ edgeTypes, edgeTypeNames, edgeNames, strings }, edge) {
  const type = edgeTypeNames[edgeTypes[edge]];
  if (type === 'element') return '[…]';
  if (type === 'hidden') return '(internal)';
  const name = strings[edgeNames[edge]].slice(0, MAX_EDGE_LENGTH);
  return type === 'internal' ? `(${name})` : name;
}

/** Fields listed per class; the rest is one more. */
const MAX_PARTS = 32;

/**
 * Converts sums over the instances of a class to means per instance.
 * @type {(sums: ClassSums) => HeldGroup} `perDocument` is still the number of all instances
 */
function toHeldGroup({ name, instances, shallowBytes, retainedBytes, offHeapBytes, parts }) {
  const means = [...parts.values()].map((part) => ({
    ...part,
    heapBytes: part.heapBytes / instances,
    offHeapBytes: part.offHeapBytes / instances,
  }));
  const shared = means.filter((part) => part.shared);
  const sum = (/** @type {'heapBytes' | 'offHeapBytes'} */ key) =>
    shared.reduce((total, part) => total + part[key], 0);
  const group = {
    name,
    perDocument: instances,
    shallowBytes: shallowBytes / instances,
    heapBytes: (retainedBytes - offHeapBytes) / instances + sum('heapBytes'),
    offHeapBytes: offHeapBytes / instances + sum('offHeapBytes'),
    parts: means.sort(compareParts).slice(0, MAX_PARTS),
  };
  return { ...group, parts: [...group.parts, ...listRest(group)] };
}

/**
 * Remainder: fields beyond the limit, and objects held by two fields together.
 * @type {(group: HeldGroup) => HeldPart[]} one part or none
 */
function listRest({ shallowBytes, heapBytes, offHeapBytes, parts }) {
  const heap = parts.reduce((left, part) => left - part.heapBytes, heapBytes - shallowBytes);
  const offHeap = parts.reduce((left, part) => left - part.offHeapBytes, offHeapBytes);
  // Means of whole bytes over many instances are not exact in the last digits.
  if (heap < 0.001 && offHeap < 0.001) return [];
  const bytes = { heapBytes: Math.max(0, heap), offHeapBytes: Math.max(0, offHeap) };
  return [{ field: '(others)', holds: '', shared: false, ...bytes }];
}

/**
 * Orders by descending size, then by name, so that both arms list the same parts.
 * @type {(a: HeldPart, b: HeldPart) => number}
 */
function compareParts(a, b) {
  const difference = b.heapBytes + b.offHeapBytes - a.heapBytes - a.offHeapBytes;
  if (difference !== 0) return difference;
  return a.field < b.field ? -1 : 1;
}
