import { buildProfile } from './build-profile.js';

/** @import { Frame, Profile } from '../../formats/profile-types.ts' */

const DROPPED = -2;

/**
 * Keeps what lies below the measured loop, which becomes the root of the tree, and what no function
 * is answerable for: garbage collection and `(program)` at the root.
 *
 * @param {Profile} profile
 * @param {(frame: Frame) => boolean} isRoot whether this function is the measured loop
 * @returns {{ profile: Profile, droppedShare: number }} `droppedShare`: how much of the weight was
 *   elsewhere, 0…1
 */
export function focusProfile(profile, isRoot) {
  const { frames, nodes } = profile;
  const builder = buildProfile(profile);
  const isRootFrame = frames.map((frame) => isRoot(frame));
  /** @type {Map<number, number>} */
  const keptFrames = new Map();
  const keptNodes = new Int32Array(nodes.length);
  let total = 0;
  let dropped = 0;
  for (let index = 0; index < nodes.length; index++) {
    const { frame, parent, self } = nodes[index];
    total += self;
    const keptParent = parent === -1 ? DROPPED : keptNodes[parent];
    const isNobodys = parent === -1 && isMachine(frames[frame]);
    if (keptParent === DROPPED && !isRootFrame[frame] && !isNobodys) {
      keptNodes[index] = DROPPED;
      dropped += self;
      continue;
    }
    const keptFrame = keptFrames.get(frame) ?? builder.addFrame(frames[frame]);
    keptFrames.set(frame, keptFrame);
    keptNodes[index] = builder.addNode(keptParent === DROPPED ? -1 : keptParent, keptFrame);
    builder.addSelf(keptNodes[index], self);
  }
  for (const { frame, line, self } of profile.lines) {
    const keptFrame = keptFrames.get(frame);
    if (keptFrame !== undefined) builder.addLine(keptFrame, line, self);
  }
  return {
    profile: builder.finish(profile.samples),
    droppedShare: total === 0 ? 0 : dropped / total,
  };
}

/** @param {Frame} frame */
function isMachine({ kind }) {
  return kind === 'gc' || kind === 'program';
}
