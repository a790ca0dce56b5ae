import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findUpwards } from '../../lib/places.js';
import { PROJECT } from '../../lib/project.js';
import { askGit } from '../../variants/git.js';
import { findPackageRoot } from '../../variants/package-entry.js';
import { isInside, realPath } from './source-files.js';

/** @import { EditedFiles, ResolvedVariant } from '../../formats/types.ts' */
/** @import { ComparedArm } from '../explain/types.ts' */

/** @typedef {Record<ComparedArm, EditedFiles | null>} Edits null if they are unknown */
/** @typedef {Pick<ResolvedVariant, 'kind' | 'source' | 'modulePath' | 'revision'>} Compared */

/** Where revisions are built in the cache: `git/KEY/tree`. */
const GIT = 'git';
const TREE = 'tree';
/** Data may be large, and is not in every clone. */
const CODE = ['*.ts', '*.tsx', '*.mts', '*.cts', '*.js', '*.jsx', '*.mjs', '*.cjs'];
const UNKNOWN = Object.freeze({ baseline: null, candidate: null });
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** What was found for two revisions. @type {Map<string, Edits>} */
const found = new Map();

/**
 * The lines that two revisions of a repository have differently.
 *
 * @param {Record<ComparedArm, Compared>} variants
 * @returns {Edits} unknown unless both are of one repository, and at most one of them has uncommitted changes
 */
export function findEdits(variants) {
  const { baseline, candidate } = variants;
  const key = JSON.stringify([baseline, candidate].map((arm) => [arm.modulePath, arm.revision]));
  const edits = found.get(key) ?? compareRevisions(variants) ?? UNKNOWN;
  found.set(key, edits);
  return edits;
}

/**
 * @param {string} modulePath absolute, of a variant
 * @returns {string | null} the checkout, or the copy of one in the cache; without one the package
 */
export function findTree(modulePath) {
  const path = realPath(modulePath) ?? modulePath;
  const treesPath = realPath(PROJECT.treesPath) ?? PROJECT.treesPath;
  if (isInside(path, treesPath)) {
    // `bench-trees/KEY/…`, `git/KEY/tree/…`
    const [folder = '', key = ''] = path.slice(treesPath.length + 1).split('/');
    return join(treesPath, folder, key, folder === GIT ? TREE : '');
  }
  const repository = findUpwards(dirname(path), '.git');
  return repository === null ? findPackageRoot(path) : dirname(repository);
}

/** @type {(variant: Compared) => string | null} a directory in which git knows the revision */
function findRepository({ kind, source, modulePath, revision }) {
  if (kind === 'path') return source === modulePath ? dirname(source) : source;
  const builds = join(PROJECT.treesPath, GIT);
  const build = existsSync(builds)
    ? readdirSync(builds).find((name) => name.startsWith(String(revision?.commit)))
    : undefined;
  return build === undefined ? null : join(builds, build, TREE);
}

/** @type {(variants: Parameters<typeof findEdits>[0]) => Edits | null} */
function compareRevisions({ baseline, candidate }) {
  const [before, after] = [baseline.revision, candidate.revision];
  if (before === undefined || after === undefined) return null;
  const roots = [baseline, candidate].map(({ modulePath }) => findTree(modulePath));
  const [baselineRoot, candidateRoot] = roots;
  if (baselineRoot === null || candidateRoot === null) return null;
  if (before.changes !== null && after.changes !== null) return null;
  const isReversed = before.changes !== null;
  const commits = [
    ...(isReversed ? ['-R'] : [before.commit]),
    ...(after.changes === null ? [after.commit] : []),
  ];
  const repository = findRepository(isReversed ? baseline : candidate);
  if (repository === null) return null;
  const difference = askGit(repository, [
    '-c',
    'core.quotePath=false',
    'diff',
    '--unified=0',
    '--no-color',
    '--no-ext-diff',
    '--no-textconv',
    '--find-renames',
    '--no-relative',
    '--src-prefix=a/',
    '--dst-prefix=b/',
    ...commits,
    '--',
    ...CODE,
  ]);
  if (difference === null) return null;
  const [ofBaseline, ofCandidate] = readDifference(difference);
  for (const file of baselineRoot === candidateRoot ? [] : ofCandidate.keys()) {
    // The benchmark files of one revision are laid over both.
    if (!isSame(join(baselineRoot, file), join(candidateRoot, file))) continue;
    ofBaseline.delete(file);
    ofCandidate.delete(file);
  }
  return {
    baseline: { root: baselineRoot, files: ofBaseline },
    candidate: { root: candidateRoot, files: ofCandidate },
  };
}

/** @type {(one: string, two: string) => boolean} whether both files are there, with the same content */
function isSame(one, two) {
  const [size, other] = [one, two].map((path) => statSync(path, { throwIfNoEntry: false })?.size);
  return size !== undefined && size === other && readFileSync(one).equals(readFileSync(two));
}

/**
 * @param {string} text of `git diff --unified=0`
 * @returns {EditedFiles['files'][]} of the old and of the new revision
 */
export function readDifference(text) {
  /** @type {EditedFiles['files'][]} */
  const sides = [new Map(), new Map()];
  /** @type {EditedFiles['files'] extends Map<string, infer Ranges> ? Ranges[] : never} */
  let ranges = [];
  const lines = text.split('\n');
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index];
    if (line.startsWith('--- ') && lines[index + 1]?.startsWith('+++ ')) {
      ranges = [line, lines[index + 1]].map((header, side) => {
        // Git ends a name that contains spaces with a tab.
        const name = header.slice('--- a/'.length).replace(/\t$/, '');
        const own = sides[side].get(name) ?? [];
        sides[side].set(name, own);
        return own;
      });
      index++;
      continue;
    }
    const hunk = HUNK.exec(line);
    if (hunk === null) continue;
    const [, oldLine, oldCount = '1', newLine, newCount = '1'] = hunk;
    ranges[0]?.push(makeRange(Number(oldLine), Number(oldCount)));
    ranges[1]?.push(makeRange(Number(newLine), Number(newCount)));
    // Lines of code may look like headers, and a mark of a missing line end is no line.
    let left = Number(oldCount) + Number(newCount);
    while (left > 0 && index + 1 < lines.length) if (!lines[++index].startsWith('\\')) left--;
  }
  return sides;
}

/** @type {(line: number, count: number) => { from: number, to: number }} of no lines, which are between two */
function makeRange(line, count) {
  return count === 0 ? { from: line + 0.5, to: line + 0.5 } : { from: line, to: line + count - 1 };
}
