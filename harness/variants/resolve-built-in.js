import { UsageError } from '../lib/errors.js';
import { applySettings, checkSettings } from './apply-settings.js';
import { buildFamily } from './build-family.js';
import { checkBuiltIn } from './choose-family.js';
import { describeProgram } from './describe-program.js';
import { digestSources } from './digest-files.js';
import { loadVariant } from './families.js';

/** @import { FamilyWorker, ResolvedVariant, VariantDescription, VariantSpec } from '../formats/types.ts' */
/** @import { FoundFamily } from './families.js' */
/** @import { ResolveContext } from './resolve-variant.js' */

/** @typedef {Extract<VariantSpec, { kind: 'built-in' }>} BuiltInSpec */

/**
 * Describes a variant of the family's own folder.
 *
 * @param {BuiltInSpec} spec
 * @param {FamilyWorker | null} worker of its family
 * @param {ResolveContext} context
 * @returns {Promise<Omit<ResolvedVariant, 'spec' | 'family' | 'kind'>>}
 * @throws {UsageError} when the family has no such variant, or its axes cannot be set so
 * @throws {import('../lib/errors.js').MachineError} when it cannot be built
 */
export async function resolveBuiltIn(spec, worker, context) {
  const { families, family } = context;
  checkBuiltIn(spec, families);
  requireOwnVariant(spec, family);
  const { modulePath, module } = await loadVariant(family, spec.name);
  const digest = digestSources(family.path, worker?.sources);
  const { settings } = spec;
  checkSettings(family, settings);
  if (worker?.command === undefined) {
    const built = await findBuild(module.variant, worker, context);
    const { variant } = await applySettings(family, module, settings, built);
    return { modulePath, settings, ...built, ...pickIdea(variant), digest };
  }
  const { variant } = module;
  const told = { ...variant.settings, ...settings };
  const built = await buildFamily(family, worker, context);
  return { modulePath, ...describeProgram(built, told, null), ...pickIdea(variant), digest };
}

/**
 * @param {BuiltInSpec} spec
 * @param {FoundFamily} family
 * @throws {UsageError} when another family has it
 */
function requireOwnVariant(spec, { name, variants }) {
  if ((spec.family ?? name) === name && variants.includes(spec.name)) return;
  throw new UsageError(`'${spec.text}' is no variant of ${name}`, {
    remedy: 'compare variants of one family, and leave --family out where their names tell',
  });
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
