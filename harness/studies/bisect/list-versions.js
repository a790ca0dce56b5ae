import compareVersions from 'semver/functions/compare.js';
import findPrerelease from 'semver/functions/prerelease.js';
import { UsageError } from '../../lib/errors.js';
import { listNpmVersions } from '../../variants/list-npm-versions.js';

/**
 * The versions of a package that the registry has between two ends.
 *
 * @param {string} packageName
 * @param {string} good
 * @param {string} bad
 * @returns {Promise<string[]>} ascending, both ends included
 * @throws {UsageError} when an end is not there, or they are in the wrong order
 * @throws {import('../../lib/errors.js').MachineError} when the registry cannot be asked
 */
export async function listVersions(packageName, good, bad) {
  const versions = await listNpmVersions(packageName);
  if (versions === null) throw new UsageError(`the npm registry has no package '${packageName}'`);
  return selectVersions(versions, { packageName, good, bad });
}

/**
 * By precedence, which need not be the order of publication. Prereleases take part only where an end
 * is one.
 *
 * @param {string[]} versions
 * @param {{ packageName: string, good: string, bad: string }} ends
 * @returns {string[]} ascending, both ends included
 * @throws {UsageError} when an end is not there, or they are in the wrong order
 */
export function selectVersions(versions, { packageName, good, bad }) {
  for (const end of [good, bad]) {
    if (versions.includes(end)) continue;
    throw new UsageError(`the npm registry has no ${packageName}@${end}`, {
      remedy: `npm view ${packageName} versions lists what there is`,
    });
  }
  if (good === bad) {
    throw new UsageError(`both ends are ${packageName}@${good}`, {
      remedy: 'name the last good version, then a later one that is slower',
    });
  }
  if (compareVersions(good, bad) > 0) {
    throw new UsageError(`${packageName}@${good} comes after ${packageName}@${bad}`, {
      remedy: 'swap them: the good end is the older one',
    });
  }
  const withPrereleases = findPrerelease(good) !== null || findPrerelease(bad) !== null;
  return versions
    .filter((version) => withPrereleases || findPrerelease(version) === null)
    .filter((version) => compareVersions(version, good) >= 0 && compareVersions(version, bad) <= 0)
    .sort(compareVersions);
}
