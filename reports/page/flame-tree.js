/** The tree of a flamegraph, from the columns embedded in the page. */

/** @import { Frame } from '../../harness/formats/profile-types.ts' */
/** @import { FlameData } from '../figures/flame-data.js' */

/** @typedef {Record<'baseline' | 'candidate', number>} ArmWeights */
/** @typedef {'difference' | 'baseline' | 'candidate'} FlameView */

/**
 * A function called from one place. d3-flame-graph reads `value` and `children`.
 *
 * @typedef {object} FlameNode
 * @property {number} index the same in all views; −1 for the root
 * @property {string} name
 * @property {Frame['kind'] | 'root' | 'other'} kind
 * @property {string | null} file
 * @property {number | null} line
 * @property {ArmWeights} self
 * @property {ArmWeights} total
 * @property {boolean} isElsewhere whether the arm that lacks it here runs the function elsewhere
 * @property {number} width the larger total of both arms, or the sum of its children where
 *   that is more: a function that is gone keeps its size
 * @property {number} value its width in this view
 * @property {FlameNode[]} children
 */

/**
 * @param {FlameData} data
 * @param {FlameView} view of one arm: only what that arm runs
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
 * @returns {Record<'baseline' | 'candidate', Set<number>>} frames that an arm runs anywhere, or
 *   whose callees it runs
 */
function listFunctions({ nodes }) {
  const runs = { baseline: new Set(), candidate: new Set() };
  for (const arm of /** @type {const} */ (['baseline', 'candidate'])) {
    const isRun = nodes[arm].map((self) => self > 0);
    for (let index = isRun.length - 1; index >= 0; index--) {
      const parent = nodes.parent[index] ?? -1;
      if (isRun[index] !== true) continue;
      runs[arm].add(nodes.frame[index]);
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

/** @type {(data: FlameData, index: number) => FlameNode} */
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
 * @param {ArmWeights} self
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

/** @type {(weights: ArmWeights) => 'gone' | 'new' | 'both' | 'none'} which arms run it */
export function presenceOf({ baseline, candidate }) {
  if (baseline > 0) return candidate > 0 ? 'both' : 'gone';
  return candidate > 0 ? 'new' : 'none';
}

/**
 * Sums what a search found; a match below another match counts once.
 * @type {(root: FlameNode, isMatch: (node: FlameNode) => boolean) => { matches: number, total: ArmWeights }}
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
 * @returns {boolean} whether name or file of a function contain the term, ignoring case
 */
export function matchesTerm({ name, file, kind }, term) {
  if (term === '' || kind === 'root' || kind === 'other') return false;
  const text = file === null ? name : `${name} ${file}`;
  return text.toLowerCase().includes(term.toLowerCase());
}
