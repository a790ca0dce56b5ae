import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { AssayError, FormatError } from '../../lib/errors.js';
import { PROJECT } from '../../lib/project.js';
import { generatorFor } from '../../stats/random.js';
import { readPackage } from '../package-entry.js';
import { editSource, readOutline } from './source.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */
/** @import { Manifest, PlannedLayoutJob, ResolvedVariant } from '../../formats/types.ts' */
/** @import { FoundFamily } from '../families.js' */
/** @import { SourceKind } from './source.js' */

/** Apart from the streams that order jobs. */
const STREAMS = { baseline: 1_000_001, candidate: 1_000_002 };
/** Letters of the name of the directory: a longer path is another place of its strings. */
const MOST_LETTERS = 40;
/** Of a family: what drives the variant, and is the same for both sides. */
const OPERATIONS = 'operations';

/** @typedef {Pick<PlannedLayoutJob, 'arm' | 'layout'>} LayoutPlace */

/**
 * What a layout loads in place of the variant.
 *
 * @typedef {object} EditedVariant
 * @property {ResolvedVariant} variant
 * @property {string} familyPath of the family whose `compose.js` and operations go with it
 */

/**
 * A copy of a variant with edits that keep its meaning. Seed, side and number decide them.
 *
 * @param {ResolvedVariant} variant that the JavaScript worker measures
 * @param {Pick<FoundFamily, 'path'>} family
 * @param {LayoutPlace & { seed: number, path: string }} place the path is that of a directory for
 *   layouts
 * @returns {EditedVariant}
 * @throws {FormatError} when it cannot be parsed, copied or edited; the message begins with it
 */
export function editVariant(variant, family, { seed, arm, layout, path }) {
  const random = generatorFor(seed, layout, STREAMS[arm]);
  const isBuiltIn = variant.kind === 'built-in';
  const { root, files, edited } = isBuiltIn
    ? collectBuiltIn(variant, family.path)
    : collectModule(variant.modulePath);
  const texts = new Map([...files].map((file) => [file, readFileSync(file, 'utf8')]));
  for (const [file, { text, kind }] of edited) texts.set(file, editSource(text, kind, random));
  const target = join(path, `${arm}-${layout}`, nameDirectory(random));
  mirrorTree(root, texts, target);
  /** @param {string} original */
  const move = (original) => join(target, relative(root, original));
  return {
    variant: { ...variant, modulePath: move(variant.modulePath) },
    familyPath: isBuiltIn ? move(family.path) : family.path,
  };
}

/**
 * @typedef {object} Collected
 * @property {string} root of all of it
 * @property {string[]} files that are copied as they are
 * @property {ReturnType<typeof listSources>} edited in an order that is always the same
 */

/**
 * A family goes as a whole, so that `compose.js` puts the same copies together. Of a variant that it
 * does not compose, only what the variant loads need be edited.
 *
 * @param {ResolvedVariant} variant
 * @param {string} familyPath
 * @returns {Collected}
 */
function collectBuiltIn({ modulePath, settings, buildPath }, familyPath) {
  const files = listFamilyFiles(familyPath);
  const isComposed = Object.keys(settings).length > 0 || buildPath !== undefined;
  const entries = isComposed
    ? files.filter((file) => !isOperation(file, familyPath))
    : [modulePath];
  const isOwn = (/** @type {string} */ file) => file.startsWith(familyPath + sep);
  const isInProject = familyPath.startsWith(PROJECT.projectPath + sep);
  return {
    root: isInProject ? PROJECT.projectPath : dirname(dirname(familyPath)),
    files,
    edited: sortSources([...listSources(entries)].filter(([file]) => isOwn(file))),
  };
}

/**
 * A module with what it loads by relative paths, in the package around it.
 *
 * @param {string} modulePath
 * @returns {Collected}
 */
function collectModule(modulePath) {
  const edited = sortSources([...listSources([modulePath])]);
  let root = findPackageDirectory(modulePath) ?? dirname(modulePath);
  for (const file of edited.keys()) {
    while (!file.startsWith(root + sep)) {
      if (root === dirname(root)) throw new FormatError('its files have no directory in common');
      root = dirname(root);
    }
  }
  return { root, files: [], edited };
}

/**
 * @param {[string, import('./copies.js').Source][]} sources
 * @returns {Collected['edited']}
 */
