import { resolve } from 'node:path';
import { didYouMean } from '../did-you-mean.js';
import { UsageError } from '../errors.js';
import { applySettings } from './apply-settings.js';
import { digestFile, digestSources } from './digest-files.js';
import { findFamily, loadVariant } from './families.js';
import { findNpmPackage } from './find-npm-package.js';
import { describePackage, findEntry, readPackage } from './package-entry.js';
import { resolveGit } from './resolve-git.js';
import { resolvePath } from './resolve-path.js';

/** @import { ResolvedVariant, VariantSpec } from '../types.ts' */
/** @import { FoundFamily } from './families.js' */

/**
 * @typedef {object} ResolveContext
 * @property {FoundFamily[]} families
 * @property {FoundFamily} family the one that the comparison is about
 * @property {string} projectPath of Assay itself
 * @property {string} cachePath where packages are installed
 * @property {string} workingPath what relative paths are relative to
 * @property {string | undefined} [build] shell command that builds a revision of a checkout
 * @property {AbortSignal | undefined} [signal] ends a build
 * @property {((text: string) => void) | undefined} [onNote] is told what takes long
 */

/**
 * The family that a comparison of these specs is about: the one that is named, or the only one that
 * fits.
 *
 * @param {VariantSpec[]} specs
 * @param {FoundFamily[]} families
 * @param {string | undefined} wanted by option
 * @param {string} [workingPath] what paths are relative to; without it, the directory of the process
 * @returns {FoundFamily}
 * @throws {UsageError} when the sides belong to different families or nothing tells
 */
export function chooseFamily(specs, families, wanted, workingPath = '.') {
  if (wanted !== undefined) return findFamily(families, wanted);
  const fitting = families.filter((family) =>
    specs.every((spec) => mayBelong(spec, family, { families, workingPath })),
  );
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
 * @throws {UsageError} when there is no such variant, version, revision or module
 * @throws {import('../errors.js').MachineError} when it cannot be brought or built
 */
export async function resolveVariant(spec, context) {
  const settings = spec.kind === 'built-in' ? spec.settings : {};
  return {
    spec: spec.text,
    family: context.family.name,
    kind: spec.kind,
    settings,
    ...(await resolveModule(spec, context)),
    ...(spec.node === null ? {} : { node: await findPin(spec.node, context) }),
  };
}

/**
 * @param {VariantSpec} spec
 * @param {ResolveContext} context
 */
function resolveModule(spec, context) {
  if (spec.kind === 'built-in') return resolveBuiltIn(spec, context);
  if (spec.kind === 'npm') return resolveNpm(spec, context);
  if (spec.kind === 'git') return resolveGit(spec, context);
  return resolvePath(spec, context);
}

/**
 * @param {string} wanted
 * @param {ResolveContext} context
 * @returns {Promise<string>} exact version of Node
 */
async function findPin(wanted, context) {
  // Loaded here, since few specs are pinned.
  const { findNodeRuntime } = await import('./find-node-runtime.js');
  return (await findNodeRuntime(wanted, context)).node;
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
    ...describePackage(path),
    source: `npm package ${packageName} ${version}`,
    version,
    integrity,
    digest: digestFile(modulePath),
  };
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
  // A directory may be of any family, unless it is one of a package that a family names.
  const directory = spec.kind === 'git' ? spec.directory : spec.path;
  const { name = '' } = readPackage(resolve(workingPath, directory));
  const owners = families.filter(({ packages }) => packages.includes(name));
  return owners.length === 0 || owners.includes(family);
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
