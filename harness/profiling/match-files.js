import { basename, join } from 'node:path';
import { shortenFile } from './profiles/shorten-file.js';

/** @import { Profile } from '../formats/profile-types.ts' */
/** @import { DeoptLog, ResolvedVariant } from '../formats/types.ts' */

/** @typedef {Pick<ResolvedVariant, 'kind' | 'spec' | 'source' | 'modulePath'>} Located */
/** @typedef {(file: string | null) => string | null} RenameFile */

/**
 * Two checkouts of one package, or a checkout and a published version, lie in directories of
 * different names, and yet their files are the same: they are to be called as the baseline's are.
 *
 * @param {Record<'baseline' | 'candidate', Located>} variants
 * @param {string} projectPath absolute
 * @returns {RenameFile} for files of the candidate, as shortened in frames
 */
export function makeFileMatcher({ baseline, candidate }, projectPath) {
  const wanted = findPrefix(baseline, projectPath);
  const found = findPrefix(candidate, projectPath);
  const isCheckout = baseline.kind === 'path' || candidate.kind === 'path';
  if (wanted === null || found === null || !isCheckout) return (file) => file;
  return function renameFile(file) {
    return file?.startsWith(found) === true ? `${wanted}${file.slice(found.length)}` : file;
  };
}

/**
 * @param {Located} variant
 * @param {string} projectPath
 * @returns {string | null} what the short names of a package's files begin with; null for what is no
 *   package
 */
function findPrefix({ kind, spec, source, modulePath }, projectPath) {
  if (kind === 'npm') return `${spec.slice('npm:'.length, spec.lastIndexOf('@'))}/`;
  if (kind !== 'path' || source === modulePath) return null;
  const shortened = shortenFile(join(source, 'x'), projectPath) ?? '';
  return shortened.startsWith('…') ? `…/${basename(source)}/` : shortened.slice(0, -'x'.length);
}

/**
 * @param {Profile} profile
 * @param {RenameFile} renameFile
 * @returns {Profile}
 */
export function renameProfile(profile, renameFile) {
  const frames = profile.frames.map((frame) => ({ ...frame, file: renameFile(frame.file) }));
  return { ...profile, frames };
}

/**
 * @param {DeoptLog} log
 * @param {RenameFile} renameFile
 * @returns {DeoptLog}
 */
export function renameLog({ functions }, renameFile) {
  return {
    functions: functions.map((entry) => ({
      ...entry,
      file: renameFile(entry.file) ?? entry.file,
      deopts: entry.deopts.map((deopt) => ({ ...deopt, file: renameFile(deopt.file) })),
    })),
  };
}
