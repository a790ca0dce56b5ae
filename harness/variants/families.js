import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { didYouMean } from '../lib/did-you-mean.js';
import { UsageError } from '../lib/errors.js';

/** @import { Axis, Family, OperationDescription, VariantDescription } from '../formats/types.ts' */

/**
 * A family as found on disk.
 *
 * @typedef {Family & FoundParts} FoundFamily the values of each axis are listed
 */

/**
 * @typedef {object} FoundParts
 * @property {string} path
 * @property {string[]} variants
 * @property {string[]} operations
 * @property {Axis[]} axes
 * @property {boolean} hasContract whether it promises more than the right output
 */

/**
 * What the harness itself reads of a built-in variant.
 *
 * @typedef {{ variant: VariantDescription }} VariantModule
 */

/**
 * All families, in the order of their names.
 *
 * @param {string} experimentsPath
 * @returns {Promise<FoundFamily[]>}
 */
export async function listFamilies(experimentsPath) {
  const names = readdirSync(experimentsPath).filter((name) =>
    existsSync(join(experimentsPath, name, 'family.js')),
  );
  return Promise.all(names.sort().map((name) => loadFamily(join(experimentsPath, name))));
}

/**
 * @param {FoundFamily[]} families
 * @param {string} name
 * @returns {FoundFamily}
 * @throws {UsageError} when there is none of that name
 */
export function findFamily(families, name) {
  const family = families.find((candidate) => candidate.name === name);
  if (family !== undefined) return family;
  const names = families.map((candidate) => candidate.name);
  throw new UsageError(`no family '${name}'${didYouMean(name, names)}`, {
    remedy: `there ${names.length === 1 ? 'is' : 'are'} ${names.join(', ')}; see 'just variants'`,
  });
}

/**
 * A built-in variant as a module.
 *
 * @param {FoundFamily} family
 * @param {string} name
 * @returns {Promise<{ modulePath: string, module: VariantModule }>}
 */
export async function loadVariant(family, name) {
  const modulePath = join(family.path, 'variants', `${name}.js`);
  return { modulePath, module: await import(pathToFileURL(modulePath).href) };
}

/**
 * @param {FoundFamily} family
 * @param {string} name
 * @returns {Promise<OperationDescription>}
 * @throws {UsageError} when the family has none of that name
 */
export async function loadOperation(family, name) {
  if (!family.operations.includes(name)) {
    throw new UsageError(
      `${family.name} has no operation '${name}'${didYouMean(name, family.operations)}`,
      { remedy: `there are ${family.operations.join(', ')}` },
    );
  }
  const module = await import(pathToFileURL(join(family.path, 'operations', `${name}.js`)).href);
  return module.operation;
}

/**
 * @param {string} path
 * @returns {Promise<FoundFamily>}
 */
async function loadFamily(path) {
  const { family } = await import(pathToFileURL(join(path, 'family.js')).href);
  return {
    ...family,
    path,
    hasContract: existsSync(join(path, 'conformance.js')),
    variants: listModules(join(path, 'variants')),
    operations: listModules(join(path, 'operations')),
    axes: (family.axes ?? []).map((/** @type {Axis} */ axis) =>
      axis.folder === undefined ? axis : { ...axis, values: listModules(join(path, axis.folder)) },
    ),
  };
}

/**
 * @param {string} path
 * @returns {string[]} names of the modules in a folder that is a registry
 */
function listModules(path) {
  return readdirSync(path)
    .filter((name) => name.endsWith('.js') && !name.endsWith('.test.js'))
    .map((name) => name.slice(0, -'.js'.length))
    .sort();
}
