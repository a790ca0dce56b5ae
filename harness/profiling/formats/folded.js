import { FormatError } from '../../lib/errors.js';
import { buildProfile } from '../profiles/call-tree.js';
import { formatFrameLabel, parseFrameLabel } from '../profiles/frames.js';

/** @import { Profile } from '../../formats/profile-types.ts' */

const LINE = /^(.+) (\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;

/**
 * Reads folded stacks. They do not say what was counted, or by whom.
 *
 * @param {string} text
 * @param {Pick<Profile, 'source' | 'unit'>} [origin]
 * @returns {Profile} `samples`: stacks, one a line
 * @throws {FormatError} when a line is no stack
 */
export function importFolded(text, origin = { source: 'perf', unit: 'ns' }) {
  const builder = buildProfile(origin);
  /** @type {Map<string, number>} */
  const frames = new Map();
  let samples = 0;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line === '') continue;
    const [, stack, weight] = LINE.exec(line) ?? [];
    if (stack === undefined) {
      throw new FormatError(`line ${index + 1} of folded stacks has no weight: '${line}'`, {
        remedy: "each line is 'outer;inner WEIGHT'; fold the stacks again",
      });
    }
    let node = -1;
    for (const label of stack.split(';')) {
      const frame = frames.get(label) ?? builder.addFrame(parseFrameLabel(label));
      frames.set(label, frame);
      node = builder.addNode(node, frame);
    }
    builder.addSelf(node, Number(weight));
    samples++;
  }
  return builder.finish(samples);
}

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
