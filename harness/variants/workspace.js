/** The members of a workspace that a package is built with. */

import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { MODULES } from './dependencies.js';
import { readPackage } from './package-entry.js';

/**
 * Directories of the repository that a package depends on, as whichever package manager has linked them: members of its
 * workspace (`workspace:*`), and directories that it names itself (`file:`, `link:`).
 *
 * @param {string} path absolute, of the package, after the installation
 * @param {string} tree absolute, of its repository
 * @param {{ isDevelopment: boolean }} choices whether those are wanted, too, that only a build needs
 * @returns {string[]} absolute; each after those that it depends on itself, without the package
 */
export function listLinked(path, tree, { isDevelopment }) {
  /** @type {Set<string>} */
  const seen = new Set();
  /** @type {string[]} */
  const ordered = [];
  const top = realpathSync(tree);
  /** @param {string} directory */
  const visit = (directory) => {
    if (seen.has(directory)) return;
    seen.add(directory);
    for (const name of listNeeds(directory, isDevelopment)) {
      const linked = findLinked(directory, name, top);
      if (linked !== null) visit(linked);
    }
    ordered.push(directory);
  };
  visit(realpathSync(path));
  return ordered.slice(0, -1);
}

/** @type {(path: string, isDevelopment: boolean) => string[]} names of packages */
function listNeeds(path, isDevelopment) {
  const { dependencies, peerDependencies, optionalDependencies, devDependencies } =
    readPackage(path);
  const fields = [dependencies, peerDependencies, optionalDependencies];
  return [...fields, ...(isDevelopment ? [devDependencies] : [])].flatMap((field) =>
    Object.keys(Object(field)),
  );
}

/** @type {(path: string, name: string, top: string) => string | null} null for a package of a registry */
function findLinked(path, name, top) {
  for (let directory = path; ; directory = dirname(directory)) {
    const installed = join(directory, MODULES, name);
    if (existsSync(installed)) {
      const real = realpathSync(installed);
      const steps = relative(top, real).split(sep);
      return steps[0] === '..' || steps.includes(MODULES) ? null : real;
    }
    if (directory === top || directory === dirname(directory)) return null;
  }
}
