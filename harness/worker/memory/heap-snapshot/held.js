import { findDominators, selectEdges } from './dominators.js';
import { DOCUMENT_CLASS, measureClasses } from './measure-classes.js';

/** @import { CompositionPart, SnapshotResult } from '../../../formats/types.ts' */
/** @import { DominatorTree } from './dominators.js' */
/** @import { PoolSlab } from '../hold-documents.js' */
/** @import { HeapGraph } from './read-snapshot.js' */

/** Constructors listed, those that retain the most. */
const MAX_GROUPS = 12;
/** Kinds of objects in a composition; the rest is one more. */
const MAX_KINDS = 16;

/**
 * A heap graph with data on the documents held by the worker.
 *
 * @typedef {object} HeldHeap
 * @property {HeapGraph} graph
 * @property {Uint32Array} order of a depth-first search
 * @property {Uint32Array} dominators by node
 * @property {RetainedSizes} retained
 * @property {(node: number) => string} labelNode
 * @property {number} list the node that holds the documents
 * @property {Uint8Array} isHeld by node: 1 if only the list keeps it alive, without the list itself
 * @property {number[]} documents nodes
 */

/**
 * Retained size and composition of the held documents, without the list itself.
 *
 * @param {HeapGraph} graph
 * @param {number} documentCount documents added to the list
 * @param {PoolSlab} [lastSlab] of Node's buffer pool; its unused part does not count
 * @returns {Omit<SnapshotResult, 'kind'>}
 * @throws {RangeError} when the snapshot has no list, or fewer documents
 */
export function sumHeld(graph, documentCount, lastSlab) {
  const held = findHeld(graph, lastSlab);
  if (held.documents.length !== documentCount) {
    throw new RangeError(
      `only the list should hold the ${documentCount} documents, but the snapshot shows ${held.documents.length} such documents; the variant may keep or reuse its results`,
    );
  }
  const composition = listComposition(held);
  const groups = measureClasses(held).map((group) => ({
    ...group,
    perDocument: group.perDocument / documentCount,
  }));
  const [documents, ...others] = groups;
  const rest = others.sort((a, b) => weighGroup(b) - weighGroup(a)).slice(0, MAX_GROUPS);
  return {
    documents: documentCount,
    heapBytes: sumOf(composition, 'heapBytes'),
    offHeapBytes: sumOf(composition, 'offHeapBytes'),
    composition: foldComposition(composition),
    groups: [{ ...documents, name: DOCUMENT_CLASS }, ...rest],
  };
}

/** @type {(graph: HeapGraph, lastSlab?: PoolSlab) => HeldHeap} */
function findHeld(graph, lastSlab) {
  const { order, dominators } = findDominators(selectEdges(graph), 0);
  const list = findHeldList(graph);
  const isHeld = new Uint8Array(graph.nodeCount);
  const labelNode = makeNodeLabeller(graph);
  const shape = graph.nodeTypeNames.indexOf('object shape');
  for (const node of order) {
    const dominator = dominators[node];
    if (node === 0 || (dominator !== list && isHeld[dominator] === 0)) continue;
    // The list's own slots are not part of the documents, and hidden classes shared by documents do not
    // grow with their number.
    const isSlots = dominator === list && labelNode(node) === '(object elements)';
    const isCommonShape = dominator === list && graph.nodeTypes[node] === shape;
    if (!isSlots && !isCommonShape) isHeld[node] = 1;
  }
  const documents = listHeldDocuments(graph, dominators, list);
  if (lastSlab !== undefined) leaveOutUnused(graph, isHeld, lastSlab);
  const retained = sumRetainedSizes(graph, { order, dominators });
  return { graph, order, dominators, retained, labelNode, list, isHeld, documents };
}

/**
 * Takes the part of the last slab that no buffer uses off one of the slabs. They are alike, and figures are sums over all of
 * them, so it does not matter which.
 * @type {(graph: HeapGraph, isHeld: Uint8Array, lastSlab: PoolSlab) => void}
 */
function leaveOutUnused({ selfBytes, nodeTypes, nodeTypeNames }, isHeld, lastSlab) {
  const { slabBytes, usedBytes } = lastSlab;
  if (usedBytes === 0) return;
  const native = nodeTypeNames.indexOf('native');
  const slab = selfBytes.findIndex(
    (bytes, node) => bytes === slabBytes && isHeld[node] === 1 && nodeTypes[node] === native,
  );
  if (slab !== -1) selfBytes[slab] = usedBytes;
}

/**
 * Shallow bytes of held objects by kind.
 * @type {(held: HeldHeap) => CompositionPart[]} means per document, the largest first
 */
function listComposition({ graph, labelNode, isHeld, order, documents }) {
  const native = graph.nodeTypeNames.indexOf('native');
  /** @type {Map<string, CompositionPart>} */
  const sorts = new Map();
  for (const node of order) {
    if (isHeld[node] === 0) continue;
    const name = labelNode(node);
    let sort = sorts.get(name);
    if (sort === undefined) {
      sort = { name, perDocument: 0, heapBytes: 0, offHeapBytes: 0 };
      sorts.set(name, sort);
    }
    sort.perDocument++;
    if (graph.nodeTypes[node] === native) sort.offHeapBytes += graph.selfBytes[node];
    else sort.heapBytes += graph.selfBytes[node];
  }
  const parts = [...sorts.values()].map((sort) => ({
    name: sort.name,
    perDocument: sort.perDocument / documents.length,
    heapBytes: sort.heapBytes / documents.length,
    offHeapBytes: sort.offHeapBytes / documents.length,
  }));
  return parts.sort((a, b) => b.heapBytes + b.offHeapBytes - a.heapBytes - a.offHeapBytes);
}

