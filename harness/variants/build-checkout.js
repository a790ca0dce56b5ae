import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { isOfFormat } from '../formats/schemas.js';
import { pickVariables, waitForGroup } from '../host/processes.js';
import { MachineError, UsageError } from '../lib/errors.js';
import { quoteWords } from '../lib/words.js';
import { getOrCreate, readCached } from './cache.js';
import {
  INSTALLED_LOCK,
  MODULES,
  beforeFlag,
  findInstalledLock,
  listDependencies,
} from './dependencies.js';
import { askGit, runGit } from './git.js';
import { findEntry, readPackage } from './package-entry.js';

/** @import { Dependency } from '../formats/types.ts' */
/** @import { GroupEnd } from '../host/processes.js' */
/** @import { Places } from './cache.js' */

/** Record of the build, beside the tree. */
const BUILD_FILE = 'build.json';
const TREE = 'tree';

/**
 * @typedef {object} Revision
 * @property {string} repositoryPath absolute path of the user's repository; only read
 * @property {string} commit full identity
 * @property {string} prefix directory of the package in the tree; empty for the root
 * @property {string} name for messages
 */

/**
 * @typedef {object} BuildChoices
 * @property {string | undefined} [build] command instead of the scripts of package.json
 * @property {string | undefined} [asOf] `2026-01-31`: dependencies that no lock file fixes are the newest of that day
 *
 * @typedef {Places & BuildChoices} BuildContext
 */

/**
 * Checks out and builds a commit in the cache, once per commit and build command.
 *
 * @param {Revision} revision
 * @param {BuildContext} context
 * @returns {Promise<{ path: string, build: string, dependencies?: Dependency[] }>} directory of the package, and the
 *   build command, empty if there was nothing to build; `dependencies`: packages that npm installed for it, without those
 *   that only the build needs
 * @throws {MachineError} when git or the build fails, or there is no module afterwards
 * @throws {UsageError} when the commit has no such package
 * @throws {import('../lib/errors.js').FormatError} when the cache entry is damaged
 */
export async function buildCheckout(revision, context) {
  const home = join(context.cachePath, 'git', nameBuild(revision, context));
  const fill = async (/** @type {string} */ staging) => {
    const path = checkOut(revision, staging);
    const build = await buildPackage(path, revision, context);
    writeFileSync(join(staging, BUILD_FILE), `${JSON.stringify({ build })}\n`);
  };
  await getOrCreate(home, fill, {
    onNote: context.onNote,
    isVerified: chooseVerified(revision.prefix),
  });
  const { build } = readCached(home, BUILD_FILE, (content) =>
    isOfFormat('build-record', content) ? content : undefined,
  );
  const path = join(home, TREE, revision.prefix);
  const installed = findInstalledLock(path, join(home, TREE));
  return {
    path,
    build,
    ...(installed === null ? {} : { dependencies: listDependencies(installed.lock) }),
  };
}

/** The part of a path that is a package in a `node_modules`, or the folder of a scope. */
const INSTALLED = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/s;

/**
 * Of a checkout everything is verified except for git's own files and packages that only its build needs, which may be
 * tens of thousands of files. Packages that npm did not install are not verified.
 * @type {(prefix: string) => (file: string, home: string) => boolean}
 */
function chooseVerified(prefix) {
  /** @type {Map<string, Set<string>>} */
  const byHome = new Map();
  return function isVerified(file, home) {
    if (file === `${TREE}/.git`) return false;
    const [folder] = INSTALLED.exec(file) ?? [];
    if (folder === undefined || /\/@[^/]+$/.test(folder)) return true;
    const installed = byHome.get(home) ?? listInstalled(home, prefix);
    byHome.set(home, installed);
    return installed.has(folder);
  };
}

/** @type {(home: string, prefix: string) => Set<string>} paths of packages that are not only for the build */
function listInstalled(home, prefix) {
  const found = findInstalledLock(join(home, TREE, prefix), join(home, TREE));
  if (found === null) return new Set();
  const modules = relative(home, join(found.root, MODULES)).split(sep).join('/');
  const paths = listDependencies(found.lock).map(({ path }) => path);
  return new Set([INSTALLED_LOCK, ...paths].map((path) => `${modules}/${path}`));
}

