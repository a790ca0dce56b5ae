import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { didYouMean } from '../did-you-mean.js';
import { UsageError } from '../errors.js';
import { applySettings } from './apply-settings.js';
import { digestFile, digestSources } from './digest-files.js';
import { findFamily, loadVariant } from './families.js';
import { findNpmPackage } from './find-npm-package.js';

/** @import { ResolvedVariant, VariantSpec } from '../types.ts' */
/** @import { FoundFamily } from './families.js' */

/**
 * @typedef {object} ResolveContext
 * @property {FoundFamily[]} families
 * @property {FoundFamily} family the one that the comparison is about
 * @property {string} projectPath of Assay itself
 * @property {string} cachePath where packages are installed
 * @property {string} workingPath what relative paths are relative to
 */

/**
 * The family that a comparison of these specs is about: the one that is named, or the only one that
 * fits.
 *
 * @param {VariantSpec[]} specs
 * @param {FoundFamily[]} families
 * @param {string | undefined} wanted by option
 * @returns {FoundFamily}
 * @throws {UsageError} when the sides belong to different families or nothing tells
 */
export function chooseFamily(specs, families, wanted) {
  if (wanted !== undefined) return findFamily(families, wanted);
  const fitting = families.filter((family) => specs.every((spec) => mayBelong(spec, family)));
  if (fitting.length === 1) return fitting[0];
  for (const spec of specs) checkBuiltIn(spec, families);
  const texts = specs.map((spec) => `'${spec.text}'`).join(' and ');
  const names = families.map(({ name }) => name).join(', ');
  throw new UsageError(`${texts} do not say which family they belong to`, {
    remedy: `add --family with one of: ${names}`,
  });
}

/**
 * Turns a spec into something that a worker can load.
 *
 * @param {VariantSpec} spec
 * @param {ResolveContext} context
 * @returns {Promise<ResolvedVariant>}
 * @throws {UsageError} when there is no such variant, version or module
 */
export async function resolveVariant(spec, context) {
  const settings = spec.kind === 'built-in' ? spec.settings : {};
  const common = { spec: spec.text, family: context.family.name, kind: spec.kind, settings };
  if (spec.kind === 'built-in') return { ...common, ...(await resolveBuiltIn(spec, context)) };
  if (spec.kind === 'npm') return { ...common, ...(await resolveNpm(spec, context)) };
  return { ...common, ...(await resolvePath(spec, context)) };
}

/**
 * @param {Extract<VariantSpec, { kind: 'built-in' }>} spec
 * @param {ResolveContext} context
 */
async function resolveBuiltIn(spec, { families, family }) {
  checkBuiltIn(spec, families);
  const { modulePath, module } = await loadVariant(family, spec.name);
  const { variant } = await applySettings(family, module, spec.settings);
  const { idea, source } = variant;
  return { modulePath, idea, source, digest: digestSources(family.path) };
}

/**
 * @param {Extract<VariantSpec, { kind: 'npm' }>} spec
 * @param {ResolveContext} context
 */
async function resolveNpm({ packageName, version }, context) {
  const { path, integrity } = await findNpmPackage(packageName, version, context);
  const modulePath = await findEntry(path);
  return {
    modulePath,
    idea: describePackage(path),
    source: `npm package ${packageName} ${version}`,
    version,
    integrity,
    digest: digestFile(modulePath),
  };
}

/**
 * @param {Extract<VariantSpec, { kind: 'path' }>} spec
 * @param {ResolveContext} context
 */
async function resolvePath(spec, { workingPath }) {
  const path = resolve(workingPath, spec.path);
  if (!existsSync(path)) {
    throw new UsageError(`'${spec.text}': there is no '${path}'`, {
      remedy: 'relative paths start from the directory in which the command was typed',
    });
  }
  if (statSync(path).isFile()) {
    return { modulePath: path, idea: 'a module', source: path, digest: digestFile(path) };
  }
  const modulePath = await findEntry(path);
  const version = readPackage(path).version;
  return {
    modulePath,
    idea: describePackage(path),
    source: path,
    ...(typeof version === 'string' ? { version } : {}),
    digest: digestFile(modulePath),
  };
}

/**
 * The module that `import` of a package would load, by the rules of Node.
 *
 * @param {string} path directory of the package
 * @returns {Promise<string>}
 */
async function findEntry(path) {
  const { name, exports, main } = readPackage(path);
  const { resolve: resolveModule } = await import('import-meta-resolve');
  const parent = pathToFileURL(join(path, 'package.json')).href;
  const specifier = exports !== undefined && name !== undefined ? name : `./${main ?? 'index.js'}`;
  let entry;
  try {
    entry = fileURLToPath(resolveModule(specifier, parent));
  } catch (cause) {
    throw new UsageError(`'${path}' has no module that can be imported`, {
      cause,
      remedy: 'check "exports" or "main" in its package.json',
    });
  }
  if (!existsSync(entry)) {
    throw new UsageError(`'${path}' names '${entry}' as its module, which is not there`, {
      remedy: 'build the checkout first (npm install && npm run build)',
    });
  }
  return entry;
}

/**
 * @param {string} path
 * @returns {{ name?: string, version?: string, description?: string, exports?: unknown, main?: string }}
 */
function readPackage(path) {
  const file = join(path, 'package.json');
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new UsageError(`'${file}' is not valid JSON`, { cause });
  }
}

/** @param {string} path */
function describePackage(path) {
  return readPackage(path).description ?? 'no description';
}

/**
 * @param {VariantSpec} spec
 * @param {FoundFamily} family
 */
function mayBelong(spec, family) {
  if (spec.kind === 'built-in') {
    return (spec.family ?? family.name) === family.name && family.variants.includes(spec.name);
  }
  return spec.kind === 'path' || family.packages.includes(spec.packageName);
}

/**
 * @param {VariantSpec} spec
 * @param {FoundFamily[]} families
 */
function checkBuiltIn(spec, families) {
  if (spec.kind !== 'built-in') return;
  const where = spec.family === null ? families : [findFamily(families, spec.family)];
  const names = where.flatMap(({ variants }) => variants);
  if (names.includes(spec.name)) return;
  throw new UsageError(`no variant '${spec.name}'${didYouMean(spec.name, names)}`, {
    remedy: `'just variants' lists all ${names.length} and tells what each is`,
  });
}
