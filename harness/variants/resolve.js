import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from '../lib/errors.js';
import { PROGRAM } from '../lib/program.js';
import { PROJECT } from '../lib/project.js';
import { omitUndefined } from '../lib/records.js';
import { addPin, didYouMean } from '../lib/words.js';
import { buildCheckout } from './build-checkout.js';
import {
  buildFamily,
  digestFamily,
  digestProgram,
  makeProgram,
  loadFamilyWorker,
} from './build-family.js';
import { digestFile } from './cache.js';
import { checkBuiltIn, loadVariant } from './families.js';
import { askGit, findRevision, findCommit, requireCheckout, runGit } from './git.js';
import { fetchPackage, findNpmPackage, requireKnownPackage } from './npm.js';
import { findEntry, findModules, summarizePackage } from './package-entry.js';
import { pinPackage } from './pin.js';
import { parseVariantSpec } from './spec.js';

/** @import { FamilyWorker, ResolvedVariant, VariantDescription, VariantSpec } from '../formats/types.ts' */
/** @import { FoundFamily, VariantModule } from './families.js' */
/** @import { BuildContext } from './build-package.js' */
/** @import { PackagePlaces, Resolution } from './npm.js' */

/** @typedef {Omit<ResolvedVariant, 'spec' | 'family' | 'kind' | 'settings'> & Partial<ResolvedVariant>} FoundVariant */

/**
 * @typedef {object} Choice
 * @property {FoundFamily[]} families
 * @property {FoundFamily} family that of the comparison
 * @property {string} workingPath base of relative paths
 *
 * @typedef {Choice & PackagePlaces & BuildContext & Pick<Resolution, 'recorded'>} ResolveContext
 */

/**
 * Resolves a spec to something that a worker can load. Its digest is that of the entry file, until a worker has loaded it
 * (`identifyCode`), or of what the program that measures it is made of.
 *
 * @param {VariantSpec} spec
 * @param {ResolveContext} context
 * @returns {Promise<ResolvedVariant>}
 * @throws {UsageError} when there is no such variant, version, revision or module
 * @throws {import('../lib/errors.js').MachineError} when it cannot be fetched or built, or its
 *   toolchain is missing
 */
export async function resolveVariant(spec, context) {
  const worker = await loadFamilyWorker(context.family);
  if (worker?.command !== undefined) refuseJavaScript(spec, context);
  const found = await resolveParts(spec, worker, context);
  return {
    spec: spec.text,
    family: context.family.name,
    kind: spec.kind,
    settings: {},
    ...found,
    ...(spec.runtime === null ? {} : { runtime: await findPin(spec.runtime, context) }),
  };
}

/**
 * Resolves the variant whose output is correct by definition, always with the newest dependencies.
 *
 * @param {{ reference?: string | undefined, baseline: string }} asked `reference`: as typed; without it the one that the
 *   family names, where paths are relative to the project, or else the baseline
 * @param {ResolveContext} context
 * @returns {Promise<ResolvedVariant>}
 */
export function resolveReference({ reference: named, baseline }, context) {
  const { reference: own } = context.family;
  const isOwn = named === undefined && own !== undefined;
  const workingPath = isOwn ? PROJECT.projectPath : context.workingPath;
  return resolveVariant(parseVariantSpec(named ?? own ?? baseline), {
    ...context,
    workingPath,
    asOf: undefined,
  });
}

/**
 * Refuses specs without meaning for a family with its own program.
 *
 * @param {VariantSpec} spec
 * @param {ResolveContext} context
 * @throws {UsageError} when it is a module, or is pinned to a runtime
 */
function refuseJavaScript({ kind, runtime, text }, { family: { name } }) {
  if (kind !== 'built-in' && kind !== 'package') {
    throw new UsageError(`'${text}' is JavaScript, but ${name} is measured by its own program`, {
      remedy: `'${PROGRAM} variants' lists the variants of ${name}`,
    });
  }
  if (runtime === null) return;
  throw new UsageError(
    `'${text}' is pinned to ${runtime}, but ${name} is measured by its own program`,
    {
      remedy: `remove ${addPin('', runtime)}`,
    },
  );
}

/** @param {VariantSpec} spec @param {FamilyWorker | null} worker @param {ResolveContext} context */
async function resolveParts(spec, worker, context) {
  if (spec.kind === 'built-in') return resolveBuiltIn(spec, worker, context);
  if (spec.kind === 'package') return resolvePackage(spec, worker, context);
  const found = await layOver(await resolveModule(spec, context), context);
  // A module from elsewhere does not use the build of the family.
  return worker === null ? found : { ...found, buildPath: null };
}

/**
 * @param {Extract<VariantSpec, { kind: 'npm' | 'git' | 'path' }>} spec
 * @param {ResolveContext} context
 */