/** @type {(revision: Revision, choices: BuildChoices) => string} the commit, with a digest for another directory or build */
function nameBuild({ commit, prefix }, { build, asOf }) {
  if (prefix === '' && build === undefined && asOf === undefined) return commit;
  const key = JSON.stringify([prefix, build ?? null, ...(asOf === undefined ? [] : [asOf])]);
  return `${commit}-${createHash('sha256').update(key).digest('hex').slice(0, 12)}`;
}

/**
 * Creates a repository that borrows the objects of the user's, like a shared clone. Unlike a clone,
 * it has commits without a branch and supports shallow repositories; unlike a worktree, it does not
 * change the user's repository.
 * @type {(revision: Revision, staging: string) => string} directory of the package
 */
function checkOut({ repositoryPath, commit, prefix, name }, staging) {
  const tree = join(staging, TREE);
  mkdirSync(tree);
  const objectsPath = runGit(repositoryPath, [
    'rev-parse',
    '--path-format=absolute',
    '--git-path',
    'objects',
  ]);
  runGit(tree, ['init', '--quiet', '--template='], { isOwn: true });
  writeFileSync(join(tree, '.git', 'objects', 'info', 'alternates'), `${objectsPath}\n`);
  runGit(tree, ['checkout', '--quiet', '--detach', commit], { isOwn: true });
  const path = join(tree, prefix);
  if (!existsSync(path)) throw new UsageError(`${name} has no directory '${prefix}'`);
  const original = askGit(repositoryPath, ['rev-parse', '--show-toplevel']);
  if (original !== null) redirectFiles(path, { tree, original });
  return path;
}

