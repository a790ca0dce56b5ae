/** @import { Profile } from '../../formats/profile-types.ts' */

/**
 * @param {Profile} profile
 * @param {number} factor of every weight
 * @returns {Profile}
 */
export function scaleProfile(profile, factor) {
  return {
    ...profile,
    nodes: profile.nodes.map((node) => ({ ...node, self: node.self * factor })),
    lines: profile.lines.map((line) => ({ ...line, self: line.self * factor })),
  };
}
