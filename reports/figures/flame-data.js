/** The data of a flamegraph: a tree small enough to embed whose sums equal those of the profile. */

/** @import { DifferentialProfile, Frame, ProfileView } from '../../harness/formats/profile-types.ts' */

import { escapeControl } from '../../harness/lib/escape.js';

/** Nodes below this share of the larger arm are folded. */
const MIN_SHARE = 0.0005;
/** Factor by which the smallest share grows until the budget is met. */
const GROWTH = 1.3;
/** Significant digits: more than any profile has, fewer than JSON would write. */
const DIGITS = 6;
/** Frame of folded nodes. */
const OTHER = -1;

/**
 * @typedef {object} FlameData
 * @property {ProfileView['source']} source
 * @property {DifferentialProfile['unit']} unit
 * @property {[name: string, kind: Frame['kind'], file: string | null, line: number | null][]} frames
 * @property {FlameColumns} nodes parents before their children, the widest child first
 * @property {{ nodes: number, baseline: number, candidate: number }} folded nodes, which are drawn as
 *   `(other)`, and their weight in each arm
 */

/**
 * The tree by columns.
 *
 * @typedef {object} FlameColumns
 * @property {number[]} frame index in `frames`; −1 for `(other)`
 * @property {number[]} parent index of a node; −1 for a root
 * @property {number[]} baseline self weight
 * @property {number[]} candidate self weight
 */

/**
 * Folds nodes that are too small to see. Those below a node become its child `(other)`, so that the
 * total of every other node stays the same.
 *
 * @param {ProfileView} view
 * @param {number} budget nodes at most, at least 1
 * @returns {FlameData}
 */
export function prepareFlameData(view, budget) {
  const { nodes } = view.differential;
  const widths = measureWidths(nodes);
  const holders = chooseHolders(nodes, widths, budget);
  const others = foldNodes(nodes, holders);
  return writeColumns(view, sortNodes(nodes, widths, holders), others);
}

/**
 * Width of every node in the view of the difference: the larger total of both arms, or the sum of its
 * children where that is more.
 * @type {(nodes: DifferentialProfile['nodes']) => number[]}
 */
function measureWidths(nodes) {
  const baseline = nodes.map((node) => node.baseline);
  const candidate = nodes.map((node) => node.candidate);
  const inner = nodes.map(() => 0);
  const widths = nodes.map(() => 0);
  for (let index = nodes.length - 1; index >= 0; index--) {
    widths[index] = Math.max(baseline[index] ?? 0, candidate[index] ?? 0, inner[index] ?? 0);
    const parent = nodes[index]?.parent ?? -1;
    if (parent < 0) continue;
    baseline[parent] = (baseline[parent] ?? 0) + (baseline[index] ?? 0);
    candidate[parent] = (candidate[parent] ?? 0) + (candidate[index] ?? 0);
    inner[parent] = (inner[parent] ?? 0) + (widths[index] ?? 0);
  }
  return widths;
}

/**
 * For every node the nearest one at or above it that is kept; −1 for the root.
 * @type {(nodes: DifferentialProfile['nodes'], widths: number[], budget: number) => number[]}
 */
function chooseHolders(nodes, widths, budget) {
  let smallest = MIN_SHARE * Math.max(sumArm(nodes, 'baseline'), sumArm(nodes, 'candidate'));
  for (;;) {
    const holders = findHolders(nodes, widths, smallest);
    if (countDrawn(holders) <= budget) return holders;
    smallest *= GROWTH;
  }
}

/** @type {(nodes: DifferentialProfile['nodes'], widths: number[], smallest: number) => number[]} */
function findHolders(nodes, widths, smallest) {
  /** @type {number[]} */
  const holders = [];
  for (const [index, { parent }] of nodes.entries()) {
    const stays = (widths[index] ?? 0) >= smallest && (parent < 0 || holders[parent] === parent);
    holders.push(stays ? index : parent < 0 ? -1 : (holders[parent] ?? -1));
  }
  return holders;
}