function sortSources(sources) {
  return new Map(sources.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** @param {string} familyPath */
function listFamilyFiles(familyPath) {
  return readdirSync(familyPath, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test)\.[cm]?js$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/test-support|node_modules/.test(relative(familyPath, file)));
}

/**
 * @param {string} file
 * @param {string} familyPath
 */
function isOperation(file, familyPath) {
  return relative(familyPath, file).startsWith(OPERATIONS + sep);
}

/** @param {RandomGenerator} random */
function nameDirectory(random) {
  const letters = (random.next() >>> 0).toString(36).repeat(7);
  return letters.slice(0, 1 + ((random.next() >>> 0) % MOST_LETTERS));
}

/** @typedef {Map<string, EditedVariant | AssayError>} Copies what each layout loads, or why there is no such copy */

/**
 * Makes the layouts of both sides, unedited ones included.
 *
 * @param {string} path absolute, of a directory for them, which is made anew
 * @param {{ manifest: Manifest, family: Pick<FoundFamily, 'path'> }} run
 * @returns {Copies}
 */
export function makeCopies(path, { manifest, family }) {
  const { question, variants } = manifest;
  const { layouts = 0, seed } = question;
  rmSync(path, { recursive: true, force: true });
  /** @type {Copies} */
  const copies = new Map();
  for (const arm of /** @type {const} */ (['baseline', 'candidate'])) {
    const variant = variants[arm];
    copies.set(nameLayout({ arm, layout: 0 }), { variant, familyPath: family.path });
    for (let layout = 1; layout <= layouts; layout++) {
      copies.set(
        nameLayout({ arm, layout }),
        tryToEdit(() => editVariant(variant, family, { seed, arm, layout, path })),
      );
    }
  }
  return copies;
}

/**
 * @param {() => EditedVariant} edit
 * @returns {EditedVariant | AssayError}
 */
function tryToEdit(edit) {
  try {
    return edit();
  } catch (error) {
    if (error instanceof AssayError) return error;
    const { message } = /** @type {Error} */ (error);
    return new AssayError(`no copy of it can be made: ${message}`, { cause: error });
  }
}

/**
 * Without copies of one side there is nothing to compare, so nothing is measured.
 *
 * @param {Copies} copies
 * @returns {AssayError | null} why a side has none
 */
export function findUneditable(copies) {
  for (const arm of ['baseline', 'candidate']) {
    const edited = [...copies].filter(([name]) => name.startsWith(arm) && !name.endsWith('-0'));
    const [first] = edited;
    if (edited.every(([, copy]) => copy instanceof AssayError) && first !== undefined) {
      return /** @type {AssayError} */ (first[1]);
    }
  }
  return null;
}

/**
 * @param {Pick<PlannedLayoutJob, 'arm' | 'layout'>} place
 * @returns {string} by which its copy is found: `candidate-2`
 */
export function nameLayout({ arm, layout }) {
  return `${arm}-${layout}`;
}

/** @typedef {{ text: string, kind: SourceKind }} Source */

const EXTENSIONS = ['.js', '.mjs', '.cjs'];
/** More than any codec consists of. */
const MAX_FILES = 500;

/**
 * JavaScript files and all that they load by a relative path written out in them, directly and
 * indirectly. What is loaded by a name, or by a path that is computed, is not among them.
 *
 * @param {string[]} entries absolute paths
 * @returns {Map<string, Source>} by absolute path
 * @throws {FormatError} when one cannot be read as what it is, or there are too many
 */
function listSources(entries) {
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

/**
 * @param {string} file
 * @param {string} text
 * @param {SourceKind} kind
 */
function outline(file, text, kind) {
  try {
    return readOutline(text, kind);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new FormatError(`'${file}': ${error.message}`, { cause: error });
  }
}

/**
 * How Node reads a file, by its name and the package that it belongs to.
 *
 * @param {string} file
 * @returns {SourceKind}
 * @throws {FormatError} when it is no JavaScript
 */
function findKind(file) {
  const extension = extname(file);
  if (extension === '.mjs') return 'module';
  if (extension === '.cjs') return 'commonjs';
  if (extension !== '.js') throw new FormatError(`'${file}' is no JavaScript file`);
  const { type } = /** @type {{ type?: string }} */ (
    readPackage(findPackageDirectory(file) ?? '/')
  );
  return type === 'module' ? 'module' : 'commonjs';
}

/**
 * @param {string} file absolute path
 * @returns {string | null} the nearest directory above with a package.json
 */
function findPackageDirectory(file) {
  for (let path = dirname(file); ; path = dirname(path)) {
    if (existsSync(join(path, 'package.json'))) return path;
    if (path === dirname(path)) return null;
  }
}

/**
 * @param {string} specifier
 * @param {string} file that has it
 * @param {SourceKind} kind of that file
 * @returns {string | null} absolute path; null where there is nothing, which the program may allow for
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

/** A directory of sources has fewer; one with more is somebody's home. */
const MAX_ENTRIES = 2_000;
const MODULES = 'node_modules';

/**
 * A directory that holds some files anew, and links to all that lies beside them: whatever path they
 * load other files and packages by leads to the right place.
 *
 * @param {string} root absolute path of what is mirrored
 * @param {Map<string, string>} files text by absolute path; all of them below the root
 * @param {string} target absolute path of the mirror, which is made
 * @throws {FormatError} when a directory has too many entries to be mirrored
 */
function mirrorTree(root, files, target) {
  const directories = new Set([root]);
  for (const file of files.keys()) {
    for (let path = dirname(file); path !== root; path = dirname(path)) directories.add(path);
  }
  const places = [...directories].map((from) => ({ from, to: join(target, relative(root, from)) }));
  for (const { to } of places) mkdirSync(to, { recursive: true });
  for (const [file, text] of files) writeFileSync(join(target, relative(root, file)), text);
  for (const { from, to } of places) linkEntries(from, to);
  linkModules(root, target);
}

/**
 * @param {string} from
 * @param {string} to where what is there already stays
 */
function linkEntries(from, to) {
  // What begins with a dot is no part of a program.
  const names = readdirSync(from).filter((name) => !name.startsWith('.'));
  if (names.length > MAX_ENTRIES) {
    throw new FormatError(`its directory '${from}' has more than ${MAX_ENTRIES} entries`);
  }
  for (const name of names) {
    if (!existsSync(join(to, name))) symlinkSync(join(from, name), join(to, name));
  }
}

/**
 * Packages are looked for in the directories above as well; the nearest ones are linked.
 *
 * @param {string} root
 * @param {string} target
 */
function linkModules(root, target) {
  const linked = join(target, MODULES);
  if (existsSync(linked)) return;
  for (let path = dirname(root); ; path = dirname(path)) {
    const isInside = path.split(sep).at(-1) === MODULES;
    const modules = isInside ? path : join(path, MODULES);
    if (existsSync(modules)) {
      symlinkSync(modules, linked);
      return;
    }
    if (path === dirname(path)) return;
  }
}
