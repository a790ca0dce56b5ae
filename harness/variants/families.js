import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FormatError, UsageError } from '../lib/errors.js';
import { PROJECT } from '../lib/project.js';
import { didYouMean } from '../lib/words.js';
import { readPackage } from './package-entry.js';
import { patchFamily, isPatch, listPatches, readPatch } from './patches.js';

/** @import { Axis, Family, OperationDescription, VariantDescription, VariantSpec } from '../formats/types.ts' */
/** @import { Io } from '../cli/cli.js' */
/** @import { ResolveContext } from './resolve.js' */

/**
 * A family as found on disk.
 *
 * @typedef {Family & FoundParts} FoundFamily with the values of each axis
 */

/**
 * @typedef {object} FoundParts
 * @property {string} path
 * @property {string[]} variants
 * @property {string[]} operations
 * @property {Axis[]} axes
 * @property {boolean} hasContract whether it has a behaviour contract
 */

/**
 * The part of a built-in variant that the harness reads.
 *
 * @typedef {{ variant: VariantDescription }} VariantModule
 */

/** All families, sorted by name. @type {(experimentsPath: string) => Promise<FoundFamily[]>} */
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
 * @throws {UsageError} for an unknown name
 */
export function findFamily(families, name) {
  const family = families.find((candidate) => candidate.name === name);
  if (family !== undefined) return family;
  const names = families.map((candidate) => candidate.name);
  throw new UsageError(`no family '${name}'${didYouMean(name, names)}`, {
    remedy: `families: ${names.join(', ')}; see 'just variants'`,
  });
}

/**
 * Loads the module of a built-in variant.
 *
 * @param {FoundFamily} family
 * @param {string} name
 * @param {string} [cachePath] where a patch is applied
 * @returns {Promise<{ modulePath: string, patchedPath?: string, module: VariantModule }>} `patchedPath`: of a
 *   variant that is a patch, see `JobVariant`
 * @throws {FormatError} when it is a patch that does not apply
 */
export async function loadVariant(family, name, cachePath = PROJECT.cachePath) {
  const found = isPatch(family, name)
    ? await patchFamily(family, name, cachePath)
    : { modulePath: join(family.path, 'variants', `${name}.js`) };
  return { ...found, module: await import(pathToFileURL(found.modulePath).href) };
}

/**
 * @param {FoundFamily} family
 * @param {string} name
 * @returns {Promise<string>} the idea of a built-in variant; a patch is not applied for it
 * @throws {FormatError} when its patch is invalid
 */
export async function loadIdea(family, name) {
  if (isPatch(family, name)) return readPatch(family, name).head.idea;
  return (await loadVariant(family, name)).module.variant.idea;
}

/**
 * @param {FoundFamily} family
 * @param {string} name
 * @returns {Promise<OperationDescription>}
 * @throws {UsageError} for an unknown name
 */
export async function loadOperation(family, name) {
  if (!family.operations.includes(name)) {
    throw new UsageError(
      `${family.name} has no operation '${name}'${didYouMean(name, family.operations)}`,
      { remedy: `operations: ${family.operations.join(', ')}` },
    );
  }
  const module = await import(pathToFileURL(join(family.path, 'operations', `${name}.js`)).href);
  return module.operation;
}

/** @type {(path: string) => Promise<FoundFamily>} */
async function loadFamily(path) {
  const { family } = await import(pathToFileURL(join(path, 'family.js')).href);
  return {
    ...family,
    path,
    hasContract: existsSync(join(path, 'conformance.js')),
    variants: listVariants(join(path, 'variants')),
    operations: listModules(join(path, 'operations')),
    axes: (family.axes ?? []).map((/** @type {Axis} */ axis) =>
      axis.folder === undefined ? axis : { ...axis, values: listModules(join(path, axis.folder)) },
    ),
  };
}

/**
 * @param {string} path
 * @returns {string[]} names of modules and patches
 * @throws {FormatError} when a module and a patch have the same name
 */
