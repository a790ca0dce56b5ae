import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { isOfFormat } from '../formats/schemas.js';
import { pickVariables, waitForGroup } from '../host/processes.js';
import { MachineError, UsageError } from '../lib/errors.js';
import { getOrCreate, readCached } from './cache.js';
import { runGit } from './git.js';
import { findEntry, readPackage } from './package-entry.js';

/** @import { GroupEnd } from '../host/processes.js' */

/** Beside the tree: how it was built. */
const BUILD_FILE = 'build.json';
const TREE = 'tree';

/**
 * @typedef {object} Revision
 * @property {string} repositoryPath absolute path of the user's repository, which is only read
 * @property {string} commit full identity
 * @property {string} prefix where the package lies in the tree; empty for its root
 * @property {string} name what messages call it
 */

/**
 * @typedef {object} BuildContext
 * @property {string} cachePath
 * @property {string | undefined} [build] shell command, in place of what package.json tells
 * @property {AbortSignal | undefined} [signal] ends a build
 * @property {((text: string) => void) | undefined} [onNote] is told what takes long
 */

/**
 * Checks a commit out and builds it in the cache, once for each commit and build command.
 *
 * @param {Revision} revision
 * @param {BuildContext} context
 * @returns {Promise<{ path: string, build: string }>} directory of the package, and the command that
 *   built it, empty where nothing had to be done
 * @throws {MachineError} when git or the build fails, or no module comes of it
 * @throws {UsageError} when the commit has no such package
 * @throws {import('../lib/errors.js').FormatError} when what the cache holds of it is broken
 */
export async function buildCheckout(revision, context) {
  const home = join(context.cachePath, 'git', nameBuild(revision, context.build));
  await getOrCreate(home, async (staging) => {
    const path = checkOut(revision, staging);
    const build = await buildPackage(path, revision, context);
    writeFileSync(join(staging, BUILD_FILE), `${JSON.stringify({ build })}\n`);
  });
  const { build } = readCached(home, BUILD_FILE, (content) =>
    isOfFormat('build-record', content) ? content : undefined,
  );
  return { path: join(home, TREE, revision.prefix), build };
}

/**
 * @param {Revision} revision
 * @param {string | undefined} build
 * @returns {string} the commit, and a digest where it is not the root built as package.json tells
 */
function nameBuild({ commit, prefix }, build) {
  if (prefix === '' && build === undefined) return commit;
  const key = JSON.stringify([prefix, build ?? null]);
  return `${commit}-${createHash('sha256').update(key).digest('hex').slice(0, 12)}`;
}

/**
 * Makes a repository that borrows the objects of the user's, as a shared clone does. Unlike a clone
 * it has commits that are on no branch, and works on a shallow one; unlike a worktree it leaves no
 * trace there.
 *
 * @param {Revision} revision
 * @param {string} staging
 * @returns {string} directory of the package
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
  if (existsSync(path)) return path;
  throw new UsageError(`${name} has no directory '${prefix}'`);
}

/**
 * @param {string} path
 * @param {Revision} revision
 * @param {BuildContext} context
 * @returns {Promise<string>} the command that made the module
 */
