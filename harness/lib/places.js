/** Where families and corpora are found: in the current project, in packages that it depends on, and built in. */

import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FormatError, UsageError } from './errors.js';
import { readJsonObject, readText } from './files.js';
import { CONFIG_FILE, FAMILIES_FOLDER, PROJECT, isTrusted, listFamilyFolders } from './project.js';
import { didYouMean } from './words.js';

/** @typedef {{ name: string, path: string }} FamilyFolder with an absolute path */

/**
 * @typedef {object} Place of families and corpora
 * @property {string} where for messages: `assay/`, `the package assay-family-orders`, `Assay`
 * @property {FamilyFolder[]} families
 * @property {string[]} corporaPaths absolute paths of folders of corpora, which may not exist
 */

/**
 * What `assay.config.js` exports by default.
 *
 * @typedef {object} Config
 * @property {string[]} directories with one folder a family, relative to the project
 * @property {string[] | null} packages that are families; null for all dependencies with such a name
 */

/** Folder of corpora, in a directory of families and in a family. */
export const CORPORA_FOLDER = 'corpora';
const FAMILY_PACKAGE = /^(?:@[^/]+\/)?assay-family-(.+)$/;

/**
 * The families of the project, of packages and of Assay, in this order.
 *
 * @param {Pick<typeof PROJECT, 'projectPath' | 'experimentsPath'>} [project]
 * @returns {Promise<FamilyFolder[]>} each name once
 * @throws {UsageError} when two have the same name
 * @throws {FormatError} when the configuration of the project is invalid, or a package is not installed
 */
export async function findFamilyFolders({ projectPath, experimentsPath } = PROJECT) {
  const builtIn = { where: 'Assay', families: listFamilies(experimentsPath) };
  /** @type {Map<string, FamilyFolder & { where: string }>} */
  const found = new Map();
  for (const { where, families } of [...(await listPlaces(projectPath)), builtIn]) {
    for (const family of families) {
      const other = found.get(family.name);
      if (other !== undefined) throw explainTwice(`family '${family.name}'`, other.where, where);
      found.set(family.name, { ...family, where });
    }
  }
  return [...found.values()].map(({ name, path }) => ({ name, path }));
}

/**
 * @param {string} what `family 'codec'`
 * @param {string} first
 * @param {string} second
 * @returns {UsageError}
 */
export function explainTwice(what, first, second) {
  return new UsageError(`the ${what} exists twice: in ${first} and in ${second}`, {
    remedy: `rename the one in ${first}, or leave a package out ('packages' of ${CONFIG_FILE})`,
  });
}

/**
 * The places of families and corpora that are not built in: those of the project, then packages.
 *
 * @param {string} [projectPath]
 * @returns {Promise<Place[]>}
 * @throws {FormatError} when the configuration of the project is invalid, or a package is not installed
 */
export async function listPlaces(projectPath = PROJECT.projectPath) {
  const { directories, packages } = await readConfig(projectPath);
  const { name = '', dependencies } = readPackage(projectPath);
  const isFamily = FAMILY_PACKAGE.test(name) && existsSync(join(projectPath, FAMILY_FILE));
  return [
    ...directories.map((directory) => makeDirectoryPlace(projectPath, directory)),
    ...(isFamily ? [makePackagePlace(name, projectPath)] : []),
    ...(packages ?? dependencies).map((each) => findPackage(each, projectPath)),
  ];
}

/**
 * @param {string} projectPath
 * @returns {Promise<string>} absolute path of the directory for new families, which may not exist
 * @throws {FormatError} when the configuration of the project is invalid
 */
export async function findFamiliesPath(projectPath) {
  const [first = FAMILIES_FOLDER] = (await readConfig(projectPath)).directories;
  return resolve(projectPath, first);
}

/** @type {(projectPath: string, directory: string) => Place} */
function makeDirectoryPlace(projectPath, directory) {
  const path = resolve(projectPath, directory);
  const families = listFamilies(path);
  const folders = [path, ...families.map((family) => family.path)];
  return {
    where: `${relative(projectPath, path) || '.'}/`,
    families,
    corporaPaths: folders.map((folder) => join(folder, CORPORA_FOLDER)),
  };
}

/** @type {(path: string) => FamilyFolder[]} */
function listFamilies(path) {
  return listFamilyFolders(path).map((name) => ({ name, path: join(path, name) }));
}

