import { resolve } from 'node:path';
import compareVersions from 'semver/functions/compare.js';
import findPrerelease from 'semver/functions/prerelease.js';
import { UsageError } from '../../lib/errors.js';
import { addPin, quoteWords } from '../../lib/words.js';
import { askGit, findCommit, requireCheckout, runGit } from '../../variants/git.js';
import { listNpmVersions } from '../../variants/npm.js';
import { changeVersion } from '../../variants/spec.js';

/** @import { Candidate, VariantSpec } from '../../formats/types.ts' */
/** @import { Checkout } from '../../variants/git.js' */
/** @import { NpmSpec } from '../../variants/spec.js' */

/**
 * Lists the versions or commits between two ends, both included, the good one first.
 *
 * @param {VariantSpec} good
 * @param {VariantSpec} bad
 * @param {string} workingPath what relative paths are relative to
 * @returns {Promise<Candidate[]>} at least two
 * @throws {UsageError} when the ends are not of one package or checkout, or in the wrong order
 * @throws {import('../../lib/errors.js').MachineError} when npm or git fails
 */
export async function listCandidates(good, bad, workingPath) {
  const { runtime } = good;
  if (runtime !== bad.runtime) {
    throw new UsageError(`'${good.text}' and '${bad.text}' run under different runtimes`, {
      remedy: 'pin both to the same, or use --runtime',
    });
  }
  if (good.kind === 'npm' && bad.kind === 'npm' && isSamePackage(good, bad)) {
    const versions = await listVersions(good.packageName, good.version, bad.version);
    return versions.map((version) => ({
      spec: addPin(changeVersion(good, version), runtime),
      name: version,
    }));
  }
  if (good.kind === 'git' && bad.kind === 'git') {
    const path = resolve(workingPath, good.directory);
    if (path === resolve(workingPath, bad.directory)) {
      const commits = listCommits({ path, typed: good.directory }, good.ref, bad.ref);
      return commits.map(({ name, subject }) => ({
        spec: addPin(`git:${good.directory}@${name}`, runtime),
        name,
        subject,
      }));
    }
  }
  throw new UsageError(`nothing lies between '${good.text}' and '${bad.text}'`, {
    remedy:
      'name two versions of one package, npm:PACKAGE@1.2.3, or two revisions of one checkout, git:DIRECTORY@REVISION',
  });
}

/** @type {(good: NpmSpec, bad: NpmSpec) => boolean} whether they are of one package with the same versions of dependencies */
function isSamePackage(good, bad) {
  return changeVersion(good, '') === changeVersion(bad, '');
}

/** Digits of an abbreviated commit; git adds more where these are ambiguous. */
const NAME_DIGITS = 12;
const LOG = [
  'log',
  '--no-show-signature',
  '--no-color',
  `--abbrev=${NAME_DIGITS}`,
  '--format=%h%x09%s',
];

/** @typedef {{ name: string, subject: string }} Commit */

/**
 * The commits from one revision to another along first parents: a merge counts as one commit.
 *
 * @param {Checkout} checkout
 * @param {string} goodRef
 * @param {string} badRef
 * @returns {Commit[]} the oldest first, both ends included
 * @throws {UsageError} when a revision does not exist, or the good one is not an ancestor of the bad one
 * @throws {import('../../lib/errors.js').MachineError} when git fails
 */
function listCommits(checkout, goodRef, badRef) {
  requireCheckout(checkout);
  const { path } = checkout;
  const [good, bad] = [goodRef, badRef].map((ref) => findCommit(checkout, ref));
  requireOrder(checkout, { ref: goodRef, commit: good }, { ref: badRef, commit: bad });
  const lines = [
    runGit(path, [...LOG, '--max-count=1', '--end-of-options', good]),
    runGit(path, [...LOG, '--first-parent', '--reverse', '--end-of-options', `${good}..${bad}`]),
  ];
  return lines
    .join('\n')
    .split('\n')
    .map((line) => {
      const [name, ...rest] = line.split('\t');
      return { name, subject: rest.join('\t') };
    });
}

/** @typedef {{ ref: string, commit: string }} End */

/**
 * @param {Checkout} checkout
 * @param {End} good
 * @param {End} bad
 */
function requireOrder({ path, typed }, good, bad) {
  if (good.commit === bad.commit) {
    throw new UsageError(`'${good.ref}' and '${bad.ref}' of '${typed}' are the same commit`, {
      remedy: 'name an older one, then a later one',
    });
  }
  if (isAncestor(path, good.commit, bad.commit)) return;
  const isSwapped = isAncestor(path, bad.commit, good.commit);
  throw new UsageError(`'${good.ref}' is not an ancestor of '${bad.ref}' in '${typed}'`, {
    remedy: isSwapped
      ? 'swap them: the older one comes first'
      : `name an ancestor: ${quoteWords(['git', '-C', typed, 'merge-base', good.ref, bad.ref])}`,
  });
}

/**
 * @param {string} path
 * @param {string} older
 * @param {string} younger
 */
function isAncestor(path, older, younger) {
  return askGit(path, ['merge-base', '--is-ancestor', older, younger]) !== null;
}

/**
 * The published versions of a package between two ends.
 *
 * @param {string} packageName
 * @param {string} good
 * @param {string} bad
 * @returns {Promise<string[]>} ascending, both ends included
 * @throws {UsageError} when an end does not exist, or they are in the wrong order
 * @throws {import('../../lib/errors.js').MachineError} when the registry cannot be reached
 */
async function listVersions(packageName, good, bad) {
  const versions = await listNpmVersions(packageName);
  if (versions === null) throw new UsageError(`the npm registry has no package '${packageName}'`);
  return selectVersions(versions, { packageName, good, bad });
}

/**
 * Orders versions by precedence, which may differ from the order of publication. Prereleases are included
 * only if an end is one.
 *
 * @param {string[]} versions
 * @param {{ packageName: string, good: string, bad: string }} ends
 * @returns {string[]} ascending, both ends included
 * @throws {UsageError} when an end does not exist, or they are in the wrong order
 */
export function selectVersions(versions, { packageName, good, bad }) {
  for (const end of [good, bad]) {
    if (versions.includes(end)) continue;
    throw new UsageError(`the npm registry has no ${packageName}@${end}`, {
      remedy: `list the versions with: npm view ${packageName} versions`,
    });
  }
  if (good === bad) {
    throw new UsageError(`both ends are ${packageName}@${good}`, {
      remedy: 'name an older one, then a later one',
    });
  }
  if (compareVersions(good, bad) > 0) {
    throw new UsageError(`${packageName}@${good} comes after ${packageName}@${bad}`, {
      remedy: 'swap them: the older one comes first',
    });
  }
  const withPrereleases = findPrerelease(good) !== null || findPrerelease(bad) !== null;
  return versions
    .filter((version) => withPrereleases || findPrerelease(version) === null)
    .filter((version) => compareVersions(version, good) >= 0 && compareVersions(version, bad) <= 0)
    .sort(compareVersions);
}
