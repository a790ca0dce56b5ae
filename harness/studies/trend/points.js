import { PROGRAM } from '../../lib/program.js';
import { resolve } from 'node:path';
import findPrerelease from 'semver/functions/prerelease.js';
import sortVersions from 'semver/functions/sort.js';
import { UsageError } from '../../lib/errors.js';
import { listTags, runGit } from '../../variants/git.js';
import { listNpmVersions } from '../../variants/npm.js';
import { parseVariantSpec, setAxes } from '../../variants/spec.js';
import { listCandidates } from '../bisect/candidates.js';
import { addPin } from '../../lib/words.js';
import { RUNTIME_NAMES, parseRuntime } from '../../variants/runtimes.js';

/** @import { Candidate } from '../../formats/types.ts' */

const NPM = /^npm:((?:@[^/@]+\/)?[^@]+)$/;
const GIT = /^git:([^@]+)$/;
const OVER = /^([a-z][a-z0-9-]*)=(.+)$/;
const EVERY = /^(?:merge|tag|[1-9]\d{0,5})$/;

/**
 * What a trend is over, as typed.
 *
 * @typedef {object} PointOptions
 * @property {string} [from] first version or revision
 * @property {string} [to] last one, by default the newest version, or HEAD
 * @property {string} [every] of the commits: `merge`, `tag` or a number
 * @property {string} [over] `AXIS=VALUE,VALUE`
 */

/**
 * Lists the points of a trend: versions of a package, commits of a checkout, one variant over the values of an axis,
 * or variants that follow one another.
 *
 * @param {string[]} sources `npm:bson`, `git:../js-bson`, or with `over` a variant spec; otherwise at least two specs
 * @param {PointOptions} options
 * @param {string} workingPath what relative paths are relative to
 * @returns {Promise<Candidate[]>} at least two, in order
 * @throws {UsageError} when there are no such points
 * @throws {import('../../lib/errors.js').MachineError} when npm or git fails
 */
export async function listPoints(sources, { from, to, every, over }, workingPath) {
  const [source] = sources;
  if (sources.length > 1) {
    refuseOptions({ from, to, every, over }, 'several variants');
    return listSpecs(sources);
  }
  if (over !== undefined) {
    refuseOptions({ from, to, every }, '--over');
    return listValues(source, over);
  }
  const [, packageName] = NPM.exec(source) ?? [];
  const [, directory] = GIT.exec(source) ?? [];
  if (packageName === undefined && directory === undefined) {
    throw new UsageError(`'${source}' has no versions or commits to follow`, {
      remedy: 'use npm:PACKAGE, git:DIRECTORY, several variants, or one with --over node=20,22,24',
    });
  }
  if (from === undefined) {
    throw new UsageError(
      `--from is missing: the first ${packageName === undefined ? 'revision' : 'version'}`,
      {
        remedy: `add --from, for example: ${PROGRAM} trend ${source} --from ${packageName === undefined ? 'v1.0.0' : '6.0.0'}`,
      },
    );
  }
  if (packageName !== undefined) {
    if (every !== undefined) {
      throw new UsageError('--every is for commits', {
        remedy: 'leave it out, or use git:DIRECTORY',
      });
    }
    const last = to ?? (await findNewest(packageName));
    return listCandidates(
      parseVariantSpec(`${source}@${from}`),
      parseVariantSpec(`${source}@${last}`),
      workingPath,
    );
  }
  const ends = [from, to ?? 'HEAD'].map((ref) => parseVariantSpec(`${source}@${ref}`));
  const commits = await listCandidates(ends[0], ends[1], workingPath);
  return thinOut(commits, every, resolve(workingPath, directory));
}

/**
 * @param {Candidate[]} points of a package or a checkout
 * @returns {{ from: string, to: string }} the options that list them again, whatever is published or committed later
 */
export function pinEnds(points) {
  return { from: points[0].name, to: points[points.length - 1].name };
}

/**
 * @param {Record<string, string | undefined>} options that cannot be used
 * @param {string} beside what they were given with
 */
function refuseOptions(options, beside) {
  const surplus = Object.entries(options).find(([, value]) => value !== undefined);
  if (surplus === undefined) return;
  throw new UsageError(`--${surplus[0]} cannot be used with ${beside}`, {
    remedy: 'leave one of them out',
  });
}

