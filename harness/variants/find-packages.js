import { findNpmPackage } from './find-npm-package.js';
import { loadOperation } from './families.js';

/** @import { Cell } from '../formats/types.ts' */
/** @import { FoundFamily } from './families.js' */

/**
 * Brings the npm packages that the operations of a comparison need, such as a load generator.
 *
 * @param {Cell[]} cells
 * @param {FoundFamily} family
 * @param {import('./find-npm-package.js').PackagePlaces} places
 * @returns {Promise<Record<string, string>>} directory by name of the package
 * @throws {import('../lib/errors.js').AssayError} when one cannot be installed
 */
export async function findPackages(cells, family, places) {
  /** @type {Record<string, string>} */
  const paths = {};
  for (const operation of new Set(cells.map((cell) => cell.operation))) {
    const { packages = {} } = await loadOperation(family, operation);
    for (const [name, version] of Object.entries(packages)) {
      paths[name] = (await findNpmPackage(name, version, places)).path;
    }
  }
  return paths;
}
