import { buildProfile } from './build-profile.js';

/** @import { Frame, Profile } from '../../formats/profile-types.ts' */

/**
 * Names what has no file of its own, a builtin above all, by the function that calls it: `entries in
 * generateFields`, at that function's place. So a site that allocates is one in somebody's source.
 *
 * @param {Profile} profile
 * @returns {Profile} of the same total
 */
export function nameCallers(profile) {
  const { frames, nodes } = profile;
  const builder = buildProfile(profile);
  /** @type {number[]} */
  const newNodes = [];
  /** @type {(Frame | null)[]} nearest caller with a file, the node itself included */
  const places = [];
  for (const { frame: index, parent, self } of nodes) {
    const frame = frames[index];
    const caller = parent === -1 ? null : places[parent];
    const isPlaced = frame.file !== null || caller === null;
    const named = isPlaced ? frame : placeIn(frame, caller);
    const node = builder.addNode(parent === -1 ? -1 : newNodes[parent], builder.addFrame(named));
    builder.addSelf(node, self);
    newNodes.push(node);
    places.push(frame.file === null ? caller : frame);
  }
  for (const { frame, line, self } of profile.lines) {
    builder.addLine(builder.addFrame(frames[frame]), line, self);
  }
  return builder.finish(profile.samples);
}

/**
 * @param {Frame} frame
 * @param {Frame} caller
 * @returns {Frame}
 */
function placeIn(frame, { name, file, line, column }) {
  return { ...frame, name: `${frame.name} in ${name}`, file, line, column };
}
