/** @import { HeapGraph } from './read-snapshot.js' */

/** V8 has two edges to the value of a WeakMap entry, from the key and from the table. */
const PAIR_IN_WEAK_MAP = /part of key .* pair in WeakMap \(table @(\d+)\)$/;

/**
 * A graph of forward edges; those of node n are `targets` from `firstEdge[n]` up to
 * `firstEdge[n + 1]`.
 *
 * @typedef {object} FlowGraph
 * @property {number} nodeCount
 * @property {Uint32Array} firstEdge
 * @property {Uint32Array} targets
 */

/**
 * Selects the edges that keep their target alive: all but weak edges, V8's shortcuts, and edges from the
 * table of a WeakMap to a value, which lives as long as its key.
 * @type {(graph: HeapGraph) => FlowGraph}
 */
export function selectEdges(graph) {
  const { nodeCount, edgeTypes, edgeTypeNames, edgeTargets } = graph;
  const [weak, shortcut] = ['weak', 'shortcut'].map((name) => edgeTypeNames.indexOf(name));
  const internal = edgeTypeNames.indexOf('internal');
  const tableOfPair = findPairNames(graph);
  const firstEdge = new Uint32Array(nodeCount + 1);
  const targets = new Uint32Array(edgeTargets.length);
  let kept = 0;
  for (let node = 0; node < nodeCount; node++) {
    for (let edge = graph.firstEdge[node]; edge < graph.firstEdge[node + 1]; edge++) {
      const type = edgeTypes[edge];
      if (type === weak || type === shortcut) continue;
      const table = type === internal ? tableOfPair.get(graph.edgeNames[edge]) : undefined;
      if (table === graph.nodeIds[node]) continue;
      targets[kept++] = edgeTargets[edge];
    }
    firstEdge[node + 1] = kept;
  }
  return { nodeCount, firstEdge, targets: targets.subarray(0, kept) };
}

/** @type {(graph: HeapGraph) => Map<number, number>} id of the table by index of the edge's name */
function findPairNames({ strings }) {
  /** @type {Map<number, number>} */
  const tables = new Map();
  for (let index = 0; index < strings.length; index++) {
    if (!strings[index].includes('pair in WeakMap')) continue;
    const match = PAIR_IN_WEAK_MAP.exec(strings[index]);
    if (match !== null) tables.set(index, Number(match[1]));
  }
  return tables;
}
