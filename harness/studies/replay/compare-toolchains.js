/** @import { ReplayVariant } from '../../formats/types.ts' */
/** @import { EnvironmentDifference } from './compare-environments.js' */

/** @typedef {Record<'baseline' | 'candidate', Pick<ReplayVariant, 'toolchain'>>} Sides */

/**
 * Programs that built or run the variants in other versions than those of the report.
 *
 * @param {Sides} recorded
 * @param {Sides} here
 * @returns {EnvironmentDifference[]} one a program
 */
export function compareToolchains(recorded, here) {
  const [then, now] = [recorded, here].map(({ baseline, candidate }) => ({
    ...baseline.toolchain,
    ...candidate.toolchain,
  }));
  return [...new Set([...Object.keys(then), ...Object.keys(now)])]
    .map((part) => ({ part, recorded: then[part] ?? 'none', here: now[part] ?? 'none' }))
    .filter((difference) => difference.recorded !== difference.here);
}
