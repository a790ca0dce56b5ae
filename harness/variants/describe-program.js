/** @import { ResolvedVariant } from '../formats/types.ts' */
/** @import { BuiltFamily } from './build-family.js' */

/**
 * How the program of a family measures a variant.
 *
 * @param {BuiltFamily} built whose worker has a command
 * @param {Record<string, string>} settings
 * @param {string | null} packagePath
 * @returns {Pick<ResolvedVariant, 'settings' | 'buildPath' | 'program' | 'toolchain'>}
 * @throws {import('../lib/errors.js').UsageError} when its settings do not go together
 */
export function describeProgram({ worker, buildPath, toolchain }, settings, packagePath) {
  const program = worker.command?.({ buildPath, packagePath, settings });
  return { settings, buildPath, toolchain, ...(program === undefined ? {} : { program }) };
}
