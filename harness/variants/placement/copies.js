import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { AssayError, FormatError } from '../../lib/errors.js';
import { generatorFor } from '../../stats/random.js';
import { findTreeRoot, listFamilyFiles, mirrorTree } from '../family-tree.js';
import { findPackageRoot, readPackage } from '../package-entry.js';
import { editSource, readOutline } from './source.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */
/** @import { Experiment, PlannedPlacementJob, ResolvedVariant } from '../../formats/types.ts' */
/** @import { FoundFamily } from '../families.js' */
/** @import { SourceKind } from './source.js' */

/** Distinct from the random streams of the job order. */
const STREAMS = { baseline: 1_000_001, candidate: 1_000_002 };
/** The length of the directory name varies the placement of path strings. */
const MAX_LETTERS = 40;
/** Folder of a family with the code that drives variants, the same for both arms. */
const OPERATIONS = 'operations';

/** @typedef {Pick<PlannedPlacementJob, 'arm' | 'placement'>} PlacementPlace */

/**
 * Copy of a variant for one placement.
 *
 * @typedef {object} EditedVariant
 * @property {ResolvedVariant} variant
 * @property {string} familyPath of the family with its `compose.js` and operations
 */

/**
 * Makes a copy of a variant with another code placement, determined by seed, arm and number.
 *
 * @param {ResolvedVariant} variant for the JavaScript worker
 * @param {Pick<FoundFamily, 'path'>} family
 * @param {PlacementPlace & { seed: number, path: string }} place `path`: directory of the
 *   copies
 * @returns {EditedVariant}
 * @throws {FormatError} when it cannot be parsed, copied or edited
 */
export function editVariant(variant, family, { seed, arm, placement, path }) {
  const random = generatorFor(seed, placement, STREAMS[arm]);
  const { patchedPath, ...plain } = variant;
  const isBuiltIn = plain.kind === 'built-in';
  const { root, files, edited } = isBuiltIn
    ? collectBuiltIn(variant, family.path)
    : collectModule([plain.modulePath, ...Object.values(plain.modules ?? {})]);
  const texts = new Map([...files].map((file) => [file, readFileSync(file, 'utf8')]));
  for (const [file, { text, kind }] of edited) texts.set(file, editSource(text, kind, random));
  const target = join(path, `${arm}-${placement}`, nameDirectory(random));
  mirrorTree(root, texts, target);
  /** @param {string} original */
  const move = (original) => join(target, relative(root, original));
  const modules = Object.entries(plain.modules ?? {}).map(([name, file]) => [name, move(file)]);
  return {
    variant: {
      ...plain,
      modulePath: move(plain.modulePath),
      ...(plain.modules === undefined ? {} : { modules: Object.fromEntries(modules) }),
    },
    familyPath: isBuiltIn ? move(patchedPath ?? family.path) : family.path,
  };
}

/**
 * @typedef {object} Collected
 * @property {string} root common root
 * @property {string[]} files copied unchanged
 * @property {ReturnType<typeof listSources>} edited in a deterministic order
 */

/**
 * Copies the whole family, so that `compose.js` uses the copies. For a variant without settings, only the
 * modules that it imports are edited.
 * @type {(variant: ResolvedVariant, familyPath: string) => Collected}
 */
function collectBuiltIn({ modulePath, patchedPath, settings, buildPath }, familyPath) {
  const ownPath = patchedPath ?? familyPath;
  const files = listFamilyFiles(ownPath);
  const isComposed = Object.keys(settings).length > 0 || buildPath !== undefined;
  const entries = isComposed ? files.filter((file) => !isOperation(file, ownPath)) : [modulePath];
  const isOwn = (/** @type {string} */ file) => file.startsWith(ownPath + sep);
  return {
    root: findTreeRoot(familyPath, patchedPath),
    files,
    edited: sortSources([...listSources(entries)].filter(([file]) => isOwn(file))),
  };
}

/** Modules of one package with their relative imports. @type {(paths: string[]) => Collected} */
function collectModule(paths) {
  const edited = sortSources([...listSources(paths)]);
  const [modulePath] = paths;
  let root = findPackageRoot(modulePath) ?? dirname(modulePath);
  for (const file of edited.keys()) {
    while (!file.startsWith(root + sep)) {
      if (root === dirname(root)) throw new FormatError('its files have no common directory');
      root = dirname(root);
    }
  }
  return { root, files: [], edited };
}