function resolveModule(spec, context) {
  if (spec.kind === 'npm') return resolveNpm(spec, context);
  if (spec.kind === 'git') return resolveGit(spec, context);
  return resolvePath(spec, context);
}

/**
 * Has a variant of a family of benchmark files load these.
 * @type {<F extends { modulePath: string }>(found: F, context: ResolveContext) => Promise<F>}
 */
async function layOver(found, context) {
  const { bench } = context.family;
  if (bench === undefined) return found;
  // Loaded on demand, since few families are of benchmark files.
  const { layBenchmarks } = await import('./bench/tree.js');
  return { ...found, ...(await layBenchmarks(found.modulePath, bench, context)) };
}

/**
 * @param {string} wanted
 * @param {ResolveContext} context
 * @returns {Promise<string>} name and exact version of the runtime
 */
async function findPin(wanted, context) {
  // Loaded on demand, since few specs are pinned.
  const { findRuntime } = await import('./runtimes.js');
  return (await findRuntime(wanted, context)).name;
}

/** @param {Extract<VariantSpec, { kind: 'npm' }>} spec @param {ResolveContext} context */
async function resolveNpm(spec, context) {
  const { asOf, recorded } = context;
  const { packageName, version: wanted, overrides, isArchive } = await pinPackage(spec, context);
  const resolution = { overrides, asOf, recorded, isArchive };
  const found = await findNpmPackage(packageName, wanted, context, resolution);
  const { path, version, integrity, dependencies } = found;
  const modulePath = await findEntry(path);
  return {
    modulePath,
    ...(await findModules(path, context.family.modules)),
    ...summarizePackage(path),
    source: `npm package ${packageName} ${version}${isArchive ? ` of ${wanted}` : ''}`,
    version,
    integrity,
    dependencies,
    digest: digestFile(modulePath),
  };
}

/** @typedef {Extract<VariantSpec, { kind: 'built-in' }>} BuiltInSpec */

/**
 * Describes a built-in variant.
 *
 * @param {BuiltInSpec} spec
 * @param {FamilyWorker | null} worker of its family
 * @param {ResolveContext} context
 * @returns {Promise<FoundVariant>}
 * @throws {UsageError} when the family has no such variant, axis or value
 * @throws {import('../lib/errors.js').MachineError} when it cannot be built
 */
async function resolveBuiltIn(spec, worker, context) {
  const { families, family } = context;
  checkBuiltIn(spec, families);
  requireOwnVariant(spec, family);
  const { module, ...found } = await loadVariant(family, spec.name, context);
  const { settings } = spec;
  checkSettings(family, settings);
  if (worker?.command === undefined) {
    const built = await findBuild(module.variant, worker, context);
    const { variant } = await applySettings(family, module, settings, { ...found, built });
    const digest = digestFile(found.modulePath);
    return { ...found, settings, ...built, ...pickIdea(variant), digest };
  }
  const { variant } = module;
  const all = { ...variant.settings, ...settings };
  const built = await buildFamily(family, worker, context);
  const digest = digestProgram(await digestFamily(family.path), all);
  return { ...found, ...makeProgram(built, all, null), ...pickIdea(variant), digest };
}

/**
 * @param {BuiltInSpec} spec
 * @param {FoundFamily} family
 * @throws {UsageError} when it belongs to another family
 */
function requireOwnVariant(spec, { name, variants }) {
  if ((spec.family ?? name) === name && variants.includes(spec.name)) return;
  throw new UsageError(`'${spec.text}' is not a variant of ${name}`, {
    remedy: 'compare variants of one family; --family is only needed for ambiguous names',
  });
}

/**
 * Build that the JavaScript worker passes to the variant.
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

const SHORT = 10;
const MAX_SUBJECT_CHARACTERS = 100;

/**
 * Builds a revision of a checkout in the cache and describes it as a variant. The checkout is only read.
 *
 * @param {Extract<VariantSpec, { kind: 'git' }>} spec
 * @param {BuildContext & Pick<ResolveContext, 'workingPath' | 'family'>} context
 * @returns {Promise<FoundVariant>}
 * @throws {import('../lib/errors.js').UsageError} when there is no such checkout or revision
 * @throws {import('../lib/errors.js').MachineError} when it cannot be built
 */
async function resolveGit({ directory, ref }, context) {
  const repositoryPath = resolve(context.workingPath, directory);
  const checkout = { path: repositoryPath, typed: directory };
  requireCheckout(checkout);
  const commit = findCommit(checkout, ref);
  const name = `commit ${commit.slice(0, SHORT)} of ${directory}`;
  // Empty at the root of a checkout and in a bare repository, `packages/bson/` below the root.
  const prefix = askGit(repositoryPath, ['rev-parse', '--show-prefix']) ?? '';
  const found = await buildCheckout({ repositoryPath, commit, prefix, name }, context);
  const { path, build, dependencies } = found;
  const modulePath = await findEntry(path);
  const subject = runGit(repositoryPath, ['log', '-1', '--no-color', '--format=%s', commit, '--']);
  return {
    modulePath,
    ...(await findModules(path, context.family.modules)),
    ...summarizePackage(path),
    source: `${name}, ${subject.slice(0, MAX_SUBJECT_CHARACTERS)}`,
    revision: { commit, changes: null },
    ...(build === '' ? {} : { build }),
    ...omitUndefined({ dependencies }),
    digest: digestFile(modulePath),
  };
}