/** @type {(holders: number[]) => number} kept nodes, and one `(other)` for each that has folded ones */
function countDrawn(holders) {
  const staying = holders.filter((holder, index) => holder === index).length;
  return staying + new Set(holders.filter((holder, index) => holder !== index)).size;
}

/**
 * @param {DifferentialProfile['nodes']} nodes
 * @param {number[]} holders
 * @returns {Map<number, { nodes: number, baseline: number, candidate: number }>} by holder
 */
function foldNodes(nodes, holders) {
  const others = new Map();
  for (const [index, { baseline, candidate }] of nodes.entries()) {
    const holder = holders[index];
    if (holder === index) continue;
    const other = others.get(holder) ?? { nodes: 0, baseline: 0, candidate: 0 };
    other.nodes++;
    other.baseline += baseline;
    other.candidate += candidate;
    others.set(holder, other);
  }
  return others;
}

/**
 * @param {DifferentialProfile['nodes']} nodes
 * @param {number[]} widths
 * @param {number[]} holders
 * @returns {number[]} the kept nodes, each after its parent and its wider siblings
 */
function sortNodes(nodes, widths, holders) {
  /** @type {Map<number, number[]>} */
  const children = new Map();
  for (const [index, { parent }] of nodes.entries()) {
    if (holders[index] !== index) continue;
    const siblings = children.get(parent) ?? [];
    siblings.push(index);
    children.set(parent, siblings);
  }
  for (const siblings of children.values()) {
    siblings.sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0) || a - b);
  }
  const order = [];
  const waiting = [...(children.get(-1) ?? [])].reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    order.push(next);
    waiting.push(...[...(children.get(next) ?? [])].reverse());
  }
  return order;
}

/** @type {(view: ProfileView, order: number[], others: ReturnType<typeof foldNodes>) => FlameData} */
function writeColumns({ source, differential }, order, others) {
  /** @type {FlameColumns} */
  const columns = { frame: [], parent: [], baseline: [], candidate: [] };
  const positions = new Map([[-1, -1]]);
  const frames = new Map();
  for (const index of order) {
    const node = /** @type {DifferentialProfile['nodes'][number]} */ (differential.nodes[index]);
    positions.set(index, columns.frame.length);
    if (!frames.has(node.frame)) frames.set(node.frame, frames.size);
    addRow(columns, frames.get(node.frame), positions.get(node.parent) ?? -1, node);
  }
  const folded = { nodes: 0, baseline: 0, candidate: 0 };
  for (const [holder, other] of others) {
    addRow(columns, OTHER, positions.get(holder) ?? -1, other);
    folded.nodes += other.nodes;
    folded.baseline += other.baseline;
    folded.candidate += other.candidate;
  }
  return {
    source,
    unit: differential.unit,
    frames: [...frames.keys()].map((frame) => describeFrame(differential.frames[frame])),
    nodes: columns,
    folded,
  };
}

/**
 * @param {FlameColumns} columns
 * @param {number} frame
 * @param {number} parent
 * @param {{ baseline: number, candidate: number }} self
 */
function addRow(columns, frame, parent, self) {
  columns.frame.push(frame);
  columns.parent.push(parent);
  columns.baseline.push(Number(self.baseline.toPrecision(DIGITS)));
  columns.candidate.push(Number(self.candidate.toPrecision(DIGITS)));
}

/** @type {(frame: Frame | undefined) => FlameData['frames'][number]} */
function describeFrame(frame) {
  const { name = '(unknown)', kind = 'program', file = null, line = null } = frame ?? {};
  return [escapeControl(name), kind, file === null ? null : escapeControl(file), line];
}

/** @type {(nodes: DifferentialProfile['nodes'], arm: 'baseline' | 'candidate') => number} */
function sumArm(nodes, arm) {
  return nodes.reduce((sum, node) => sum + node[arm], 0);
}
