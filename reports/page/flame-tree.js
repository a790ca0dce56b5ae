/** The tree of a flamegraph, from the columns that the page brings along. */

/** @import { Frame } from '../../harness/formats/profile-types.ts' */
/** @import { FlameData } from '../figures/flame-data.js' */

/** @typedef {Record<'baseline' | 'candidate', number>} Sides */
/** @typedef {'difference' | 'baseline' | 'candidate'} FlameView */

/**
 * A function as called from a certain place. `value` and `children` are the fields that
 * d3-flame-graph reads.
 *
 * @typedef {object} FlameNode
 * @property {number} index the same in all views; −1 for the root
 * @property {string} name
 * @property {Frame['kind'] | 'root' | 'other'} kind
 * @property {string | null} file
 * @property {number | null} line
 * @property {Sides} self
 * @property {Sides} total
 * @property {boolean} isElsewhere whether the side that does not have it here runs the function from
 *   another place
 * @property {number} width total on the larger side, or the widths of the children where that is
 *   more: a function that vanished keeps the size that it had
 * @property {number} value what the width on the screen follows in this view
 * @property {FlameNode[]} children
 */

/**
 * @param {FlameData} data
 * @param {FlameView} view the view of one side has only what that side runs
 * @param {string} rootName
 * @returns {FlameNode} the root
 */
export function buildFlameTree(data, view, rootName) {
  const root = makeNode(-1, rootName, 'root', null, null, { baseline: 0, candidate: 0 });
  const nodes = data.nodes.frame.map((_, index) => readNode(data, index));
  const runs = listFunctions(data);
  for (let index = nodes.length - 1; index >= 0; index--) {
    const node = /** @type {FlameNode} */ (nodes[index]);
    closeNode(node, view);
    const frame = data.nodes.frame[index] ?? -1;
    const presence = presenceOf(node.total);
    node.isElsewhere =
      (presence === 'gone' && runs.candidate.has(frame)) ||
      (presence === 'new' && runs.baseline.has(frame));
    const parent = nodes[data.nodes.parent[index] ?? -1] ?? root;
    parent.total.baseline += node.total.baseline;
    parent.total.candidate += node.total.candidate;
    parent.width += node.width;
    if (node.value > 0) parent.children.push(node);
  }
  closeNode(root, view);
  return root;
}

/**
 * @param {FlameData} data
 * @returns {Record<'baseline' | 'candidate', Set<number>>} frames that a side has anywhere, alone or
 *   through what they call
 */
function listFunctions({ nodes }) {
  const runs = { baseline: new Set(), candidate: new Set() };
  for (const side of /** @type {const} */ (['baseline', 'candidate'])) {
    const isRun = nodes[side].map((self) => self > 0);
    for (let index = isRun.length - 1; index >= 0; index--) {
      const parent = nodes.parent[index] ?? -1;
      if (isRun[index] !== true) continue;
      runs[side].add(nodes.frame[index]);
      if (parent >= 0) isRun[parent] = true;
    }
  }
  return runs;
}

/**
 * @param {FlameNode} node whose children are complete, the last one first
 * @param {FlameView} view
 */
function closeNode(node, view) {
  node.children.reverse();
  node.width = Math.max(node.total.baseline, node.total.candidate, node.width);
  node.value = view === 'difference' ? node.width : node.total[view];
}

/**
 * @param {FlameData} data
 * @param {number} index
 * @returns {FlameNode}
 */
function readNode({ frames, nodes }, index) {
  const self = { baseline: nodes.baseline[index] ?? 0, candidate: nodes.candidate[index] ?? 0 };
  const frame = frames[nodes.frame[index] ?? -1];
  if (frame === undefined) return makeNode(index, '(other)', 'other', null, null, self);
  const [name, kind, file, line] = frame;
  return makeNode(index, name, kind, file, line, self);
}

/**
 * @param {number} index
 * @param {string} name
 * @param {FlameNode['kind']} kind
 * @param {string | null} file
 * @param {number | null} line
 * @param {Sides} self
 * @returns {FlameNode}
 */
function makeNode(index, name, kind, file, line, self) {
  const total = { ...self };
  return {
    index,
    name,
    kind,
    file,
    line,
    self,
    total,
    isElsewhere: false,
    width: 0,
    value: 0,
    children: [],
  };
}

/**
 * @param {Sides} weights
 * @returns {'gone' | 'new' | 'both' | 'none'} which sides have it
 */
export function presenceOf({ baseline, candidate }) {
  if (baseline > 0) return candidate > 0 ? 'both' : 'gone';
  return candidate > 0 ? 'new' : 'none';
}

/**
 * What a search found, a match below another one counted once.
 *
 * @param {FlameNode} root
 * @param {(node: FlameNode) => boolean} isMatch
 * @returns {{ matches: number, total: Sides }}
 */
export function sumMatches(root, isMatch) {
  const found = { matches: 0, total: { baseline: 0, candidate: 0 } };
  /** @type {{ node: FlameNode, isWithin: boolean }[]} */
  const waiting = [{ node: root, isWithin: false }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, isWithin } = next;
    const matches = isMatch(node);
    if (matches) found.matches++;
    if (matches && !isWithin) {
      found.total.baseline += node.total.baseline;
      found.total.candidate += node.total.candidate;
    }
    for (const child of node.children) waiting.push({ node: child, isWithin: isWithin || matches });
  }
  return found;
}

/**
 * @param {FlameNode} node
 * @param {string} term
 * @returns {boolean} whether name or file of a function hold the term, in capitals or not
 */
export function matchesTerm({ name, file, kind }, term) {
  if (term === '' || kind === 'root' || kind === 'other') return false;
  const text = file === null ? name : `${name} ${file}`;
  return text.toLowerCase().includes(term.toLowerCase());
}
