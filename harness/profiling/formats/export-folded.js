import { formatFrameLabel } from '../profiles/frame-label.js';

/** @import { Profile } from '../../formats/profile-types.ts' */

/**
 * Folded stacks, a line each: frames from the root on, divided by semicolons, a space, the weight.
 * Nodes without self weight have no line.
 *
 * Source: https://github.com/brendangregg/FlameGraph
 *
 * @param {Profile} profile
 * @returns {string}
 */
export function exportFolded({ frames, nodes }) {
  const labels = frames.map(formatFrameLabel);
  /** @type {string[]} */
  const stacks = [];
  let text = '';
  for (const { frame, parent, self } of nodes) {
    const stack = parent === -1 ? labels[frame] : `${stacks[parent]};${labels[frame]}`;
    stacks.push(stack);
    if (self !== 0) text += `${stack} ${self}\n`;
  }
  return text;
}