const FAMILY_FILE = 'family.js';

/** @type {(name: string, projectPath: string) => Place} */
function findPackage(name, projectPath) {
  const path = findUpwards(projectPath, join('node_modules', name));
  if (path !== null && existsSync(join(path, FAMILY_FILE))) {
    return makePackagePlace(name, realpathSync(path));
  }
  const problem = path === null ? 'is not installed' : `is no family: it has no ${FAMILY_FILE}`;
  throw new FormatError(`the package '${name}', on which '${projectPath}' depends, ${problem}`, {
    remedy: `run npm install, or leave it out ('packages' of ${CONFIG_FILE})`,
  });
}

/** A package has the form of one family. @type {(name: string, path: string) => Place} */
function makePackagePlace(name, path) {
  const family = { name: FAMILY_PACKAGE.exec(name)?.[1] ?? basename(name), path };
  const corporaPaths = [join(path, CORPORA_FOLDER)];
  return { where: `the package ${name}`, families: [family], corporaPaths };
}

/**
 * @param {string} path absolute path of a directory
 * @param {string} name of a file or directory, possibly with parents
 * @returns {string | null} its path in the directory or the nearest one above
 */
export function findUpwards(path, name) {
  const found = join(path, name);
  if (existsSync(found)) return found;
  return dirname(path) === path ? null : findUpwards(dirname(path), name);
}

/**
 * @param {string} projectPath
 * @returns {{ name?: string, dependencies: string[] }} `dependencies`: those that are families by their name
 */
function readPackage(projectPath) {
  const file = join(projectPath, 'package.json');
  if (!existsSync(file)) return { dependencies: [] };
  const remedy = 'correct the file';
  const content = readJsonObject(readText(file, `'${file}'`, remedy), `'${file}'`, remedy);
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'];
  const names = kinds.flatMap((kind) => Object.keys(content[kind] ?? {}));
  return {
    name: String(content.name ?? ''),
    dependencies: [...new Set(names)].filter((name) => FAMILY_PACKAGE.test(name)).sort(),
  };
}

const KEYS = ['directories', 'packages'];
const CONFIG_REMEDY = `it may export default { directories: ['${FAMILIES_FOLDER}'], packages: ['assay-family-NAME'] }`;

/**
 * @param {string} projectPath
 * @returns {Promise<Config>} with defaults for what it leaves out
 * @throws {FormatError} when the file is invalid
 * @throws {UsageError} when the project belongs to another user
 */
async function readConfig(projectPath) {
  if (!isTrusted(projectPath)) {
    throw new UsageError(`'${projectPath}' belongs to another user, and Assay would run its code`, {
      remedy: 'change to a directory of your own, or make its files your own',
    });
  }
  const file = join(projectPath, CONFIG_FILE);
  const content = existsSync(file) ? await importConfig(file) : {};
  for (const [key, value] of Object.entries(content)) {
    const isList = Array.isArray(value) && value.every((each) => typeof each === 'string');
    if (KEYS.includes(key) && isList) continue;
    const problem = KEYS.includes(key)
      ? 'is not a list of texts'
      : `is unknown${didYouMean(key, KEYS)}`;
    throw new FormatError(`'${key}' of '${file}' ${problem}`, { remedy: CONFIG_REMEDY });
  }
  const missing = content.directories?.find((each) => !isDirectory(resolve(projectPath, each)));
  if (missing !== undefined) {
    throw new FormatError(`'${file}' names '${missing}', which is not a directory`, {
      remedy: 'its paths are relative to itself',
    });
  }
  return { directories: [FAMILIES_FOLDER], packages: null, ...content };
}

/** @param {string} path */
function isDirectory(path) {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** @type {(file: string) => Promise<Partial<Config>>} */
async function importConfig(file) {
  let content;
  try {
    ({ default: content } = await import(pathToFileURL(file).href));
  } catch (cause) {
    throw new FormatError(`'${file}' cannot be loaded: ${/** @type {Error} */ (cause).message}`, {
      cause,
      remedy: CONFIG_REMEDY,
    });
  }
  if (Object(content) === content && !Array.isArray(content)) return content;
  throw new FormatError(`'${file}' has no default export that is an object`, {
    remedy: CONFIG_REMEDY,
  });
}
