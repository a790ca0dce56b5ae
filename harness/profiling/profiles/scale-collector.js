/** @import { Profile } from '../../formats/profile-types.ts' */

/**
 * Gives garbage collection the share of time that it has in undisturbed processes. Native stacks
 * count the time of the processor, in which a thread that waits for its helpers takes none, and beside
 * a recorder pauses are longer; what differs from process to process is kept.
 *
 * @param {Profile[]} profiles of one side, a process each, the same unit
 * @param {number | null} share of the time that collections take, 0…1; null leaves all as it is
 * @returns {Profile[]}
 */
export function scaleCollector(profiles, share) {
  if (share === null || share >= 1) return profiles;
  const sums = profiles.map(sumByKind);
  const collecting = sums.reduce((total, { collector }) => total + collector, 0);
  const working = sums.reduce((total, { others }) => total + others, 0);
  const wanted = (working * share) / (1 - share);
  if (collecting > 0) {
    return profiles.map((profile) => scaleKind(profile, wanted / collecting));
  }
  if (wanted === 0) return profiles;
  return profiles.map((profile, index) =>
    addCollector(profile, (sums[index].others * share) / (1 - share)),
  );
}

/** @param {Profile} profile */
function sumByKind({ frames, nodes }) {
  let collector = 0;
  let others = 0;
  for (const { frame, self } of nodes) {
    if (frames[frame].kind === 'gc') collector += self;
    else others += self;
  }
  return { collector, others };
}

/**
 * @param {Profile} profile
 * @param {number} factor
 * @returns {Profile}
 */
function scaleKind(profile, factor) {
  const { frames, nodes } = profile;
  return {
    ...profile,
    nodes: nodes.map((node) =>
      frames[node.frame].kind === 'gc' ? { ...node, self: node.self * factor } : node,
    ),
  };
}

/**
 * @param {Profile} profile without a collection in its samples
 * @param {number} self
 * @returns {Profile}
 */
function addCollector(profile, self) {
  const { frames, nodes } = profile;
  return {
    ...profile,
    frames: [
      ...frames,
      { name: '(garbage collector)', kind: 'gc', file: null, line: null, column: null },
    ],
    nodes: [...nodes, { frame: frames.length, parent: -1, self }],
  };
}