async function buildPackage(path, { name }, context) {
  const { install, scripts } =
    context.build === undefined ? chooseBuild(path) : { install: '', scripts: [context.build] };
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
 * @returns {Promise<string | null>} how it failed; null where it did not
 */
async function runStep(command, path, name, { signal, onNote }) {
  if (command === '') return null;
  onNote?.(`building ${name}: ${command}`);
  const failure = await runBuildCommand(command, path, { signal });
  if (failure === null) return null;
  return [`'${command}' ${failure.detail}`, ...failure.lines].join('\n  ');
}

/**
 * @param {string} name
 * @param {string | null} problem
 */
function refuseBuild(name, problem) {
  return new MachineError(`${name} could not be built: ${problem}`, {
    remedy: "--build 'COMMAND' says how it is built; path: takes a directory that you built",
  });
}

/**
 * @param {string} path
 * @returns {Promise<string | null>} why the package has no module; null where it has
 */
async function findProblem(path) {
  try {
    await findEntry(path);
    return null;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

/** `build` whose last step is a script that makes the bundle alone. */
const BUNDLE_LAST = /(?:^|&&)\s*npm run (build:bundle)\s*$/;
const INSTALL_FLAGS = '--ignore-scripts --no-audit --no-fund --loglevel=error';

/**
 * What a build reads of package.json.
 *
 * @typedef {object} PackageJson
 * @property {Record<string, string>} [scripts]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [devDependencies]
 */

/**
 * Shell commands, each empty where there is nothing to do.
 *
 * @typedef {object} BuildSteps
 * @property {string} install
 * @property {string[]} scripts the preferred first; the next is for when that makes no module
 */

/**
 * Finds out from its package.json how a checkout is built.
 *
 * Where the last step of the script `build` is `npm run build:bundle`, that step alone is tried
 * first: what comes before it makes type declarations in the packages that are built this way, which
 * nothing that is measured loads.
 *
 * @param {string} path absolute, of the package
 * @returns {BuildSteps}
 * @throws {import('../lib/errors.js').UsageError} when its package.json is not JSON
 */
export function chooseBuild(path) {
  /** @type {PackageJson} */
  const { scripts = {}, dependencies = {}, devDependencies = {} } = readPackage(path);
  const { build } = scripts;
  if (build === undefined) {
    return { install: chooseInstall(path, dependencies, '--omit=dev'), scripts: [''] };
  }
  const [, bundle] = BUNDLE_LAST.exec(build) ?? [];
  const isBundled = bundle !== undefined && scripts[bundle] !== undefined;
  return {
    install: chooseInstall(path, { ...dependencies, ...devDependencies }, '--include=dev'),
    scripts: [...(isBundled ? [`npm run ${bundle}`] : []), 'npm run build'],
  };
}

/**
 * @param {string} path
 * @param {Record<string, string>} packages
 * @param {string} scope flag that says which of them are wanted
 * @returns {string} empty where nothing needs to be installed
 */
function chooseInstall(path, packages, scope) {
  if (Object.keys(packages).length === 0) return '';
  const isLocked = ['package-lock.json', 'npm-shrinkwrap.json'].some((name) =>
    existsSync(join(path, name)),
  );
  return `npm ${isLocked ? 'ci' : 'install'} ${scope} ${INSTALL_FLAGS}`;
}

const TIMEOUT_MS = 10 * 60_000;
/** How much of what a build says is kept, from its end. */
const MAX_LOG_CHARACTERS = 16_384;
/** Lines from its beginning, where the cause often is, and from its end. */
const FIRST_LINES = 4;
const LAST_LINES = 8;
const MAX_LINE_CHARACTERS = 300;

/** What npm needs to reach its registry the way the user does. No variable with a token is among
 * them; npm itself reads those of its own files. */
const NETWORK_VARIABLES =
  /^(?:(?:https?|all|no)_proxy|node_extra_ca_certs|ssl_cert_(?:file|dir)|npm_config_(?:registry|cache|userconfig|globalconfig|proxy|https_proxy|noproxy|cafile|strict_ssl|offline|prefer_offline|fetch_\w+))$/i;

/**
 * @typedef {{ detail: string, lines: string[] }} BuildFailure `detail`: `ended with exit status 1`;
 *   `lines`: of what it said
 */

/**
 * Runs a shell command that builds something, with limits on its time and on what is kept of its log.
 *
 * @param {string} command
 * @param {string} directory absolute path, where it runs
 * @param {{ signal?: AbortSignal | undefined, timeoutMs?: number }} [options] `signal` ends it
 * @returns {Promise<BuildFailure | null>} null where it succeeded
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

/**
 * @param {GroupEnd} end
 * @param {number} timeoutMs
 * @returns {string | null} null where the command succeeded
 */
function describeEnd({ status, signal, killedFor, error }, timeoutMs) {
  if (error !== null) return `could not start: ${error.message}`;
  if (killedFor === 'timeout') return `did not end within ${timeoutMs / 1000} s and was killed`;
  if (killedFor === 'interrupt') return 'was interrupted';
  if (signal !== null) return `was ended by ${signal}`;
  return status === 0 ? null : `ended with exit status ${status}`;
}

/**
 * @param {Record<string, string | undefined>} environment
 * @returns {Record<string, string>} what a build may see of it
 */
export function pickBuildVariables(environment) {
  const picked = pickVariables(environment);
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && NETWORK_VARIABLES.test(name)) picked[name] = value;
  }
  return picked;
}

/**
 * What is worth showing of the log of a build that failed.
 *
 * @param {string} log
 * @returns {string[]} lines from its beginning and its end
 */
export function quoteLog(log) {
  const lines = stripVTControlCharacters(log)
    .split(/[\r\n]+/)
    .map((line) => line.trimEnd().slice(0, MAX_LINE_CHARACTERS))
    .filter((line) => line !== '' && line !== 'npm error');
  if (lines.length <= FIRST_LINES + LAST_LINES) return lines;
  return [...lines.slice(0, FIRST_LINES), '…', ...lines.slice(-LAST_LINES)];
}
