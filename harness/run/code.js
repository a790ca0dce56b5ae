/** The code of variants: which files their jobs load, and whether these still are what was loaded. */

import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { MachineError } from '../lib/errors.js';
import { PROJECT } from '../lib/project.js';
import { digestContent, digestDirectories, digestFile, listFiles } from '../variants/cache.js';
import { isInModules, nameDependency } from '../variants/dependencies.js';
import { findPackageRoot, readPackage } from '../variants/package-entry.js';
import { chooseRuntime, describeJob, loadsSameCode } from './jobs.js';

/** @import { Cell, Job, LoadedFile, Manifest, ResolvedVariant, StaleBuild } from '../formats/types.ts' */
/** @import { RunJob } from './jobs.js' */

const MISSING = 'missing';
const REMEDY =
  'what was measured before is kept in its directory, and belongs to the code before the change; start a new comparison';

/**
 * Watches the files that jobs load.
 *
 * @typedef {object} CodeWatch
 * @property {LoadedFile[]} files of every variant, in the order in which they were first seen
 * @property {(runJob: RunJob, copiesPath?: string) => RunJob} watch returns what runs jobs in the same way, notes the files
 *   that they load, and throws a MachineError that names the file if one has changed since it was first loaded; files below
 *   `copiesPath` are copies that the harness makes and removes, and are not watched
 * @property {() => void} requireUnchanged reads all of them again, and throws likewise
 */

/**
 * @param {LoadedFile[]} [known] by earlier sessions
 * @returns {CodeWatch}
 */
