import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { FormatError } from '../lib/errors.js';
import { PROJECT } from '../lib/project.js';

const MODULES = 'node_modules';

/**
 * @param {string} familyPath
 * @returns {string[]} absolute paths of the JavaScript files of a family, without tests
 */
export function listFamilyFiles(familyPath) {
  return readdirSync(familyPath, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test)\.[cm]?js$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/test-support|node_modules/.test(relative(familyPath, file)));
}

/**
 * @param {string} familyPath
 * @param {string} [patchedPath] of a patched copy of it
 * @returns {string} the directory with all that its files import, or that of the copy
 */
export function findTreeRoot(familyPath, patchedPath = familyPath) {
  const { assayPath, projectPath } = PROJECT;
  const isPackage = relative(projectPath, familyPath).split(sep).includes(MODULES);
  const homes = isPackage ? [assayPath] : [assayPath, projectPath];
  const home = homes.find((path) => familyPath.startsWith(path + sep));
  const root = home ?? dirname(dirname(familyPath));
  return patchedPath.slice(0, -relative(root, familyPath).length - 1);
}

/** Directories of sources have fewer entries; one with more may be a home directory. */
const MAX_ENTRIES = 2_000;

/**
 * Creates a directory with new versions of some files and links to their siblings, so that paths to other
 * files and packages still resolve.
 *
 * @param {string} root absolute path of the original
 * @param {Map<string, string>} files text by absolute path; all of them below the root
 * @param {string} target absolute path of the mirror
 * @throws {FormatError} when a directory has too many entries to be mirrored
 */
export function mirrorTree(root, files, target) {
  const directories = new Set([root]);
  for (const file of files.keys()) {
    for (let path = dirname(file); path !== root; path = dirname(path)) directories.add(path);
  }
  const places = [...directories].map((from) => ({ from, to: join(target, relative(root, from)) }));
  for (const { to } of places) mkdirSync(to, { recursive: true });
  for (const [file, text] of files) writeFileSync(join(target, relative(root, file)), text);
  for (const { from, to } of places) if (existsSync(from)) linkEntries(from, to);
  linkModules(root, target);
}

/** @param {string} from @param {string} to existing entries are kept */
function linkEntries(from, to) {
  // Hidden files are not part of a program.
  const names = readdirSync(from).filter((name) => !name.startsWith('.'));
  if (names.length > MAX_ENTRIES) {
    throw new FormatError(`its directory '${from}' has more than ${MAX_ENTRIES} entries`);
  }
  for (const name of names) {
    if (!existsSync(join(to, name))) symlinkSync(join(from, name), join(to, name));
  }
}

/**
 * Links the nearest `node_modules` of the directories above.
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