/**
 * @param {CompositionPart[]} parts the largest first
 * @returns {CompositionPart[]} with the smallest ones merged
 */
function foldComposition(parts) {
  const [shown, folded] = [parts.slice(0, MAX_KINDS), parts.slice(MAX_KINDS)];
  if (folded.length === 0) return shown;
  return [
    ...shown,
    {
      name: '(others)',
      perDocument: sumOf(folded, 'perDocument'),
      heapBytes: sumOf(folded, 'heapBytes'),
      offHeapBytes: sumOf(folded, 'offHeapBytes'),
    },
  ];
}

/** @param {CompositionPart[]} parts @param {'perDocument' | 'heapBytes' | 'offHeapBytes'} key */
function sumOf(parts, key) {
  return parts.reduce((sum, part) => sum + part[key], 0);
}

/** @param {{ perDocument: number, heapBytes: number, offHeapBytes: number }} group */
function weighGroup({ perDocument, heapBytes, offHeapBytes }) {
  return perDocument * (heapBytes + offHeapBytes);
}

/** Name of the class whose only instance holds the list of documents in a worker. */
const HOLDER_CLASS = 'AssayHeldDocuments';
/** Its property with the list. */
const HOLDER_PROPERTY = 'documents';

/**
 * Finds the list of held documents.
 *
 * @param {HeapGraph} graph
 * @returns {number} node
 * @throws {RangeError} when the snapshot does not have it
 */
function findHeldList(graph) {
  const { strings, nodeTypes, nodeNames, edgeTypes, edgeNames, edgeTargets, firstEdge } = graph;
  const object = graph.nodeTypeNames.indexOf('object');
  const property = graph.edgeTypeNames.indexOf('property');
  const className = strings.indexOf(HOLDER_CLASS);
  const propertyName = strings.indexOf(HOLDER_PROPERTY);
  for (let node = 0; node < graph.nodeCount; node++) {
    if (nodeNames[node] !== className || nodeTypes[node] !== object) continue;
    for (let edge = firstEdge[node]; edge < firstEdge[node + 1]; edge++) {
      if (edgeTypes[edge] === property && edgeNames[edge] === propertyName)
        return edgeTargets[edge];
    }
  }
  throw new RangeError(`the heap snapshot has no ${HOLDER_CLASS} with ${HOLDER_PROPERTY}`);
}

/**
 * Documents in the list that nothing else keeps alive.
 *
 * @param {HeapGraph} graph
 * @param {Uint32Array} dominators by node
 * @param {number} list node
 * @returns {number[]} nodes
 */
function listHeldDocuments(graph, dominators, list) {
  const element = graph.edgeTypeNames.indexOf('element');
  const documents = new Set();
  for (let edge = graph.firstEdge[list]; edge < graph.firstEdge[list + 1]; edge++) {
    const target = graph.edgeTargets[edge];
    if (graph.edgeTypes[edge] === element && dominators[target] === list) documents.add(target);
  }
  return [...documents];
}

/**
 * Retained size of each node: its own bytes and those of all nodes that it dominates.
 *
 * @typedef {object} RetainedSizes
 * @property {Float64Array} bytes by node
 * @property {Float64Array} offHeapBytes the part of `bytes` that V8 keeps outside its heap
 */

/** @type {(graph: HeapGraph, tree: DominatorTree) => RetainedSizes} */
function sumRetainedSizes({ selfBytes, nodeTypes, nodeTypeNames }, { order, dominators }) {
  const native = nodeTypeNames.indexOf('native');
  const bytes = Float64Array.from(selfBytes);
  const offHeapBytes = selfBytes.map((size, node) => (nodeTypes[node] === native ? size : 0));
  for (let at = order.length - 1; at > 0; at--) {
    const node = order[at];
    bytes[dominators[node]] += bytes[node];
    offHeapBytes[dominators[node]] += offHeapBytes[node];
  }
  return { bytes, offHeapBytes };
}

/** Labels of node types whose name is the text of a string or meaningless. */
const NAMES_BY_TYPE = new Map([
  ['string', 'string'],
  ['concatenated string', 'string (rope)'],
  ['sliced string', 'string (slice)'],
  ['number', 'number'],
  ['bigint', 'bigint'],
  ['symbol', 'symbol'],
  ['closure', 'Function'],
  ['regexp', 'RegExp'],
  ['code', '(code)'],
  ['object shape', '(hidden classes)'],
]);

/** Longer names of constructors are truncated. */
const MAX_NAME_LENGTH = 60;

/**
 * Label of each node: its constructor, or the kind of V8's internal object.
 * @type {(graph: HeapGraph) => (node: number) => string}
 */
function makeNodeLabeller({ nodeTypes, nodeTypeNames, nodeNames, strings }) {
  const fixed = nodeTypeNames.map((typeName) => NAMES_BY_TYPE.get(typeName));
  /** @type {Map<number, string>} */
  const labels = new Map();
  return function labelNode(node) {
    const ofType = fixed[nodeTypes[node]];
    if (ofType !== undefined) return ofType;
    const name = nodeNames[node];
    let label = labels.get(name);
    if (label === undefined) labels.set(name, (label = tidyName(strings[name])));
    return label;
  };
}

/** @param {string} name as in the snapshot @returns {string} */
function tidyName(name) {
  // Newer V8 names plain objects by their keys.
  if (name.startsWith('{')) return 'Object';
  const plain = name.replace(/^system \/ /, '');
  if (plain === 'JSArrayBufferData') return 'ArrayBuffer data';
  if (plain === '') return '(internal)';
  return plain.slice(0, MAX_NAME_LENGTH);
}