/** @type {(specs: string[]) => Candidate[]} */
function listSpecs(specs) {
  const repeated = specs.find((spec, index) => specs.indexOf(spec) < index);
  if (repeated !== undefined) {
    throw new UsageError(`'${repeated}' is given twice`, { remedy: 'name each variant once' });
  }
  return specs.map((spec) => ({ spec: parseVariantSpec(spec).text, name: spec }));
}

/** @type {(source: string, over: string) => Candidate[]} */
function listValues(source, over) {
  const [, axis, text] = OVER.exec(over) ?? [];
  const values = [...new Set((text ?? '').split(',').map((value) => value.trim()))];
  if (axis === undefined || values.length < 2 || values.includes('')) {
    throw new UsageError(`--over '${over}' is not an axis with at least two values`, {
      remedy: 'for example: --over node=20,22,24 or --over runtime=node@24,bun@1.4',
    });
  }
  const specOf = (/** @type {string} */ value) => {
    if (axis === 'runtime') return addPin(source, requireVersion(value));
    return RUNTIME_NAMES.includes(axis)
      ? addPin(source, `${axis}@${value}`)
      : setAxes(source, [`${axis}=${value}`]);
  };
  return values.map((value) => {
    const { text: spec } = parseVariantSpec(specOf(value));
    return { spec, name: value };
  });
}

/**
 * @param {string} runtime
 * @returns {string} the same, for a pin, which states a version
 */
function requireVersion(runtime) {
  if (parseRuntime(runtime).version !== null) return runtime;
  throw new UsageError(`--over runtime: '${runtime}' has no version`, {
    remedy: 'for example: --over runtime=node@24,bun@1.4',
  });
}

/** @type {(packageName: string) => Promise<string>} */
async function findNewest(packageName) {
  const versions = (await listNpmVersions(packageName)) ?? [];
  const released = versions.filter((version) => findPrerelease(version) === null);
  const newest = sortVersions(released).at(-1);
  if (newest !== undefined) return newest;
  throw new UsageError(`the npm registry has no package '${packageName}' with a release`, {
    remedy: 'check its name',
  });
}

/**
 * @param {Candidate[]} commits
 * @param {string | undefined} every
 * @param {string} path of the checkout
 * @returns {Candidate[]} these of them, with both ends
 */
function thinOut(commits, every, path) {
  if (every === undefined) return commits;
  if (!EVERY.test(every)) {
    throw new UsageError(`--every '${every}' is not known`, {
      remedy: 'use merge, tag, or a number of commits',
    });
  }
  const names = /^\d+$/.test(every) ? null : listNamed(every, commits, path);
  return commits.flatMap((commit, index) => {
    const isEnd = index === 0 || index === commits.length - 1;
    const name = names?.get(commit.name);
    const isWanted = names === null ? index % Number(every) === 0 : name !== undefined;
    if (!isEnd && !isWanted) return [];
    return { ...commit, ...(name === undefined ? {} : { name }) };
  });
}

/**
 * @param {string} every `merge` or `tag`
 * @param {Candidate[]} commits
 * @param {string} path of the checkout
 * @returns {Map<string, string>} what to call them, by their abbreviated commit
 */
function listNamed(every, commits, path) {
  const abbreviations = new Map(commits.map(({ name }) => [name, name]));
  const abbreviate = (/** @type {string} */ commit) =>
    [...abbreviations.keys()].find((name) => commit.startsWith(name));
  const listed =
    every === 'merge' ? listMerges(path, commits[commits.length - 1].name) : listTags(path);
  return new Map(
    listed.flatMap(({ revision, name }) => {
      const commit = abbreviate(revision);
      return commit === undefined
        ? []
        : [/** @type {[string, string]} */ ([commit, name ?? commit])];
    }),
  );
}

/** @type {(path: string, last: string) => { revision: string, name?: string }[]} */
function listMerges(path, last) {
  const args = ['--merges', '--first-parent', '--end-of-options', last];
  return runGit(path, ['rev-list', ...args])
    .split('\n')
    .map((revision) => ({ revision }));
}
