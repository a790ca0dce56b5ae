/** @import { DominatorTree } from './dominators.js' */
/** @import { HeapGraph } from './read-snapshot.js' */

/**
 * Retained size of each node: its own bytes and those of all nodes that it dominates.
 *
 * @typedef {object} RetainedSizes
 * @property {Float64Array} bytes by node
 * @property {Float64Array} offHeapBytes the part of `bytes` that V8 keeps outside its heap
 */

/** @type {(graph: HeapGraph, tree: DominatorTree) => RetainedSizes} */
export function sumRetainedSizes({ selfBytes, nodeTypes, nodeTypeNames }, { order, dominators }) {
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
