import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { FormatError } from '../../lib/errors.js';

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
export function mirrorTree(root, files, target) {
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
