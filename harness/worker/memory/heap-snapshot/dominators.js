/** @import { HeapGraph } from './read-snapshot.js' */

/** Dominator of an unreachable node. */
export const NO_NODE = 0xffffffff;

/**
 * Dominator tree in the order of a depth-first search: a dominator precedes its nodes.
 *
 * @typedef {object} DominatorTree
 * @property {Uint32Array} order reachable nodes, the root first
 * @property {Uint32Array} dominators immediate dominator by node; the root's own is itself
 */

/**
 * Immediate dominators by the semi-NCA algorithm: semidominators by path compression as in Lengauer
 * and Tarjan, "A fast algorithm for finding dominators in a flowgraph" (1979), then the nearest
 * common ancestor of parent and semidominator, after Georgiadis, "Linear-time algorithms for
 * dominators and related problems" (2005).
 * @type {(graph: FlowGraph, root: number) => DominatorTree}
 */
export function findDominators(graph, root) {
  const { order, numbers, parents } = searchDepthFirst(graph, root);
  const sources = reverseEdges(graph, order, numbers);
  const semi = findSemidominators(sources, parents);
  // In terms of positions in the search order, in which every dominator comes before its nodes.
  const above = parents;
  for (let at = 1; at < order.length; at++) {
    let candidate = above[at];
    while (candidate > semi[at]) candidate = above[candidate];
    above[at] = candidate;
  }
  const dominators = new Uint32Array(graph.nodeCount).fill(NO_NODE);
  for (let at = 0; at < order.length; at++) dominators[order[at]] = order[above[at]];
  return { order, dominators };
}

/**
 * @param {FlowGraph} graph
 * @param {number} root
 * @returns {{ order: Uint32Array, numbers: Uint32Array, parents: Uint32Array }} nodes in order;
 *   position by node; position of the parent by position
 */
function searchDepthFirst({ nodeCount, firstEdge, targets }, root) {
  const order = new Uint32Array(nodeCount);
  const parents = new Uint32Array(nodeCount);
  const numbers = new Uint32Array(nodeCount).fill(NO_NODE);
  const nextEdge = firstEdge.slice(0, nodeCount);
  const path = new Uint32Array(nodeCount);
  let depth = 0;
  let reached = 0;
  path[0] = root;
  order[0] = root;
  numbers[root] = reached++;
  while (depth >= 0) {
    const node = path[depth];
    if (nextEdge[node] === firstEdge[node + 1]) {
      depth--;
      continue;
    }
    const target = targets[nextEdge[node]++];
    if (numbers[target] !== NO_NODE) continue;
    parents[reached] = numbers[node];
    order[reached] = target;
    numbers[target] = reached++;
    path[++depth] = target;
  }
  return { order: order.subarray(0, reached), numbers, parents: parents.subarray(0, reached) };
}

/**
 * @param {FlowGraph} graph
 * @param {Uint32Array} order
 * @param {Uint32Array} numbers
 * @returns {{ first: Uint32Array, positions: Uint32Array }} of the sources of each node's incoming
 *   edges, all in terms of positions
 */
function reverseEdges({ firstEdge, targets }, order, numbers) {
  const first = new Uint32Array(order.length + 1);
  for (const node of order) {
    for (let edge = firstEdge[node]; edge < firstEdge[node + 1]; edge++) {
      first[numbers[targets[edge]] + 1]++;
    }
  }
  for (let at = 0; at < order.length; at++) first[at + 1] += first[at];
  const positions = new Uint32Array(first[order.length]);
  const free = first.slice(0, order.length);
  for (let at = 0; at < order.length; at++) {
    const node = order[at];
    for (let edge = firstEdge[node]; edge < firstEdge[node + 1]; edge++) {
      positions[free[numbers[targets[edge]]]++] = at;
    }
  }
  return { first, positions };
}

/**
 * @param {{ first: Uint32Array, positions: Uint32Array }} sources
 * @param {Uint32Array} parents by position
 * @returns {Uint32Array} semidominator by position
 */
function findSemidominators({ first, positions }, parents) {
  const count = parents.length;
  const semi = new Uint32Array(count);
  for (let at = 0; at < count; at++) semi[at] = at;
  const best = Uint32Array.from(semi);
  const ancestors = Uint32Array.from(parents);
  const path = new Uint32Array(count);
  for (let at = count - 1; at > 0; at--) {
    let lowest = parents[at];
    for (let edge = first[at]; edge < first[at + 1]; edge++) {
      const source = positions[edge];
      // Positions up to this one are not linked into the forest yet and represent themselves.
      const found = source <= at ? source : semi[findBest(source, at, ancestors, best, semi, path)];
      if (found < lowest) lowest = found;
    }
    semi[at] = lowest;
  }
  return semi;
}

/**
 * Position with the lowest semidominator between this one and the root of its tree in the forest of
 * the positions after `linkedAfter`; compresses the path.
 *
 * @param {number} from
 * @param {number} linkedAfter
 * @param {Uint32Array} ancestors
 * @param {Uint32Array} best
 * @param {Uint32Array} semi
 * @param {Uint32Array} path scratch space
 * @returns {number}
 */
function findBest(from, linkedAfter, ancestors, best, semi, path) {
  let depth = 0;
  let at = from;
  while (ancestors[at] > linkedAfter) {
    path[depth++] = at;
    at = ancestors[at];
  }
  while (depth > 0) {
    const above = at;
    at = path[--depth];
    if (semi[best[above]] < semi[best[at]]) best[at] = best[above];
    ancestors[at] = ancestors[above];
  }
  return best[from];
}

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
