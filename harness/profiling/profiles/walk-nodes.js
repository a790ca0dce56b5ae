/**
 * Walks over trees depth first, without recursion: stacks may be deeper than ours.
 *
 * @param {{ parent: number }[]} nodes parents before their children
 * @param {(node: number) => void} enter
 * @param {(node: number) => void} leave after all below it
 * @returns {void}
 */
export function walkNodes(nodes, enter, leave) {
  // Children of a node, and the roots in the last place, as lists linked by index.
  const firstChild = new Int32Array(nodes.length + 1).fill(-1);
  const nextSibling = new Int32Array(nodes.length).fill(-1);
  for (let index = nodes.length - 1; index >= 0; index--) {
    const parent = nodes[index].parent === -1 ? nodes.length : nodes[index].parent;
    nextSibling[index] = firstChild[parent];
    firstChild[parent] = index;
  }
  let node = firstChild[nodes.length];
  while (node !== -1) {
    enter(node);
    if (firstChild[node] !== -1) {
      node = firstChild[node];
      continue;
    }
    leave(node);
    while (nextSibling[node] === -1 && nodes[node].parent !== -1) {
      node = nodes[node].parent;
      leave(node);
    }
    node = nextSibling[node];
  }
}
