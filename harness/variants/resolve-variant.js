import { UsageError } from '../lib/errors.js';
import { loadFamilyWorker } from './build-family.js';
import { digestFile } from './digest-files.js';
import { findNpmPackage } from './find-npm-package.js';
import { describePackage, findEntry } from './package-entry.js';
import { resolveBuiltIn } from './resolve-built-in.js';
import { resolveGit } from './resolve-git.js';
import { resolvePackage } from './resolve-package.js';
import { resolvePath } from './resolve-path.js';

/** @import { FamilyWorker, ResolvedVariant, VariantSpec } from '../formats/types.ts' */
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
 * Turns a spec into something that a worker can load.
 *
 * @param {VariantSpec} spec
 * @param {ResolveContext} context
 * @returns {Promise<ResolvedVariant>}
 * @throws {UsageError} when there is no such variant, version, revision or module
 * @throws {import('../lib/errors.js').MachineError} when it cannot be brought or built, or the toolchain
 *   that it takes is not here
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
    ...(spec.node === null ? {} : { node: await findPin(spec.node, context) }),
  };
}

/**
 * Refuses what has no meaning where a program of the family's own measures.
 *
 * @param {VariantSpec} spec
 * @param {ResolveContext} context
 * @throws {UsageError} when it is a module, or is pinned to a Node
 */
function refuseJavaScript({ kind, node, text }, { family: { name } }) {
  if (kind !== 'built-in' && kind !== 'package') {
    throw new UsageError(`'${text}' is JavaScript, and ${name} is measured by its own program`, {
      remedy: `'just variants' lists what ${name} has`,
    });
  }
  if (node === null) return;
  throw new UsageError(`'${text}' names a Node, and ${name} is measured by its own program`, {
    remedy: 'leave out @node=',
  });
}

/**
 * @param {VariantSpec} spec
 * @param {FamilyWorker | null} worker
 * @param {ResolveContext} context
 */
async function resolveParts(spec, worker, context) {
  if (spec.kind === 'built-in') return resolveBuiltIn(spec, worker, context);
  if (spec.kind === 'package') return resolvePackage(spec, worker, context);
  const found = await resolveModule(spec, context);
  // A module from elsewhere needs nothing of what its family builds.
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
