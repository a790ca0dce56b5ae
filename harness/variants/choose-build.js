import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readPackage } from './package-entry.js';

/** `build` whose last step is a script that makes the bundle alone. */
const BUNDLE_LAST = /(?:^|&&)\s*npm run (build:bundle)\s*$/;
const INSTALL_FLAGS = '--ignore-scripts --no-audit --no-fund --loglevel=error';

/**
 * What a build reads of package.json.
 *
 * @typedef {object} PackageJson
 * @property {Record<string, string>} [scripts]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [devDependencies]
 */

/**
 * Shell commands, each empty where there is nothing to do.
 *
 * @typedef {object} BuildSteps
 * @property {string} install
 * @property {string[]} scripts the preferred first; the next is for when that makes no module
 */

/**
 * Finds out from its package.json how a checkout is built.
 *
 * Where the last step of the script `build` is `npm run build:bundle`, that step alone is tried
 * first: what comes before it makes type declarations in the packages that are built this way, which
 * nothing that is measured loads.
 *
 * @param {string} path absolute, of the package
 * @returns {BuildSteps}
 * @throws {import('../lib/errors.js').UsageError} when its package.json is not JSON
 */
export function chooseBuild(path) {
  /** @type {PackageJson} */
  const { scripts = {}, dependencies = {}, devDependencies = {} } = readPackage(path);
  const { build } = scripts;
  if (build === undefined) {
    return { install: chooseInstall(path, dependencies, '--omit=dev'), scripts: [''] };
  }
  const [, bundle] = BUNDLE_LAST.exec(build) ?? [];
  const isBundled = bundle !== undefined && scripts[bundle] !== undefined;
  return {
    install: chooseInstall(path, { ...dependencies, ...devDependencies }, '--include=dev'),
    scripts: [...(isBundled ? [`npm run ${bundle}`] : []), 'npm run build'],
  };
}

/**
 * @param {string} path
 * @param {Record<string, string>} packages
 * @param {string} scope flag that says which of them are wanted
 * @returns {string} empty where nothing needs to be installed
 */
function chooseInstall(path, packages, scope) {
  if (Object.keys(packages).length === 0) return '';
  const isLocked = ['package-lock.json', 'npm-shrinkwrap.json'].some((name) =>
    existsSync(join(path, name)),
  );
  return `npm ${isLocked ? 'ci' : 'install'} ${scope} ${INSTALL_FLAGS}`;
}
