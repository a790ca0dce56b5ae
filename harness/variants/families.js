import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AssayError, FormatError, UsageError } from '../lib/errors.js';
import { findFamilyFolders } from '../lib/places.js';
import { PROGRAM } from '../lib/program.js';
import { PROJECT } from '../lib/project.js';
import { explainTypeScript } from '../lib/typescript.js';
import { didYouMean } from '../lib/words.js';
import { listBenchFolders } from './bench/folders.js';
import { readPackage } from './package-entry.js';
import { patchFamily, isPatch, listPatches, readPatch } from './patches.js';
import { writeNote } from '../lib/messages.js';

/** @import { Axis, Family, OperationDescription, VariantDescription, VariantSpec } from '../formats/types.ts' */
/** @import { Io } from '../lib/io.ts' */
/** @import { Places } from './cache.js' */
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

/**
 * All families: those of the project, of packages and of Assay, in this order.
 *
 * @param {string} [experimentsPath] of those of Assay
 * @param {string} [cachePath] with those that were generated for benchmark files, where these are wanted too
 * @returns {Promise<FoundFamily[]>}
 * @throws {UsageError} when two have the same name
 * @throws {FormatError} when one is invalid
 */
export async function listFamilies(experimentsPath = PROJECT.experimentsPath, cachePath) {
  const folders = await findFamilyFolders({ ...PROJECT, experimentsPath });
  const generated = cachePath === undefined ? [] : listBenchFolders({ cachePath });
  return Promise.all([...folders, ...generated].map(loadFamily));
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
    remedy: `families: ${names.join(', ')}; see '${PROGRAM} variants'`,
  });
}

/**
 * Loads the module of a built-in variant.
 *
 * @param {FoundFamily} family
 * @param {string} name
 * @param {Places} [places] where a patch is applied
 * @returns {Promise<{ modulePath: string, patchedPath?: string, module: VariantModule }>} `patchedPath`: of a
 *   variant that is a patch, see `JobVariant`
 * @throws {FormatError} when it cannot be loaded, or is a patch that does not apply
 */
