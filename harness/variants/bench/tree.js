/** Copies of the trees of variants, with benchmark files laid over them. */

import {
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { UsageError } from '../../lib/errors.js';
import { BUNDLER } from '../bundler.js';
import { getOrCreate } from '../cache.js';
import { askGit } from '../git.js';
import { findPackageRoot } from '../package-entry.js';
import { bundleTypeScript, isTypeScript, nameBundle } from './typescript.js';

/** @import { BenchFiles } from '../../formats/types.ts' */
/** @import { PackagePlaces } from '../npm.js' */

const MODULES = 'node_modules';
const MAX_FILES = 50_000;
/** A larger file holds data, and is linked. */
const MAX_COPIED_BYTES = 4 * 1024 * 1024;
/** The module of a variant in its copy. */
const MODULE = 'assay-benchmarks.mjs';
const WORKER_PATH = fileURLToPath(new URL('../../worker/bench/', import.meta.url));

/** Packages that stand-ins take the place of, each a module with its name. */
export const STAND_INS = readdirSync(join(WORKER_PATH, 'stand-ins'))
  .map((name) => name.slice(0, -'.js'.length))
  .filter((name) => name !== 'figures');

/**
 * @param {string} modulePath absolute path of a module of a variant
 * @returns {string} the directory with all that its benchmark files may use: its git checkout or, without one or for an
 *   installed package, its package
 */
export function findTree(modulePath) {
  const path = realpathSync(modulePath);
  const isInstalled = path.split(sep).includes(MODULES);
  const top = isInstalled ? null : askGit(dirname(path), ['rev-parse', '--show-toplevel']);
  return top ?? findPackageRoot(path) ?? dirname(path);
}

/**
 * Makes a copy of the tree of a variant with benchmark files laid over it, unless there is one. Packages that time are
 * replaced by stand-ins where these files import them; other packages are linked.
 *
 * @param {string} modulePath absolute path of the module of the variant
 * @param {BenchFiles} bench
 * @param {PackagePlaces} places
 * @returns {Promise<{ modulePath: string, modules: Record<string, string> }>} absolute paths in the copy, of a module that
 *   exports the cases, and of the files, which are bundles of those in TypeScript
 * @throws {UsageError} when the tree has too many files, or TypeScript cannot be bundled
 */
export async function layBenchmarks(modulePath, bench, places) {
  const top = findTree(modulePath);
  const wanted = listTree(top);
  const laid = listTree(bench.path);
  const module = writeModule(bench);
  const key = createHash('sha256').update(
    JSON.stringify([top, bench, module, wanted, laid, BUNDLER]),
  );
  const home = join(
    places.treesPath ?? places.cachePath,
    'bench-trees',
    key.digest('hex').slice(0, 24),
  );
  const typed = bench.files.filter(isTypeScript);
  const bundles = typed.map(nameBundle).flatMap((file) => [file, `${file}.map`]);
  const kept = new Set([MODULE, ...bundles, ...listAll(wanted), ...listAll(laid)]);
  const fill = async (/** @type {string} */ staging) => {
    copyTree(top, staging, wanted);
    copyTree(bench.path, staging, laid);
    linkPackages(
      top,
      staging,
      wanted,
      bench.files.map((file) => findUnit(file) ?? dirname(file)),
    );
    await bundleTypeScript(staging, typed, places);
    writeFileSync(join(staging, MODULE), module);
  };
  await getOrCreate(home, fill, { onNote: places.onNote, isVerified: (file) => kept.has(file) });
  const modules = bench.files.map((file) => [file, join(home, nameBundle(file))]);
  return { modulePath: join(home, MODULE), modules: Object.fromEntries(modules) };
}

/** Folder that holds benchmarks and what they need, and nothing that is measured. */
const UNIT = /^(.+[-_.])?(bench(es|mark|marks|marking)?|perf|performance)$/i;

/**
 * @param {string} file path relative to its tree
 * @returns {string | null} the outermost folder above it that is for benchmarks; null without one
 */
export function findUnit(file) {
  const folders = dirname(file).split(sep);
  const index = folders.findIndex((name) => UNIT.test(name));
  return index === -1 ? null : folders.slice(0, index + 1).join(sep);
}

/**
 * @typedef {object} Tree
 * @property {string[]} directories paths relative to the top, outer ones first
 * @property {[path: string, bytes: number, modifiedMs: number][]} files
 * @property {[path: string, target: string][]} links with targets relative to their directory, or absolute
 * @property {string[]} modules the directories of packages
 */

/** @type {(tree: Tree) => string[]} */
function listAll({ directories, files, links }) {
  return [...directories, ...files.map(([path]) => path), ...links.map(([path]) => path)];
}

/**
 * @param {string} top absolute path
 * @param {string} [under] a folder of it
 * @returns {Tree} without hidden folders and installed packages
 * @throws {UsageError} when it has too many files
 */
export function listTree(top, under = '') {
  /** @type {Tree} */
  const tree = { directories: [], files: [], links: [], modules: [] };
  const open = [under];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of readdirSync(join(top, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.name === MODULES) {
        tree.modules.push(path);
      } else if (entry.isSymbolicLink()) {
        tree.links.push([path, readlinkSync(join(top, path))]);
      } else if (entry.isDirectory() && !entry.name.startsWith('.')) {
        tree.directories.push(path);
        open.push(path);
      } else if (entry.isFile()) {
        const { size, mtimeMs } = statSync(join(top, path));
        tree.files.push([path, size, mtimeMs]);
      }
    }
    if (tree.files.length > MAX_FILES) {
      throw new UsageError(`'${top}' has more than ${MAX_FILES} files, too many to copy`, {
        remedy: 'name the directory of a package, or of a checkout without other files',
      });
    }
  }
  return tree;
}

