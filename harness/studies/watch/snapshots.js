/** Copies of the files of a variant, which can be measured, compared and restored. */

import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { readDocument } from '../../formats/schemas.js';
import { UsageError } from '../../lib/errors.js';
import { readText } from '../../lib/files.js';
import { PROJECT } from '../../lib/project.js';
import { addPin } from '../../lib/words.js';
import { describeJob } from '../../run/jobs.js';
import { findTreeRoot, mirrorTree } from '../../variants/family-tree.js';
import { findPackageRoot } from '../../variants/package-entry.js';
import { resolveVariant } from '../../variants/resolve.js';

/** @import { FileChange, ResolvedVariant, VariantSpec } from '../../formats/types.ts' */
/** @import { RunJob } from '../../run/jobs.js' */
/** @import { ResolveContext } from '../../variants/resolve.js' */

/** In the directory of a snapshot: the copy of the tree, and the list of its files. Beside them, a link to what was named. */
const CODE = '.code';
const LIST = 'files.json';
const LIST_REMEDY = 'name the directory of an edit, as watch prints it at its end';
const SOURCES = ['.js', '.mjs', '.cjs', '.jsx', '.json', '.ts', '.mts', '.cts', '.tsx'];
/** What measures is no part of a variant. */
const INSTRUMENT = ['harness', 'corpora', join('experiments', 'support')];

/**
 * @typedef {object} Snapshot
 * @property {string} spec of the copy
 * @property {string} root directory of the originals
 * @property {string} start the directory or module that was named, below the root
 * @property {Map<string, string>} texts by path relative to the root
 * @property {string[]} followed paths of those that are edited
 * @property {string | null} problem why the variant was not found, so that the files are those of the snapshot before
 */

/**
 * @typedef {object} Copying
 * @property {ResolveContext} context
 * @property {RunJob} runJob
 * @property {(path: string) => string} show a path as it is typed
 * @property {Snapshot | undefined} [before] whose files are copied where the variant is not found or does not load
 * @property {string[] | undefined} [sources] of which its files are built, relative to the root; they are copied, too
 */

/**
 * Copies what a worker loads for a variant from its package or checkout. Packages in `node_modules` and everything else are
 * links.
 *
 * @param {VariantSpec} spec of a built-in variant, or a path
 * @param {string} path absolute path of the directory of the snapshot, which is made here
 * @param {Copying} copying
 * @returns {Promise<Snapshot | null>} null for a variant that is more than the files of a module: with axes, patched, built
 * @throws {import('../../lib/errors.js').AssayError} when it does not exist, and did not before
 */
export async function takeSnapshot(spec, path, { before, sources, ...copying }) {
  const found = await findFiles(spec, copying).catch((error) => {
    if (before === undefined) throw error;
    return { ...before, own: [], isLoaded: false, problem: String(error.message) };
  });
  if (found === null) return null;
  const { root, start, problem } = found;
  const known = found.isLoaded
    ? []
    : [...(before?.texts.keys() ?? []), ...(before?.followed ?? [])];
  const own = [...new Set([...found.own, ...known])];
  const followed = sources?.filter((name) => SOURCES.includes(extname(name))) ?? own;
  /** @type {Map<string, string>} */
  const texts = new Map();
  for (const name of new Set([...own, ...followed])) {
    const text = readIfThere(join(root, name));
    if (text !== undefined) texts.set(name, text);
  }
  mkdirSync(path, { recursive: true });
  const files = new Map([...texts].map(([name, text]) => [join(root, name), text]));
  mirrorTree(root, files, join(path, CODE));
  const list = { formatVersion: FORMAT_VERSION, root, files: [...texts.keys()] };
  writeFileSync(join(path, LIST), `${JSON.stringify(list)}\n`);
  const link = join(path, basename(start));
  symlinkSync(join(CODE, relative(root, start)), link);
  const copied = addPin(`path:${copying.show(link)}`, spec.runtime);
  return { spec: copied, root, start, texts, followed, problem };
}

/**
 * @param {VariantSpec} spec
 * @param {Pick<Copying, 'context' | 'runJob'>} copying
 * @returns {Promise<Pick<Snapshot, 'root' | 'start' | 'problem'> & { own: string[], isLoaded: boolean } | null>} `own`: its
 *   files, relative to the root; only the first where it does not load
 */
async function findFiles(spec, { context, runJob }) {
  const variant = await resolveVariant({ ...spec, runtime: null }, context);
  if (!isModule(variant)) return null;
  const start = realpathSync(
    spec.kind === 'path' ? resolve(context.workingPath, spec.path) : variant.modulePath,
  );
  const root = findRoot(start, variant, context);
  const loaded = await listLoaded(variant, { context, runJob });
  const own = listOwn([realpathSync(variant.modulePath), ...(loaded ?? [])], root);
  return { root, start, own, isLoaded: loaded !== null, problem: null };
}

