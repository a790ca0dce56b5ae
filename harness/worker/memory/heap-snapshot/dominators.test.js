import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { findDominators, NO_NODE } from './dominators.js';

/** @import { FlowGraph } from './dominators.js' */

/** @param {number[][]} successors by node @returns {FlowGraph} */
function makeGraph(successors) {
  const firstEdge = new Uint32Array(successors.length + 1);
  successors.forEach((targets, node) => {
    firstEdge[node + 1] = firstEdge[node] + targets.length;
  });
  return { nodeCount: successors.length, firstEdge, targets: Uint32Array.from(successors.flat()) };
}

/**
 * Nodes that are reachable from the root without passing one of them.
 * @type {(successors: number[][], without: number) => Set<number>}
 */
function reach(successors, without) {
  const reached = new Set(without === 0 ? [] : [0]);
  for (const node of reached) {
    for (const target of successors[node]) if (target !== without) reached.add(target);
  }
  return reached;
}

/**
 * Immediate dominators by definition: of all nodes without which a node is unreachable, the one that is
 * itself unreachable without each of the others.
 * @type {(successors: number[][]) => number[]}
 */
function findByDefinition(successors) {
  const all = reach(successors, -1);
  const lost = successors.map((_, without) => {
    const left = reach(successors, without);
    return new Set([...all].filter((node) => node !== without && !left.has(node)));
  });
  return successors.map((_, node) => {
    if (node === 0) return 0;
    if (!all.has(node)) return NO_NODE;
    const above = successors.flatMap((__, other) => (lost[other].has(node) ? [other] : []));
    return /** @type {number} */ (
      above.find((one) => above.every((other) => other === one || lost[other].has(one)))
    );
  });
}

describe('dominators', () => {
  /** @type {[string, number[][], number[]][]} */
  const graphs = [
    ['of a chain', [[1], [2], []], [0, 0, 1]],
    ['of a diamond', [[1, 2], [3], [3], []], [0, 0, 0, 0]],
    ['of a loop with two entries', [[1, 2], [2], [1]], [0, 0, 0]],
    ['of a shared node', [[1, 2], [3], [3], [4, 5], [5], []], [0, 0, 0, 0, 3, 3]],
    ['of unreachable nodes', [[1], [], [1]], [0, 0, NO_NODE]],
    ['of a node with an edge to itself', [[1], [1, 2], []], [0, 0, 1]],
  ];
  test.each(graphs)('%s', (_, successors, expected) => {
    expect([...findDominators(makeGraph(successors), 0).dominators]).toEqual(expected);
  });

  test('agree with the definition on 300 random graphs', () => {
    const random = xoroshiro128plus(2025);
    const draw = (/** @type {number} */ below) => (random.next() >>> 0) % below;
    for (let round = 0; round < 300; round++) {
      const count = 2 + draw(12);
      const successors = Array.from({ length: count }, () =>
        Array.from({ length: draw(4) }, () => draw(count)),
      );
      const { dominators } = findDominators(makeGraph(successors), 0);
      expect([successors, [...dominators]]).toEqual([successors, findByDefinition(successors)]);
    }
  });

  test('precede the nodes that they dominate', () => {
    const { order, dominators } = findDominators(makeGraph([[2], [3], [1, 3], []]), 0);
    expect(order[0]).toBe(0);
    for (const node of order.subarray(1)) {
      expect(order.indexOf(dominators[node])).toBeLessThan(order.indexOf(node));
    }
  });

  test('of a chain of 200 000 nodes are found without recursion', () => {
    const count = 200_000;
    const successors = Array.from({ length: count }, (_, node) =>
      node + 1 < count ? [node + 1] : [0],
    );
    const { dominators } = findDominators(makeGraph(successors), 0);
    expect(dominators[count - 1]).toBe(count - 2);
  });
});
