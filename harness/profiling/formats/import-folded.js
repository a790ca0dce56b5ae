import { FormatError } from '../../lib/errors.js';
import { buildProfile } from '../profiles/build-profile.js';
import { parseFrameLabel } from '../profiles/frame-label.js';

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
