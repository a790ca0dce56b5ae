import { omitUndefined } from '../lib/records.js';
import { beforeFlag } from './dependencies.js';
import { INSTALL_TIMEOUT_MS, NpmError, explainFailure, locateArchive, runNpm } from './npm.js';
import { changeVersion, isPinned } from './spec.js';

/** @import { PackagePlaces, Resolution } from './npm.js' */
/** @import { NpmSpec } from './spec.js' */

/**
 * Looks up the version that a range or a tag stands for, or the name of the package in an archive.
 *
 * @param {NpmSpec} spec
 * @param {Pick<PackagePlaces, 'projectPath' | 'workingPath' | 'signal'> & Pick<Resolution, 'asOf'>} places
 * @returns {Promise<NpmSpec>} the same if it says so itself
 * @throws {import('../lib/errors.js').UsageError} when there is no such package
 * @throws {import('../lib/errors.js').MachineError} when npm fails otherwise
 */
export async function pinPackage(spec, places) {
  if (isPinned(spec)) return spec;
  const { packageName, version, isArchive } = spec;
  const { projectPath, signal, asOf } = places;
  const wanted = isArchive ? locateArchive(version, places) : `${packageName}@${version}`;
  const before = asOf === undefined ? [] : [beforeFlag(asOf)];
  const where = { ...omitUndefined({ cwd: projectPath, signal }), timeoutMs: INSTALL_TIMEOUT_MS };
  try {
    const args = ['pack', '--dry-run', '--ignore-scripts', ...before, wanted];
    const [found] = JSON.parse(await runNpm(args, where));
    return isArchive
      ? { ...spec, packageName: found.name, text: `npm:${found.name}@${version}` }
      : { ...spec, version: found.version, text: changeVersion(spec, found.version) };
  } catch (cause) {
    if (!(cause instanceof NpmError)) throw cause;
    throw explainFailure({ packageName, version, overrides: {}, asOf }, cause);
  }
}