/** @type {(top: string, target: string, tree: Tree) => void} */
function copyTree(top, target, { directories, files, links }) {
  for (const path of directories) {
    const to = join(target, path);
    // What is laid over must not be written where a link leads.
    if (lstatSync(to, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(to);
    mkdirSync(to, { recursive: true });
  }
  for (const [path, bytes] of files) {
    const [from, to] = [join(top, path), join(target, path)];
    rmSync(to, { force: true });
    if (bytes > MAX_COPIED_BYTES) {
      symlinkSync(realpathSync(from), to);
      continue;
    }
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
    const { atime, mtime } = statSync(from);
    utimesSync(to, atime, mtime);
  }
  for (const [path, linked] of links) linkInside(top, target, path, linked);
}

/** Links what is in the tree to its copy, and anything else to itself. @type {(top: string, target: string, path: string, linked: string) => void} */
function linkInside(top, target, path, linked) {
  const whole = resolve(top, dirname(path), linked);
  const inside = relative(top, whole);
  const isInside =
    !inside.startsWith('..') && !isAbsolute(inside) && !inside.split(sep).includes(MODULES);
  if (existsSync(join(target, path))) return;
  symlinkSync(isInside ? relative(dirname(path), inside) || '.' : whole, join(target, path));
}

/**
 * Links the packages of a tree one by one, so that members of a workspace are those of the copy, and puts the stand-ins
 * where the benchmark files look first.
 * @type {(top: string, target: string, tree: Tree, units: string[]) => void}
 */
function linkPackages(top, target, { modules }, units) {
  const nearest = modules.includes(MODULES) ? top : findModules(dirname(top));
  if (nearest !== null) linkEach(nearest, top, target, MODULES);
  for (const path of modules) if (path !== MODULES) linkEach(top, top, target, path);
  for (const unit of new Set(units)) {
    for (const name of STAND_INS) writeStandIn(join(target, unit, MODULES, name), name);
  }
}

/** @type {(path: string) => string | null} the nearest directory upwards with packages */
function findModules(path) {
  if (existsSync(join(path, MODULES))) return path;
  return dirname(path) === path ? null : findModules(dirname(path));
}

/** @type {(base: string, top: string, target: string, folder: string) => void} */
function linkEach(base, top, target, folder) {
  const from = join(base, folder);
  mkdirSync(join(target, folder), { recursive: true });
  for (const name of readdirSync(from)) {
    const path = join(folder, name);
    // `@company/benchmark` is another package.
    if (basename(folder) === MODULES && STAND_INS.includes(name)) continue;
    if (name.startsWith('@')) {
      linkEach(base, top, target, path);
    } else if (base === top && lstatSync(join(from, name)).isSymbolicLink()) {
      linkInside(top, target, path, readlinkSync(join(from, name)));
    } else {
      symlinkSync(join(from, name), join(target, path));
    }
  }
}

/** @type {(path: string, name: string) => void} */
function writeStandIn(path, name) {
  const module = join(WORKER_PATH, 'stand-ins', `${name}.js`);
  const exports = { '.': { import: './index.mjs', default: './index.cjs' } };
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'package.json'), JSON.stringify({ name, exports }));
  const url = JSON.stringify(pathToFileURL(module).href);
  writeFileSync(
    join(path, 'index.mjs'),
    `import * as all from ${url};\nexport * from ${url};\nexport default all.default ?? all;\n`,
  );
  writeFileSync(
    join(path, 'index.cjs'),
    `const all = require(${JSON.stringify(module)});\nmodule.exports = Object.assign(all.default ?? {}, all);\n`,
  );
}

/** @type {(bench: BenchFiles) => string} a module that loads the files */
function writeModule({ files, directory, args }) {
  const load = pathToFileURL(join(WORKER_PATH, 'load.js')).href;
  return `import { fileURLToPath } from 'node:url';
import { loadBenchmarks } from ${JSON.stringify(load)};

const pathOf = (name) => fileURLToPath(new URL(encodeURI(name), import.meta.url));
const files = ${JSON.stringify(files.map((file) => [file, nameBundle(file)]))};

export const { cases, failures, printed } = await loadBenchmarks(
  pathOf(${JSON.stringify(`./${directory}`)}),
  Object.fromEntries(files.map(([file, path]) => [file, pathOf(\`./\${path}\`)])),
  ${JSON.stringify(args)},
);
`;
}