export async function loadVariant(family, name, places = PROJECT) {
  const found = isPatch(family, name)
    ? await patchFamily(family, name, places)
    : { modulePath: join(family.path, 'variants', `${name}.js`) };
  const module = await importModule(found.modulePath);
  if (typeof module.variant?.idea !== 'string') {
    throw new FormatError(`'${found.modulePath}' exports no variant with an idea`, {
      remedy: "export const variant = { idea: 'what is special', source: 'where it comes from' };",
    });
  }
  return { ...found, module };
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
 * @throws {FormatError} when it cannot be loaded
 */
export async function loadOperation(family, name) {
  if (!family.operations.includes(name)) {
    throw new UsageError(
      `${family.name} has no operation '${name}'${didYouMean(name, family.operations)}`,
      { remedy: `operations: ${family.operations.join(', ')}` },
    );
  }
  const file = join(family.path, 'operations', `${name}.js`);
  const { operation } = await importModule(file);
  if (typeof operation?.summary === 'string') {
    if ((operation.isAsync === true) === 'call' in operation) return operation;
    throw new FormatError(
      `'${file}' has one of isAsync: true and the method call without the other`,
      {
        remedy: 'an asynchronous operation has both, and no method run',
      },
    );
  }
  throw new FormatError(`'${file}' exports no operation with a summary`, {
    remedy: 'export const operation = { summary, prepare, run, output, explainDifference };',
  });
}

/**
 * @param {FoundFamily} family with a contract
 * @returns {Promise<string[] | null>} names of the rows; null where its `conformance.js` does not export them
 * @throws {FormatError} when it cannot be loaded
 */
export async function listContractRows({ path }) {
  const { rows } = await importModule(join(path, 'conformance.js'));
  return Array.isArray(rows) ? rows.map(String) : null;
}

/**
 * @param {{ name: string, path: string }} folder
 * @returns {Promise<FoundFamily>}
 * @throws {FormatError} when its `family.js` is invalid
 */
export async function loadFamily({ name, path }) {
  const file = join(path, 'family.js');
  const { family } = await importModule(file);
  requireFamily(family, { name, file });
  return {
    ...family,
    path,
    hasContract: existsSync(join(path, 'conformance.js')),
    variants: existsSync(join(path, 'variants')) ? listVariants(join(path, 'variants')) : [],
    operations: listModules(join(path, 'operations')),
    axes: (family.axes ?? []).map((/** @type {Axis} */ axis) =>
      axis.folder === undefined ? axis : { ...axis, values: listModules(join(path, axis.folder)) },
    ),
  };
}

/**
 * @param {string} file absolute path of a module of a family
 * @returns {Promise<any>} its namespace
 * @throws {FormatError} when it cannot be loaded
 */
async function importModule(file) {
  try {
    return await import(pathToFileURL(file).href);
  } catch (cause) {
    if (cause instanceof AssayError) throw cause;
    const { message, code } = /** @type {NodeJS.ErrnoException} */ (cause);
    const typeScript = explainTypeScript(`${code} ${message}`);
    throw new FormatError(`'${file}' cannot be loaded: ${typeScript?.problem ?? message}`, {
      cause,
      remedy: typeScript?.remedy ?? 'correct the file; families are ES modules',
    });
  }
}

/** What every `family.js` states. */
const REQUIRED = /** @type {const} */ ({
  summary: 'string',
  packages: 'list',
  defaultOperations: 'list',
});

/**
 * @param {any} family
 * @param {{ name: string, file: string }} folder
 * @throws {FormatError} when it has another name than its folder, or lacks a field
 */
function requireFamily(family, { name, file }) {
  if (family?.name !== name) {
    throw new FormatError(`'${file}' exports no family '${name}'`, {
      remedy: `export const family = { name: '${name}', … }: a family has the name of its folder, or of its package after assay-family-`,
    });
  }
  const wrong = Object.entries(REQUIRED).find(([key, type]) =>
    type === 'list' ? !Array.isArray(family[key]) : typeof family[key] !== type,
  );
  if (wrong === undefined) return;
  throw new FormatError(`the family in '${file}' has no valid '${wrong[0]}'`, {
    remedy: `give it a ${wrong[1] === 'list' ? 'list of texts' : 'text'}`,
  });
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
 * @throws {FormatError} when there is no such folder
 */
function listModules(path) {
  if (!existsSync(path)) {
    throw new FormatError(`the family has no folder '${path}'`, {
      remedy: 'create it; it holds one module each',
    });
  }
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
  const general = families.find(({ takesUnknownPackages }) => takesUnknownPackages === true);
  if (general !== undefined && isForAnyPackage(general, fitting)) return general;
  for (const spec of specs) checkBuiltIn(spec, families);
  if (fitting.length === 0 && choices.every((choice) => choice.length > 0)) {
    const belongings = choices.map(
      (choice, index) => `'${specs[index].text}' to ${choice.map(({ name }) => name).join(' or ')}`,
    );
    throw new UsageError(`the variants belong to different families: ${belongings.join(', ')}`, {
      remedy: `name variants of one family; '${PROGRAM} variants' lists them by family`,
    });
  }
  const texts = specs.map((spec) => `'${spec.text}'`).join(' and ');
  const names = families.map(({ name }) => name).join(', ');
  throw new UsageError(
    `it is not clear which family ${texts} belong${specs.length > 1 ? '' : 's'} to`,
    {
      remedy: [
        `add --family with one of: ${names}`,
        ...(general === undefined ? [] : [`${general.name} takes what exports two functions`]),
        'or measure a benchmark file with --bench FILE',
      ].join('; '),
    },
  );
}

/**
 * @param {FoundFamily} general which takes packages that no family lists
 * @param {FoundFamily[]} fitting
 * @returns {boolean} whether no family of the project or of a package would take these as modules
 */
function isForAnyPackage(general, fitting) {
  return (
    fitting.includes(general) &&
    fitting.every(({ path }) => dirname(path) === dirname(general.path))
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
    remedy: `'${PROGRAM} variants' lists all ${names.length}`,
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
  if (spec.kind === 'package') return Object.hasOwn(family.registries ?? {}, spec.registry);
  // A package belongs to the families that list it, or else to one that takes any; a module has no name.
  const name = spec.kind === 'npm' ? spec.packageName : findPackageName(spec, workingPath);
  const owners = families.filter(({ packages }) => packages.includes(name));
  if (owners.length > 0) return owners.includes(family);
  const takesIt = name !== '' && family.takesUnknownPackages === true;
  return takesIt || (spec.kind !== 'npm' && family.takesModules === true);
}

/** @type {(spec: Extract<VariantSpec, { kind: 'git' | 'path' }>, workingPath: string) => string} */
function findPackageName(spec, workingPath) {
  const directory = spec.kind === 'git' ? spec.directory : spec.path;
  return readPackage(resolve(workingPath, directory)).name ?? '';
}

/**
 * Context of resolving variants.
 *
 * @param {Pick<ResolveContext, 'families' | 'family' | 'build' | 'asOf'>} found
 * @param {Omit<Io, 'stdout'>} io notes of slow steps go to standard error
 * @returns {ResolveContext}
 */
export function openContext(found, { workingPath, signal, stderr }) {
  return {
    ...PROJECT,
    ...found,
    workingPath,
    signal,
    onNote: (text) => writeNote(stderr, text),
  };
}