/** @type {(sources: [string, import('./copies.js').Source][]) => Collected['edited']} */
function sortSources(sources) {
  return new Map(sources.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** @param {string} file @param {string} familyPath */
function isOperation(file, familyPath) {
  return relative(familyPath, file).startsWith(OPERATIONS + sep);
}

/** @param {RandomGenerator} random */
function nameDirectory(random) {
  const letters = (random.next() >>> 0).toString(36).repeat(7);
  return letters.slice(0, 1 + ((random.next() >>> 0) % MAX_LETTERS));
}

/** @typedef {EditedVariant | AssayError} Copy a copy, or why there is none */

/** @typedef {(placement: number) => Copy} CopiesOf a variant as it is at 0, and else a copy, made when it is first asked for */
/** @typedef {{ baseline: CopiesOf, candidates: CopiesOf[] }} Copies those of a run */

/**
 * Opens the copies of all variants.
 *
 * @param {string} path absolute path of their directory, which is emptied
 * @param {{ manifest: Experiment, family: Pick<FoundFamily, 'path'> }} run
 * @returns {Copies}
 */
export function openCopies(path, { manifest, family }) {
  const { seed } = manifest.question;
  const { baseline, candidates } = manifest.variants;
  rmSync(path, { recursive: true, force: true });
  /** @type {(arm: PlacementPlace['arm'], variant: ResolvedVariant, copiesPath: string) => CopiesOf} */
  const copy = (arm, variant, copiesPath) => {
    /** @type {Copy[]} */
    const made = [{ variant, familyPath: family.path }];
    return (placement) =>
      (made[placement] ??= tryToEdit(() =>
        editVariant(variant, family, { seed, arm, placement, path: copiesPath }),
      ));
  };
  return {
    baseline: copy('baseline', baseline, path),
    candidates: candidates.map((variant, index) =>
      copy('candidate', variant, join(path, String(index))),
    ),
  };
}

/** @type {(edit: () => EditedVariant) => EditedVariant | AssayError} */
function tryToEdit(edit) {
  try {
    return edit();
  } catch (error) {
    if (error instanceof AssayError) return error;
    const { message } = /** @type {Error} */ (error);
    return new AssayError(`it cannot be copied: ${message}`, { cause: error });
  }
}

/** @typedef {{ text: string, kind: SourceKind }} Source */

const EXTENSIONS = ['.js', '.mjs', '.cjs'];
/** Far more than any codec has. */
const MAX_FILES = 500;

/**
 * JavaScript files and their relative imports, recursively; without imports of packages and computed
 * paths.
 *
 * @param {string[]} entries absolute paths
 * @returns {Map<string, Source>} by absolute path
 * @throws {FormatError} when one cannot be parsed, or there are too many
 */
export function listSources(entries) {
  /** @type {Map<string, Source>} */
  const sources = new Map();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (sources.has(file)) continue;
    if (sources.size === MAX_FILES) {
      throw new FormatError(`it consists of more than ${MAX_FILES} files`);
    }
    const kind = findKind(file);
    const text = readFileSync(file, 'utf8');
    const { imports } = outline(file, text, kind);
    sources.set(file, { text, kind });
    for (const specifier of imports) {
      const target = resolveRelative(specifier, file, kind);
      if (target !== null && EXTENSIONS.includes(extname(target))) waiting.push(target);
    }
  }
  return sources;
}

/** @param {string} file @param {string} text @param {SourceKind} kind */
function outline(file, text, kind) {
  try {
    return readOutline(text, kind);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new FormatError(`'${file}': ${error.message}`, { cause: error });
  }
}

/**
 * Module format of a file, from its name and package.
 *
 * @param {string} file
 * @returns {SourceKind}
 * @throws {FormatError} when it is not JavaScript
 */
function findKind(file) {
  const extension = extname(file);
  if (extension === '.mjs') return 'module';
  if (extension === '.cjs') return 'commonjs';
  if (extension !== '.js') throw new FormatError(`'${basename(file)}' is not a JavaScript file`);
  const { type } = /** @type {{ type?: string }} */ (readPackage(findPackageRoot(file) ?? '/'));
  return type === 'module' ? 'module' : 'commonjs';
}

/**
 * @param {string} specifier
 * @param {string} file with the import
 * @param {SourceKind} kind of that file
 * @returns {string | null} absolute path; null if missing, which the program may handle
 */
function resolveRelative(specifier, file, kind) {
  if (kind === 'commonjs') {
    try {
      return createRequire(file).resolve(specifier);
    } catch {
      return null;
    }
  }
  const target = fileURLToPath(new URL(specifier, pathToFileURL(file)));
  return existsSync(target) && statSync(target).isFile() ? target : null;
}
