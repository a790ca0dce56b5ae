import { readFileSync, statSync } from 'node:fs';
import { join, normalize, sep } from 'node:path';
import { PROJECT } from '../lib/project.js';
import { findTreeRoot } from '../variants/family-tree.js';

/** @import { Profile, SourceLine } from '../formats/profile-types.ts' */
/** @import { ResolvedVariant } from '../formats/types.ts' */
/** @import { ComparedArm } from './explain/types.ts' */

/** Limit of a report; the artefacts have all lines. */
const MAX_LINES = 40;
const NO_FRAME = Object.freeze({ file: null, name: '', line: null });

/** @type {Map<string, string[] | null>} lines of files by path */
const sources = new Map();

/** Directory with the sources of each arm; null if this checkout does not have them.
 * @typedef {Record<ComparedArm, string | null>} SourceRoots */

/**
 * @param {Pick<ResolvedVariant, 'patchedPath'>} variant
 * @param {string | null} familyPath absolute; null if it is not here
 * @returns {string | null} the directory in which frames name its files
 */
export function findSources({ patchedPath }, familyPath) {
  if (patchedPath === undefined) return PROJECT.projectPath;
  if (familyPath === null) return null;
  // The manifest is untrusted: only the cache is read.
  const root = normalize(findTreeRoot(familyPath, patchedPath));
  return root.startsWith(join(PROJECT.cachePath, 'patched') + sep) ? root : null;
}

/**
 * @param {Profile} baseline
 * @param {Profile} candidate
 * @param {SourceRoots} roots
 * @returns {SourceLine[]} the heaviest first
 */
export function compareLines(baseline, candidate, roots) {
  /** @type {Map<string, SourceLine>} */
  const lines = new Map();
  for (const [arm, profile] of /** @type {const} */ ([
    ['baseline', baseline],
    ['candidate', candidate],
  ])) {
    for (const { frame, line, self } of profile.lines) {
      const { file, name, line: first } = profile.frames[frame] ?? NO_FRAME;
      if (file === null || first === null) continue;
      const root = roots[arm];
      const source = root === null ? null : readSource(root, file);
      // The arms may have two versions of a package, with different lines.
      if (source === null) continue;
      // V8 attributes ticks of inlined code to the caller, with line numbers of the other file.
      if (!isInFunction(source, first, line)) continue;
      const text = source[line - 1] ?? null;
      // A patch moves the lines after it, so that a line is not identified by its number.
      const occurrence = source.slice(0, line).filter((other) => other === text).length;
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

/**
 * @param {string[]} source lines
 * @param {number} first line of the function, from 1
 * @param {number} line from 1
 * @returns {boolean} whether the line is in the function, assuming formatted code: it ends with the first
 *   closing brace that is indented like its first line
 */
function isInFunction(source, first, line) {
  if (line < first) return false;
  const indent = /^\s*/.exec(source[first - 1] ?? '')?.[0] ?? '';
  for (let index = first; index < Math.min(line - 1, source.length); index++) {
    if (source[index].startsWith(`${indent}}`)) return false;
  }
  return true;
}

/**
 * @param {string} root of the sources
 * @param {string} file shortened name as in frames
 * @returns {string[] | null} its lines; null for a file outside of the root
 */
function readSource(root, file) {
  const path = normalize(join(root, file));
  if (!path.startsWith(root + sep)) return null;
  const known = sources.get(path);
  if (known !== undefined) return known;
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  const lines = isFile ? readFileSync(path, 'utf8').split('\n') : null;
  sources.set(path, lines);
  return lines;
}
