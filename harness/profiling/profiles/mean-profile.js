import { buildProfile } from './build-profile.js';

/** @import { Profile } from '../../formats/profile-types.ts' */

/**
 * The mean of profiles of the same thing, each per document: a node that a profile does not have
 * weighs nothing there. `samples` is the sum.
 *
 * @param {Profile[]} profiles at least one, of one source and unit
 * @returns {Profile}
 */
export function meanProfile(profiles) {
  const builder = buildProfile(profiles[0]);
  let samples = 0;
  for (const profile of profiles) {
    samples += profile.samples;
    const frameOf = profile.frames.map((frame) => builder.addFrame(frame));
    const nodeOf = new Int32Array(profile.nodes.length);
    for (let index = 0; index < profile.nodes.length; index++) {
      const { frame, parent, self } = profile.nodes[index];
      nodeOf[index] = builder.addNode(parent === -1 ? -1 : nodeOf[parent], frameOf[frame]);
      builder.addSelf(nodeOf[index], self / profiles.length);
    }
    for (const { frame, line, self } of profile.lines) {
      builder.addLine(frameOf[frame], line, self / profiles.length);
    }
  }
  return builder.finish(samples);
}
