/** @import { Profile, SourceLine } from '../formats/profile-types.ts' */

/** Limit of a report; the artefacts have all lines. */
const MAX_LINES = 40;

/**
 * @param {Profile} baseline
 * @param {Profile} candidate
 * @returns {SourceLine[]} the heaviest first
 */
export function compareLines(baseline, candidate) {
  /** @type {Map<string, SourceLine>} */
  const lines = new Map();
  for (const [arm, profile] of /** @type {const} */ ([
    ['baseline', baseline],
    ['candidate', candidate],
  ])) {
    for (const { frame, line, text, occurrence, self } of profile.lines) {
      const { file = null, name = '' } = profile.frames[frame] ?? {};
      if (file === null || text === undefined) continue;
      // An edit moves the lines after it, so that a line is not identified by its number.
      const key = `${file}:${occurrence}:${text}`;
      let entry = lines.get(key);
      if (entry === undefined) {
        entry = { file, line, name, text, baseline: 0, candidate: 0 };
        lines.set(key, entry);
      }
      entry[arm] += self;
    }
  }
  return [...lines.values()]
    .sort((a, b) => Math.max(b.baseline, b.candidate) - Math.max(a.baseline, a.candidate))
    .slice(0, MAX_LINES);
}
