import { resolve } from 'node:path';
import { UsageError } from '../../lib/errors.js';
import { listCommits } from './list-commits.js';
import { listVersions } from './list-versions.js';

/** @import { VariantSpec } from '../../formats/types.ts' */
/** @import { Candidate } from './types.ts' */

/**
 * Everything that may be measured between two ends, both included, the good one first.
 *
 * @param {VariantSpec} good
 * @param {VariantSpec} bad
 * @param {string} workingPath what relative paths are relative to
 * @returns {Promise<Candidate[]>} at least two
 * @throws {UsageError} when the ends are not of one package or checkout, or in the wrong order
 * @throws {import('../../lib/errors.js').MachineError} when npm or git fails
 */
export async function listCandidates(good, bad, workingPath) {
  const pin = good.node === null ? '' : `@node=${good.node}`;
  if (good.node !== bad.node) {
    throw new UsageError(`'${good.text}' and '${bad.text}' run under different versions of Node`, {
      remedy: 'pin both to the same, or use --node',
    });
  }
  if (good.kind === 'npm' && bad.kind === 'npm' && good.packageName === bad.packageName) {
    const versions = await listVersions(good.packageName, good.version, bad.version);
    return versions.map((version) => ({
      spec: `npm:${good.packageName}@${version}${pin}`,
      name: version,
    }));
  }
  if (good.kind === 'git' && bad.kind === 'git') {
    const path = resolve(workingPath, good.directory);
    if (path === resolve(workingPath, bad.directory)) {
      const commits = listCommits({ path, typed: good.directory }, good.ref, bad.ref);
      return commits.map(({ name, subject }) => ({
        spec: `git:${good.directory}@${name}${pin}`,
        name,
        subject,
      }));
    }
  }
  throw new UsageError(`there is nothing to search between '${good.text}' and '${bad.text}'`, {
    remedy:
      'name two versions of one package, npm:PACKAGE@1.2.3, or two revisions of one checkout, git:DIRECTORY@REVISION',
  });
}