/** @type {(variant: ResolvedVariant) => boolean} */
function isModule({ settings, program, buildPath, patchedPath }) {
  const isMade = [program, buildPath ?? undefined, patchedPath].some((part) => part !== undefined);
  return !isMade && Object.keys(settings).length === 0;
}

/** @type {(start: string, variant: ResolvedVariant, context: ResolveContext) => string} */
function findRoot(start, { kind, modulePath }, { family }) {
  if (kind === 'built-in') return realpathSync(findTreeRoot(family.path));
  const isDirectory = start !== realpathSync(modulePath);
  return isDirectory ? start : (findPackageRoot(start) ?? dirname(start));
}

/** @type {(variant: ResolvedVariant, copying: Pick<Copying, 'context' | 'runJob'>) => Promise<string[] | null>} absolute paths; null if it does not load */
async function listLoaded(variant, { context: { family }, runJob }) {
  const job = describeJob(`load/${variant.spec}`, { variant, family });
  const outcome = await runJob({ ...job, kind: 'load' });
  if ('failure' in outcome) return null;
  const modules = Object.values(variant.modules ?? {}).map((file) => realpathSync(file));
  return [...modules, ...(outcome.report.loaded ?? [])];
}

/** @type {(files: string[], root: string) => string[]} paths relative to the root, sorted */
function listOwn(files, root) {
  const instrument = INSTRUMENT.map((folder) => join(PROJECT.assayPath, folder) + sep);
  const isOwn = (/** @type {string} */ file) =>
    file.startsWith(root + sep) &&
    SOURCES.includes(extname(file)) &&
    !relative(root, file).split(sep).includes('node_modules') &&
    !instrument.some((folder) => file.startsWith(folder));
  const manifest = join(root, 'package.json');
  const all = [...files, ...(existsSync(manifest) ? [manifest] : [])];
  return [...new Set(all.filter(isOwn).map((file) => relative(root, file)))].sort();
}

/** @type {(snapshot: Snapshot) => string[]} absolute paths of the files that are edited */
export function listFollowed({ root, followed }) {
  return followed.map((name) => join(root, name));
}

/** @type {(snapshot: Snapshot) => boolean} whether one of them has another content by now */
export function hasChanged({ root, texts, followed }) {
  return followed.some((name) => readIfThere(join(root, name)) !== texts.get(name));
}

/** @type {(file: string) => string | undefined} */
function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // It was removed, or an editor is replacing it.
    return undefined;
  }
}

/** @type {(one: Snapshot, other: Snapshot) => boolean} */
export function isSameCode(one, other) {
  return (
    one.texts.size === other.texts.size &&
    [...one.texts].every(([name, text]) => other.texts.get(name) === text)
  );
}

/**
 * @param {Snapshot} before
 * @param {Snapshot} now
 * @returns {Promise<FileChange[]>} the files that differ, with most changed lines first
 */
export async function listChanges(before, now) {
  // Loaded on demand, since nothing else of the loop needs it.
  const { diffLines } = await import('diff');
  const names = [...new Set([...before.followed, ...now.followed])];
  return names
    .filter((name) => before.texts.get(name) !== now.texts.get(name))
    .map((file) => {
      const parts = diffLines(before.texts.get(file) ?? '', now.texts.get(file) ?? '');
      const count = (/** @type {'added' | 'removed'} */ kind) =>
        parts.reduce((sum, part) => sum + (part[kind] ? part.count : 0), 0);
      return { file, added: count('added'), removed: count('removed') };
    })
    .sort((one, other) => other.added + other.removed - (one.added + one.removed));
}

/**
 * Writes the files of a snapshot where they were.
 *
 * @param {string} path absolute path of the directory of the snapshot, beside others
 * @returns {string[]} absolute paths of the files that have changed by it
 * @throws {UsageError} when it is no snapshot, or a file has a content that no snapshot has
 * @throws {import('../../lib/errors.js').FormatError} when it is damaged
 */
export function restoreSnapshot(path) {
  if (!existsSync(join(path, LIST))) {
    throw new UsageError(`'${path}' is no edit that was kept`, { remedy: LIST_REMEDY });
  }
  const { root, files } = readDocument(join(path, LIST), 'kept-files', LIST_REMEDY);
  const home = dirname(path);
  const copies = readdirSync(home).map((name) => join(home, name, CODE));
  const texts = files.map((name) => {
    const copy = join(path, CODE, name);
    return { name, text: readText(copy, `'${copy}'`, 'restore another edit') };
  });
  const changed = texts.filter(({ name, text }) => readIfThere(join(root, name)) !== text);
  for (const { name } of changed) {
    const now = readIfThere(join(root, name));
    if (now === undefined || copies.some((copy) => readIfThere(join(copy, name)) === now)) continue;
    throw new UsageError(`'${join(root, name)}' has changed since the last edit that was kept`, {
      remedy: 'commit it or copy it elsewhere first, since restoring would overwrite it',
    });
  }
  for (const { name, text } of changed) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return changed.map(({ name }) => join(root, name));
}