/** A dependency that is a file: `file:../tools/assay-0.1.0.tgz`. */
const FILE = /\bfile:(\.\.?\/[^"'\s,:#)]+)/g;
/** Of a file outside of the repository, which may have been made again since. */
const INTEGRITY = /("resolved": "file:\/[^"]*",)\s*"integrity": "[^"]*",/g;
const LOCKS = ['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock'];

/**
 * Has dependencies that are files outside of the repository found where they are, since the checkout is elsewhere.
 * @type {(path: string, places: { tree: string, original: string }) => void}
 */
function redirectFiles(path, { tree, original }) {
  for (const directory of new Set([path, tree])) {
    for (const name of ['package.json', ...LOCKS]) {
      const file = join(directory, name);
      if (!existsSync(file)) continue;
      const text = readFileSync(file, 'utf8');
      const redirected = text.replaceAll(FILE, (whole, relativePath) => {
        const found = [directory, path]
          .map((base) => resolve(original, relative(tree, base), relativePath))
          .find((target) => existsSync(target));
        const isOutside = found !== undefined && relative(original, found).startsWith('..');
        return isOutside ? `file:${found}` : whole;
      });
      if (redirected !== text) writeFileSync(file, redirected.replaceAll(INTEGRITY, '$1'));
    }
  }
}

/**
 * @param {string} path
 * @param {Revision} revision
 * @param {BuildContext} context
 * @returns {Promise<string>} the build command
 */
async function buildPackage(path, { name, prefix }, context) {
  const steps = prefix.split('/').filter((step) => step !== '');
  const top = join(path, ...steps.map(() => '..'));
  const { install, scripts } =
    context.build === undefined
      ? chooseBuild(path, { top, asOf: context.asOf })
      : { install: '', scripts: [context.build] };
  let problem = await runStep(install, path, name, context);
  if (problem !== null) throw refuseBuild(name, problem);
  for (const script of scripts) {
    problem = (await runStep(script, path, name, context)) ?? (await findProblem(path));
    if (problem === null) return [install, script].filter((step) => step !== '').join(' && ');
    if (context.signal?.aborted === true) break;
  }
  throw refuseBuild(name, problem);
}

/**
 * @param {string} command empty for none
 * @param {string} path
 * @param {string} name
 * @param {BuildContext} context
 * @returns {Promise<Problem | null>} null on success
 */
async function runStep(command, path, name, { signal, onNote }) {
  if (command === '') return null;
  onNote?.(`building ${name}: ${command}`);
  const failure = await runBuildCommand(command, path, { signal });
  if (failure === null) return null;
  return { why: `'${command}' ${failure.detail}`, quoted: failure.lines };
}

/** @typedef {{ why: string, quoted: string[] }} Problem */

/** @param {string} name @param {Problem | null} problem */
function refuseBuild(name, problem) {
  return new MachineError(`${name} could not be built: ${problem?.why}`, {
    quoted: problem?.quoted ?? [],
    remedy: "set the command with --build 'COMMAND', or build it yourself and use path:DIRECTORY",
  });
}

/**
 * @param {string} path
 * @returns {Promise<Problem | null>} why the package has no module; null if it has one
 */
async function findProblem(path) {
  try {
    await findEntry(path);
    return null;
  } catch (error) {
    if (error instanceof UsageError) return { why: error.message, quoted: [] };
    throw error;
  }
}

/** Script `build` whose last step creates the bundle. */
const BUNDLE_LAST = /(?:^|&&)\s*npm run (build:bundle)\s*$/;
const INSTALL_FLAGS = '--ignore-scripts --no-audit --no-fund --loglevel=error';

/**
 * Part of package.json that matters to a build.
 *
 * @typedef {object} PackageJson
 * @property {Record<string, string>} [scripts]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [devDependencies]
 */

/**
 * Shell commands; empty if there is nothing to do.
 *
 * @typedef {object} BuildSteps
 * @property {string} install
 * @property {string[]} scripts in order of preference; the next is tried if there is no module
 */

/**
 * Derives the build commands of a checkout from its package.json.
 *
 * If the last step of the script `build` is `npm run build:bundle`, that step alone is tried first: in
 * such packages the earlier steps create type declarations, which are not needed.
 *
 * @param {string} path absolute, of the package
 * @param {{ top?: string, asOf?: string | undefined }} [choices] see `chooseInstall`
 * @returns {BuildSteps}
 * @throws {import('../lib/errors.js').UsageError} when package.json is not valid JSON
 */
export function chooseBuild(path, choices = {}) {
  const { build, ...scripts } = /** @type {PackageJson} */ (readPackage(path)).scripts ?? {};
  if (build === undefined) {
    return { install: chooseInstall(path, { ...choices, isDevelopment: false }), scripts: [''] };
  }
  const [, bundle] = BUNDLE_LAST.exec(build) ?? [];
  const isBundled = bundle !== undefined && scripts[bundle] !== undefined;
  return {
    install: chooseInstall(path, choices),
    scripts: [...(isBundled ? [`npm run ${bundle}`] : []), 'npm run build'],
  };
}

/**
 * What installs the packages that a package needs: with the package manager whose lock file is there, otherwise npm.
 *
 * @param {string} path absolute, of the package
 * @param {object} [choices]
 * @param {string} [choices.top] absolute, of its repository: a member of a workspace has the lock file of a directory above
 * @param {boolean} [choices.isDevelopment] whether what only its build needs is installed, too
 * @param {string | undefined} [choices.asOf] see `BuildChoices`
 * @returns {string} shell command; empty without dependencies
 */
export function chooseInstall(path, { top = path, isDevelopment = true, asOf } = {}) {
  /** @type {PackageJson} */
  const { dependencies = {}, devDependencies = {} } = readPackage(path);
  const [lock, root] = findLockFile(path, top) ?? [];
  const packages = { ...dependencies, ...(isDevelopment ? devDependencies : {}) };
  // Those of a workspace may be needed, although the member does not name them.
  if ((root ?? path) === path && Object.keys(packages).length === 0) return '';
  const command = nameInstall(lock, root, { isDevelopment, asOf });
  return root === undefined || root === path
    ? command
    : `(cd ${quoteWords([relative(path, root)])} && ${command})`;
}

/** @type {(path: string, top: string) => [lock: string, directory: string] | null} */
function findLockFile(path, top) {
  const lock = LOCKS.find((name) => existsSync(join(path, name)));
  if (lock !== undefined) return [lock, path];
  return path === top || path === dirname(path) ? null : findLockFile(dirname(path), top);
}

/** @type {(lock: string | undefined, root: string | undefined, choices: { isDevelopment: boolean, asOf: string | undefined }) => string} */
function nameInstall(lock, root = '', { isDevelopment, asOf }) {
  if (lock === 'pnpm-lock.yaml') {
    return `pnpm install --frozen-lockfile --ignore-scripts${isDevelopment ? '' : ' --prod'}`;
  }
  if (lock === 'yarn.lock') {
    // Since version 2 yarn puts packages into node_modules only where it is asked to.
    return readFileSync(join(root, lock), 'utf8').includes('\n__metadata:')
      ? 'YARN_NODE_LINKER=node-modules yarn install --immutable --mode=skip-build'
      : `yarn install --frozen-lockfile --ignore-scripts${isDevelopment ? '' : ' --production'}`;
  }
  const scope = isDevelopment ? '--include=dev' : '--omit=dev';
  if (lock !== undefined) return `npm ci ${scope} ${INSTALL_FLAGS}`;
  const before = asOf === undefined ? [] : [beforeFlag(asOf)];
  return ['npm install', ...before, scope, INSTALL_FLAGS].join(' ');
}

const TIMEOUT_MS = 60 * 60_000;
/** Length of the end of a log that is kept. */
const MAX_LOG_CHARACTERS = 16_384;
/** Lines quoted from the start, often the cause, and from the end. */
const FIRST_LINES = 4;
const LAST_LINES = 8;
const MAX_LINE_CHARACTERS = 300;

/** Network settings of npm. Variables with tokens are excluded; npm reads tokens from its own files. */
const NETWORK_VARIABLES =
  /^(?:(?:https?|all|no)_proxy|node_extra_ca_certs|ssl_cert_(?:file|dir)|npm_config_(?:registry|cache|userconfig|globalconfig|proxy|https_proxy|noproxy|cafile|strict_ssl|offline|prefer_offline|fetch_\w+))$/i;

/**
 * @typedef {{ detail: string, lines: string[] }} BuildFailure `detail`: `ended with exit status 1`;
 *   `lines`: excerpt of its output
 */

/**
 * Runs a shell command with limits on its time and on its log.
 *
 * @param {string} command
 * @param {string} directory absolute path, where it runs
 * @param {{ signal?: AbortSignal | undefined, timeoutMs?: number }} [options] `signal` cancels it
 * @returns {Promise<BuildFailure | null>} null on success
 */
export async function runBuildCommand(command, directory, { signal, timeoutMs = TIMEOUT_MS } = {}) {
  const child = spawn(command, {
    shell: true,
    cwd: directory,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: pickBuildVariables(process.env),
  });
  let log = '';
  /** @param {Buffer} chunk */
  const keep = (chunk) => {
    log = (log + chunk.toString('utf8')).slice(-MAX_LOG_CHARACTERS);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const detail = describeEnd(await waitForGroup(child, { timeoutMs, signal }), timeoutMs);
  return detail === null ? null : { detail, lines: quoteLog(log) };
}

/** @type {(end: GroupEnd, timeoutMs: number) => string | null} null on success */
function describeEnd({ status, signal, killedFor, error }, timeoutMs) {
  if (error !== null) return `could not start: ${error.message}`;
  if (killedFor === 'timeout') return `timed out after ${timeoutMs / 1000} s`;
  if (killedFor === 'interrupt') return 'was interrupted';
  if (signal !== null) return `was terminated by ${signal}`;
  return status === 0 ? null : `ended with exit status ${status}`;
}

/**
 * @param {Record<string, string | undefined>} environment
 * @returns {Record<string, string>} the variables that a build inherits
 */
export function pickBuildVariables(environment) {
  const picked = pickVariables(environment);
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && NETWORK_VARIABLES.test(name)) picked[name] = value;
  }
  return picked;
}

/**
 * Excerpt of the log of a failed build.
 * @type {(log: string) => string[]} lines from its start and its end
 */
export function quoteLog(log) {
  const lines = stripVTControlCharacters(log)
    .split(/[\r\n]+/)
    .map((line) => line.trimEnd().slice(0, MAX_LINE_CHARACTERS))
    .filter((line) => line !== '' && line !== 'npm error');
  if (lines.length <= FIRST_LINES + LAST_LINES) return lines;
  return [...lines.slice(0, FIRST_LINES), '…', ...lines.slice(-LAST_LINES)];
}