export function openCodeWatch(known = []) {
  const files = [...known];
  const seen = new Set(files.map(({ spec, path }) => `${spec}\0${path}`));
  /** Digest and state of each file, by path. @type {Map<string, { digest: string, state: string }>} */
  const states = new Map(
    files.map(({ path, digest }) => [path, { digest, state: readState(path) }]),
  );

  /** @type {(path: string, sinceMs: number) => string} */
  function digestNow(path, sinceMs) {
    const before = states.get(path);
    if (before !== undefined) return before.digest;
    const found = { digest: digestOf(path), state: readState(path) };
    // It may have been loaded before it was written. Where the clock was set back, files are from the future.
    const writtenMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? sinceMs;
    if (writtenMs >= sinceMs && writtenMs <= Date.now()) refuse(path);
    states.set(path, found);
    return found.digest;
  }

  /** @type {(job: Job, loaded: string[], sinceMs: number) => void} */
  function note(job, loaded, sinceMs) {
    const { spec } = job.variant;
    const added = loaded.filter((path) => !seen.has(`${spec}\0${path}`));
    if (added.length === 0) return;
    const rootPath = findRoot(job);
    for (const path of new Set([...added, ...listManifests(added)])) {
      const key = `${spec}\0${path}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const digest = digestNow(path, sinceMs);
      files.push({
        formatVersion: FORMAT_VERSION,
        spec,
        name: nameFile(path, rootPath),
        path,
        digest,
      });
    }
  }

  /** @param {boolean} [isThorough] whether to read files that seem unchanged, too */
  function requireUnchanged(isThorough = true) {
    for (const [path, known] of states) {
      const state = readState(path);
      if (!isThorough && state === known.state) continue;
      if (digestOf(path) !== known.digest) refuse(path);
      known.state = state;
    }
  }

  return {
    files,
    watch: (runJob, copiesPath) => async (job, how) => {
      const sinceMs = Date.now();
      const outcome = await runJob(job, how);
      if ('report' in outcome) {
        const loaded = outcome.report.loaded ?? listKnown(job);
        const isCopy = (/** @type {string} */ path) =>
          copiesPath !== undefined && isBelow(path, copiesPath);
        note(
          job,
          loaded.filter((path) => !isCopy(path)),
          sinceMs,
        );
      }
      requireUnchanged(false);
      return outcome;
    },
    requireUnchanged: () => requireUnchanged(),
  };
}

/** @type {(path: string) => never} */
function refuse(path) {
  throw new MachineError(`'${path}' changed while it was measured`, { remedy: REMEDY });
}

/**
 * What tells cheaply whether a file has changed. A program cannot set the time of the last change of its inode.
 * @type {(path: string) => string}
 */
function readState(path) {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found === undefined
    ? MISSING
    : `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
}

/** @type {(path: string) => string} */
function digestOf(path) {
  return existsSync(path) ? digestFile(path) : MISSING;
}

/** @type {(job: Job) => string[]} what a job surely loads, if its worker does not say */
function listKnown({ variant }) {
  return variant.program === undefined ? [variant.modulePath] : [];
}

/** @type {(job: Pick<Job, 'variant' | 'familyPath'>) => string} absolute path to which names of its files are relative */
function findRoot({ variant: { modulePath, patchedPath }, familyPath }) {
  const home = patchedPath ?? familyPath;
  if (isBelow(modulePath, home)) return dirname(home);
  // Node gives modules their real paths.
  const path = existsSync(modulePath) ? realpathSync(modulePath) : modulePath;
  return findPackageRoot(path) ?? dirname(path);
}

/** @type {(path: string, directory: string) => boolean} */
function isBelow(path, directory) {
  return path.startsWith(directory + sep);
}

/** @type {(path: string, rootPath: string) => string} portable name of a file */
function nameFile(path, rootPath) {
  if (isBelow(path, rootPath)) return relative(rootPath, path);
  if (isInModules(path)) return nameDependency({ path });
  return relative(isBelow(path, PROJECT.assayPath) ? PROJECT.assayPath : rootPath, path);
}

/** @type {(paths: string[]) => string[]} `package.json` of their packages, which decides what an import loads */
function listManifests(paths) {
  const roots = new Set(paths.map((path) => findPackageRoot(path)));
  return [...roots].flatMap((root) =>
    root === null || root === PROJECT.assayPath ? [] : [join(root, 'package.json')],
  );
}

/**
 * The recorded files as they are now, on the host that measured.
 *
 * @param {LoadedFile[]} files
 * @returns {LoadedFile[]} with the digests of their present content
 */
export function rereadCode(files) {
  /** @type {Map<string, string>} */
  const digests = new Map();
  return files.map((file) => {
    if (!digests.has(file.path)) digests.set(file.path, digestOf(file.path));
    return { ...file, digest: /** @type {string} */ (digests.get(file.path)) };
  });
}

/**
 * Identifies the code of variants by having a worker load each of them: their digests cover all files that it loads.
 * That of a variant which does not load stays as it was resolved; the correctness check will say why.
 *
 * @template {Pick<Manifest['variants'], 'baseline' | 'candidates'> & { reference?: ResolvedVariant }} V
 * @param {V} variants
 * @param {{ family: { name: string, path: string }, cells: Cell[], runJob: RunJob, code: CodeWatch }} context `code`: new;
 *   it watches from here on what was loaded
 * @returns {Promise<V>}
 */
export async function identifyCode(variants, { family, cells, runJob, code }) {
  const { baseline, candidates, reference } = variants;
  /** @param {ResolvedVariant} variant */
  const runtimeOf = (variant) => chooseRuntime(variant, cells[0]);
  /** @type {(one: ResolvedVariant, other: ResolvedVariant) => boolean} */
  const isSame = (one, other) => loadsSameCode(one, other) && runtimeOf(one) === runtimeOf(other);
  /** @type {ResolvedVariant[]} */
  const distinct = [];
  for (const variant of [
    baseline,
    ...candidates,
    ...(reference === undefined ? [] : [reference]),
  ]) {
    const isKnown = distinct.some((known) => isSame(known, variant));
    if (variant.program === undefined && !isKnown) distinct.push(variant);
  }
  /** @type {Pick<ResolvedVariant, 'digest' | 'staleBuild'>[]} */
  const identities = [];
  /** @param {ResolvedVariant} variant */
  const load = async (variant) => {
    const job = describeJob(
      `load/${variant.spec}`,
      { variant, family },
      { runtime: runtimeOf(variant) },
    );
    const outcome = await code.watch(runJob)({ ...job, kind: 'load' });
    const isTold = 'report' in outcome && outcome.report.loaded !== undefined;
    if (!isTold) return { digest: variant.digest };
    const files = code.files.filter(({ spec }) => spec === variant.spec);
    const staleBuild = variant.kind === 'path' ? findStaleBuild(files, findRoot(job)) : null;
    return { digest: digestCode(files), ...(staleBuild === null ? {} : { staleBuild }) };
  };
  // Two at the same time, since nothing is timed.
  for (let index = 0; index < distinct.length; index += 2) {
    identities.push(...(await Promise.all(distinct.slice(index, index + 2).map(load))));
  }
  /** @param {ResolvedVariant} variant */
  const identify = (variant) => {
    const index = distinct.findIndex((known) => isSame(known, variant));
    return index === -1 ? variant : { ...variant, ...identities[index] };
  };
  return {
    ...variants,
    baseline: identify(baseline),
    candidates: candidates.map(identify),
    ...(reference === undefined ? {} : { reference: identify(reference) }),
  };
}

const SOURCES = 'src';

/**
 * @param {LoadedFile[]} files that a variant loads
 * @param {string} rootPath of its package
 * @returns {StaleBuild | null} null unless a file in its folder of sources, which it does not load, is newer than all of
 *   them
 */
function findStaleBuild(files, rootPath) {
  const directory = join(rootPath, SOURCES);
  const own = files.map(({ path }) => path).filter((path) => isBelow(path, rootPath));
  const loaded = own.filter((path) => !isInModules(path) && !path.endsWith('package.json'));
  if (!existsSync(directory) || loaded.some((path) => isBelow(path, directory))) return null;
  const newestOf = (/** @type {string[]} */ paths) =>
    paths
      .map((path) => ({ path, ms: statSync(path).mtimeMs }))
      .reduce((newest, each) => (each.ms > newest.ms ? each : newest), { path: '', ms: 0 });
  const source = newestOf(listFiles(directory));
  if (source.ms <= newestOf(loaded).ms) return null;
  const { scripts = {} } = readPackage(rootPath);
  return {
    source: relative(rootPath, source.path),
    ...(scripts['build'] === undefined ? {} : { command: 'npm run build' }),
  };
}

/** @type {(files: LoadedFile[]) => string} of all but the worker's own */
function digestCode(files) {
  const workerPath = join(PROJECT.assayPath, 'harness');
  const lines = files
    .filter(({ path }) => !isBelow(path, workerPath))
    .map(({ name, digest }) => `${name}\0${digest}\n`);
  return digestContent(lines.sort().join(''));
}

/**
 * @param {string} familyPath absolute
 * @returns {string} digest of the sources that measure: harness, corpora, and the folder of the family
 */
export function digestInstrument(familyPath) {
  const { assayPath } = PROJECT;
  const folders = ['harness', 'corpora', join('experiments', 'support')];
  const sources = [...folders.map((folder) => join(assayPath, folder)), familyPath];
  return digestDirectories(
    assayPath,
    sources.filter((path) => existsSync(path)),
  );
}
