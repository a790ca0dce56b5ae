import { resolve } from 'node:path';
import { didYouMean } from '../did-you-mean.js';
import { UsageError } from '../errors.js';
import { applySettings, checkSettings } from './apply-settings.js';
import { bringPackage } from './bring-package.js';
import { buildFamily, loadFamilyWorker } from './build-family.js';
import { digestFile, digestSources } from './digest-files.js';
import { findFamily, loadVariant } from './families.js';
import { findNpmPackage } from './find-npm-package.js';
import { describePackage, findEntry, readPackage } from './package-entry.js';
import { resolveGit } from './resolve-git.js';
import { resolvePath } from './resolve-path.js';

/** @import { FamilyWorker, ResolvedVariant, VariantDescription, VariantSpec } from '../types.ts' */
/** @import { BuiltFamily } from './build-family.js' */
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
 * @throws {import('../errors.js').MachineError} when it cannot be brought or built, or the toolchain
 *   that it takes is not here
 */
export async function resolveVariant(spec, context) {
  const found = await resolveModule(spec, context);
  if (spec.node !== null && 'program' in found) refusePin(spec, context);
  return {
    spec: spec.text,
    family: context.family.name,
    kind: spec.kind,
    settings: {},
    ...found,
    ...(spec.node === null ? {} : { node: await findPin(spec.node, context) }),
  };
}

/**
 * @param {VariantSpec} spec
 * @param {ResolveContext} context
 * @returns {never}
 */
function refusePin({ text }, { family }) {
  throw new UsageError(
    `'${text}' names a Node, and ${family.name} is measured by its own program`,
    {
      remedy: 'leave out @node=',
    },
  );
}

/**
 * @param {VariantSpec} spec
 * @param {ResolveContext} context
 */
function resolveModule(spec, context) {
  if (spec.kind === 'built-in') return resolveBuiltIn(spec, context);
  if (spec.kind === 'npm') return resolveNpm(spec, context);
  if (spec.kind === 'package') return resolvePackage(spec, context);
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
async function resolveBuiltIn(spec, context) {
  const { families, family } = context;
  checkBuiltIn(spec, families);
  const { modulePath, module } = await loadVariant(family, spec.name);
  const worker = await loadFamilyWorker(family);
  const digest = digestSources(family.path, worker?.sources);
  const { settings } = spec;
  if (worker?.command === undefined) {
    const { variant } = await applySettings(family, module, settings);
    const built = await findBuild(variant, worker, context);
    return { modulePath, settings, ...built, ...pickIdea(variant), digest };
  }
  checkSettings(family, settings);
  const { variant } = module;
  const told = { ...variant.settings, ...settings };
  const built = await buildFamily(family, worker, context);
  return { modulePath, ...startProgram(built, told, null), ...pickIdea(variant), digest };
}

/**
 * What the JavaScript worker is told of a build.
 *
 * @param {VariantDescription} variant
 * @param {FamilyWorker | null} worker
 * @param {ResolveContext} context
 * @returns {Promise<Pick<ResolvedVariant, 'buildPath' | 'toolchain'>>}
 */
async function findBuild({ isPortable }, worker, context) {
  if (worker === null) return {};
  if (isPortable === true) return { buildPath: null };
  const { buildPath, toolchain } = await buildFamily(context.family, worker, context);
  return { buildPath, toolchain };
}

/** @param {VariantDescription} variant */
function pickIdea({ idea, source }) {
  return { idea, source };
}

/**
 * @param {BuiltFamily} built whose worker has a command
 * @param {Record<string, string>} settings
 * @param {string | null} packagePath
 * @returns {Pick<ResolvedVariant, 'settings' | 'buildPath' | 'program' | 'toolchain'>}
 */
function startProgram({ worker, buildPath, toolchain }, settings, packagePath) {
  const program = worker.command?.({ buildPath, packagePath, settings });
  return { settings, buildPath, toolchain, ...(program === undefined ? {} : { program }) };
}

/**
 * @param {Extract<VariantSpec, { kind: 'package' }>} spec
 * @param {ResolveContext} context
 */
async function resolvePackage(spec, context) {
  const { family } = context;
  const worker = await loadFamilyWorker(family);
  if (worker?.command === undefined) {
    throw new UsageError(`'${spec.text}' is of a registry that ${family.name} knows nothing of`, {
      remedy: `'just variants' lists what ${family.name} has`,
    });
  }
  checkSettings(family, spec.settings);
  const built = await buildFamily(family, worker, context);
  const { packagePath, integrity, idea, source } = await bringPackage(spec, worker, context);
  return {
    modulePath: packagePath,
    ...startProgram(built, spec.settings, packagePath),
    idea,
    source,
    version: spec.version,
    integrity,
    digest: digestSources(family.path, worker.sources),
  };
}

/**
 * @param {Extract<VariantSpec, { kind: 'npm' }>} spec
 * @param {ResolveContext} context
 */
async function resolveNpm({ packageName, version }, context) {
  const { path, integrity } = await findNpmPackage(packageName, version, context);
  const modulePath = await findEntry(path);
  const isBuilding = (await loadFamilyWorker(context.family)) !== null;
  return {
    modulePath,
    ...(isBuilding ? { buildPath: null } : {}),
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
  if (spec.kind === 'package') return Object.hasOwn(family.registries ?? {}, spec.registry);
  // A directory is of the family that names its package, or else of one that takes any module.
  const directory = spec.kind === 'git' ? spec.directory : spec.path;
  const { name = '' } = readPackage(resolve(workingPath, directory));
  const owners = families.filter(({ packages }) => packages.includes(name));
  return owners.length === 0 ? family.takesModules === true : owners.includes(family);
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
