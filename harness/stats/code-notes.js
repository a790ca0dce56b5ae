/** Notes on the code of variants, printed before anything is measured and in the report. */

import { listNotes } from './host/host.js';
import { listWords } from '../lib/words.js';

/** @import { Manifest, ResolvedVariant } from '../formats/types.ts' */
/** @import { Note } from './notes.js' */

/** @typedef {Pick<Manifest['variants'], 'baseline' | 'candidates'>} Compared */

/** @type {{ kind: string, text: (variants: Compared) => string | null }[]} */
const CODE_NOTES = [
  {
    kind: 'same-code',
    text({ baseline, candidates }) {
      const same = candidates.filter((candidate) => isSameCode(baseline, candidate));
      if (same.length === 0) return null;
      const names = same.map(({ spec }) => spec);
      const verb = same.length === 1 ? 'loads' : 'load';
      return `${listWords(names)} ${verb} the same files as ${baseline.spec}, with the same content: the code is compared with itself.`;
    },
  },
  {
    kind: 'stale-build',
    text({ baseline, candidates }) {
      const stale = [baseline, ...candidates].flatMap(({ spec, staleBuild }) =>
        staleBuild === undefined ? [] : [{ spec, ...staleBuild }],
      );
      if (stale.length === 0) return null;
      const phrases = stale.map(
        ({ spec, source, command = 'its build' }) =>
          `'${source}' of ${spec} is newer than the files that it loads (run ${command})`,
      );
      return `${listWords(phrases)}: what is measured may be older than the sources.`;
    },
  },
];

/** @type {(variants: Compared) => Note[]} */
export function noteCode(variants) {
  return listNotes(CODE_NOTES, variants);
}

/**
 * Reports whether two arms run the same code although the user has named two things. Built-in variants with different
 * settings, and one variant under two runtimes, are compared on purpose.
 *
 * @type {(one: ResolvedVariant, other: ResolvedVariant) => boolean}
 */
function isSameCode(one, other) {
  const isOnPurpose =
    one.spec === other.spec ||
    one.program !== undefined ||
    one.runtime !== other.runtime ||
    one.buildPath !== other.buildPath ||
    JSON.stringify(one.settings) !== JSON.stringify(other.settings);
  return !isOnPurpose && one.digest === other.digest;
}
