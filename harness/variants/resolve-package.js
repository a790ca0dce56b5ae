import { UsageError } from '../lib/errors.js';
import { checkSettings } from './apply-settings.js';
import { bringPackage, requireKnownPackage } from './bring-package.js';
import { buildFamily } from './build-family.js';
import { describeProgram } from './describe-program.js';
import { digestSources } from './digest-files.js';

/** @import { FamilyWorker, ResolvedVariant, VariantSpec } from '../formats/types.ts' */
/** @import { ResolveContext } from './resolve-variant.js' */

/**
 * Describes a version of a package of one of the family's registries.
 *
 * @param {Extract<VariantSpec, { kind: 'package' }>} spec
 * @param {FamilyWorker | null} worker of the family
 * @param {ResolveContext} context
 * @returns {Promise<Omit<ResolvedVariant, 'spec' | 'family' | 'kind'>>}
 * @throws {UsageError} when the family knows no such package, or its registry no such version
 * @throws {import('../lib/errors.js').MachineError} when the program that measures it cannot be built
 */
export async function resolvePackage(spec, worker, context) {
  const { family } = context;
  if (worker?.command === undefined) {
    throw new UsageError(`'${spec.text}' is of a registry that ${family.name} knows nothing of`, {
      remedy: `'just variants' lists what ${family.name} has`,
    });
  }
  requireKnownPackage(spec, family);
  checkSettings(family, spec.settings);
  const built = await buildFamily(family, worker, context);
  const { packagePath, integrity, idea, source } = await bringPackage(spec, worker, context);
  return {
    modulePath: packagePath,
    ...describeProgram(built, spec.settings, packagePath),
    idea,
    source,
    version: spec.version,
    integrity,
    digest: digestSources(family.path, worker.sources),
  };
}