function listVariants(path) {
  const modules = listModules(path);
  const patches = listPatches(path);
  const both = patches.find((name) => modules.includes(name));
  if (both === undefined) return [...modules, ...patches].sort();
  throw new FormatError(`'${path}' has both '${both}.js' and '${both}.patch'`, {
    remedy: 'remove or rename one of them',
  });
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

/**
 * Chooses the family of a comparison: the requested one, or the only one that fits all specs.
 *
 * @param {VariantSpec[]} specs
 * @param {FoundFamily[]} families
 * @param {string | undefined} wanted by --family
 * @param {string} [workingPath] base of relative paths; default: the current directory
 * @returns {FoundFamily}
 * @throws {UsageError} when they belong to different families, or the family is ambiguous
 */
export function chooseFamily(specs, families, wanted, workingPath = '.') {
  if (wanted !== undefined) return findFamily(families, wanted);
  const choices = specs.map((spec) =>
    families.filter((family) => mayBelong(spec, family, { families, workingPath })),
  );
  const fitting = families.filter((family) => choices.every((choice) => choice.includes(family)));
  if (fitting.length === 1) return fitting[0];
  for (const spec of specs) checkBuiltIn(spec, families);
  if (fitting.length === 0 && choices.every((choice) => choice.length > 0)) {
    const belongings = choices.map(
      (choice, index) => `'${specs[index].text}' to ${choice.map(({ name }) => name).join(' or ')}`,
    );
    throw new UsageError(`the variants belong to different families: ${belongings.join(', ')}`, {
      remedy: "name variants of one family; 'just variants' lists them by family",
    });
  }
  const texts = specs.map((spec) => `'${spec.text}'`).join(' and ');
  const names = families.map(({ name }) => name).join(', ');
  throw new UsageError(
    `it is not clear which family ${texts} belong${specs.length > 1 ? '' : 's'} to`,
    {
      remedy: `add --family with one of: ${names}`,
    },
  );
}

/**
 * @param {VariantSpec} spec
 * @param {FoundFamily[]} families
 * @throws {UsageError} for an unknown built-in name
 */
export function checkBuiltIn(spec, families) {
  if (spec.kind !== 'built-in') return;
  const where = spec.family === null ? families : [findFamily(families, spec.family)];
  const names = where.flatMap(({ variants }) => variants);
  if (names.includes(spec.name)) return;
  throw new UsageError(`no variant '${spec.name}'${didYouMean(spec.name, names)}`, {
    remedy: `'just variants' lists all ${names.length}`,
  });
}

/**
 * @param {VariantSpec} spec
 * @param {FoundFamily} family
 * @param {{ families: FoundFamily[], workingPath: string }} context
 */
function mayBelong(spec, family, { families, workingPath }) {
  if (spec.kind === 'built-in') {
    return (spec.family ?? family.name) === family.name && family.variants.includes(spec.name);
  }
  if (spec.kind === 'npm') return family.packages.includes(spec.packageName);
  if (spec.kind === 'package') return Object.hasOwn(family.registries ?? {}, spec.registry);
  // A directory belongs to the family that lists its package, or else to one that accepts any module.
  const directory = spec.kind === 'git' ? spec.directory : spec.path;
  const { name = '' } = readPackage(resolve(workingPath, directory));
  const owners = families.filter(({ packages }) => packages.includes(name));
  return owners.length === 0 ? family.takesModules === true : owners.includes(family);
}

/**
 * Context of resolving variants.
 *
 * @param {Pick<ResolveContext, 'families' | 'family' | 'build'>} found
 * @param {Pick<Io, 'workingPath' | 'signal' | 'stderr'>} io notes of slow steps go to standard error
 * @returns {ResolveContext}
 */
export function openContext(found, { workingPath, signal, stderr }) {
  return {
    ...PROJECT,
    ...found,
    workingPath,
    signal,
    onNote: (text) => void stderr.write(`note: ${text}\n`),
  };
}
