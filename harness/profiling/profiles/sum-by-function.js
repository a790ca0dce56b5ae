import { functionKey } from './frames.js';
import { walkNodes } from './transforms.js';

/** @import { Frame, Profile } from '../../formats/profile-types.ts' */

/**
 * @typedef {object} FunctionWeights
 * @property {Frame} frame the first with this key
 * @property {number} self
 * @property {number} total weight of the stacks that the function is on, each counted once however
 *   often the function is on it
 */

/**
 * @param {Profile} profile
 * @returns {Map<string, FunctionWeights>} by function key
 */
export function sumByFunction({ frames, nodes }) {
  /** @type {Map<string, FunctionWeights>} */
  const sums = new Map();
  const sumOf = frames.map((frame) => {
    const key = functionKey(frame);
    const sum = sums.get(key) ?? { frame, self: 0, total: 0 };
    sums.set(key, sum);
    return sum;
  });
  /** @type {Map<FunctionWeights, number>} */
  const depths = new Map();
  const totals = new Float64Array(nodes.length);
  walkNodes(
    nodes,
    function enterNode(index) {
      const sum = sumOf[nodes[index].frame];
      depths.set(sum, (depths.get(sum) ?? 0) + 1);
      sum.self += nodes[index].self;
      totals[index] += nodes[index].self;
    },
    function leaveNode(index) {
      const { frame, parent } = nodes[index];
      const depth = /** @type {number} */ (depths.get(sumOf[frame])) - 1;
      depths.set(sumOf[frame], depth);
      if (depth === 0) sumOf[frame].total += totals[index];
      if (parent !== -1) totals[parent] += totals[index];
    },
  );
  return sums;
}