/**
 * Describes a version of a package of one of the family's registries.
 *
 * @param {Extract<VariantSpec, { kind: 'package' }>} spec
 * @param {FamilyWorker | null} worker of the family
 * @param {ResolveContext} context
 * @returns {Promise<FoundVariant>}
 * @throws {UsageError} when the family has no such package, or the registry no such version
 * @throws {import('../lib/errors.js').MachineError} when the program that measures it cannot be built
 */
async function resolvePackage(spec, worker, context) {
  const { family } = context;
  if (worker?.command === undefined) {
    throw new UsageError(`'${spec.text}': ${family.name} has no such registry`, {
      remedy: `'${PROGRAM} variants' lists the variants of ${family.name}`,
    });
  }
  requireKnownPackage(spec, family);
  checkSettings(family, spec.settings);
  const built = await buildFamily(family, worker, context);
  const { packagePath, integrity, idea, source } = await fetchPackage(spec, worker, context);
  return {
    modulePath: packagePath,
    ...makeProgram(built, spec.settings, packagePath),
    idea,
    source,
    version: spec.version,
    integrity,
    digest: digestProgram(await digestFamily(family.path), spec.settings),
  };
}

/**
 * Describes a directory or a module on disk as a variant.
 *
 * @param {Extract<VariantSpec, { kind: 'path' }>} spec
 * @param {Pick<ResolveContext, 'workingPath' | 'family'>} context
 * @returns {Promise<FoundVariant>}
 * @throws {UsageError} when it does not exist, or is a directory without a module
 */
async function resolvePath(spec, { workingPath, family }) {
  const path = resolve(workingPath, spec.path);
  if (!existsSync(path)) {
    throw new UsageError(`'${spec.text}': '${path}' does not exist`, {
      remedy: 'relative paths are relative to the current directory',
    });
  }
  const isFile = statSync(path).isFile();
  const modulePath = isFile ? path : await findEntry(path);
  const revision = findRevision(path);
  return {
    modulePath,
    ...(isFile ? { idea: 'a module' } : summarizePackage(path)),
    ...(isFile ? {} : await findModules(path, family.modules)),
    source: path,
    digest: digestFile(modulePath),
    ...(revision === null ? {} : { revision }),
  };
}

const WHOLE_NUMBER = /^[1-9]\d{0,8}$/;

/**
 * Applies settings to a built-in variant: `linked-list+object-id=packed`.
 *
 * @param {FoundFamily} family
 * @param {VariantModule} module
 * @param {Record<string, string>} settings by axis
 * @param {object} context
 * @param {string} [context.patchedPath] of a variant that is a patch
 * @param {{ buildPath?: string | null }} context.built of a family that builds something
 * @returns {Promise<VariantModule>} the module itself without settings
 * @throws {UsageError} for an unknown axis or value, or an invalid combination
 */
async function applySettings(family, module, settings, { patchedPath = family.path, built }) {
  if (Object.keys(settings).length === 0) return module;
  checkSettings(family, settings);
  const { composeVariant } = await import(pathToFileURL(`${patchedPath}/compose.js`).href);
  return composeVariant(module, settings, built);
}

/**
 * @param {FoundFamily} family
 * @param {Record<string, string>} settings by axis
 * @throws {UsageError} for an unknown axis or value
 */
export function checkSettings(family, settings) {
  for (const [name, value] of Object.entries(settings)) checkSetting(family, name, value);
}

/** @param {FoundFamily} family @param {string} name @param {string} value */
function checkSetting({ name: familyName, axes }, name, value) {
  const axis = axes.find((candidate) => candidate.name === name);
  if (axis === undefined) {
    const names = axes.map((candidate) => candidate.name);
    throw new UsageError(`${familyName} has no axis '${name}'${didYouMean(name, names)}`, {
      remedy: names.length === 0 ? 'remove it' : `axes: ${names.join(', ')}`,
    });
  }
  if (axis.values === undefined ? WHOLE_NUMBER.test(value) : axis.values.includes(value)) return;
  const allowed = axis.values?.join(', ') ?? 'a positive whole number';
  throw new UsageError(`no ${name} '${value}'${didYouMean(value, axis.values ?? [])}`, {
    remedy: `use ${axis.values === undefined ? '' : 'one of '}${allowed}`,
  });
}
