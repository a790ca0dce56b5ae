import { FormatError } from '../../lib/errors.js';
import { buildProfile } from '../profiles/call-tree.js';
import { formatFrameLabel, parseFrameLabel } from '../profiles/frames.js';

/** @import { Profile } from '../../formats/profile-types.ts' */

const LINE = /^(.+) (\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;

/**
 * Imports folded stacks. The format has no unit and no source.
 *
 * @param {string} text
 * @param {Pick<Profile, 'source' | 'unit'>} [origin]
 * @returns {Profile} `samples`: number of lines
 * @throws {FormatError} when a line is not a stack
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
 * Exports folded stacks: per line the frames from the root on, separated by semicolons, a space, and the
 * weight. Nodes without self weight have no line.
 *
 * Source: https://github.com/brendangregg/FlameGraph
 * @type {(profile: Profile) => string}
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
