import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MachineError, UsageError } from '../lib/errors.js';
import { chooseBuild } from './choose-build.js';
import { runGit } from './git.js';
import { makeOnce } from './make-once.js';
import { findEntry } from './package-entry.js';
import { readCached } from './read-cached.js';
import { runBuildCommand } from './run-build-command.js';

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
  await makeOnce(home, async (staging) => {
    const path = checkOut(revision, staging);
    const build = await buildPackage(path, revision, context);
    writeFileSync(join(staging, BUILD_FILE), `${JSON.stringify({ build })}\n`);
  });
  const build = readCached(home, BUILD_FILE, takeBuild);
  return { path: join(home, TREE, revision.prefix), build };
}

/**
 * @param {{ build?: unknown }} content
 * @returns {string | undefined}
 */
function takeBuild({ build }) {
  return typeof build === 'string' ? build : undefined;
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
