/** Installs what a package of a checkout needs and runs its scripts. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { MachineError, UsageError } from '../lib/errors.js';
import { quoteWords } from '../lib/words.js';
import {
  chooseScripts,
  isOfNoRegistry,
  isOnlyRoot,
  isSource,
  leaveOut,
  listMissing,
} from './build-steps.js';
import { runGit } from './git.js';
import { findEntry, readPackage } from './package-entry.js';
import { chooseInstall, nameProgram } from './package-manager.js';
import { runBuildCommand } from './run-build.js';
import { listLinked } from './workspace.js';

/** @import { PackageManifest } from '../formats/types.ts' */
/** @import { Places } from './cache.js' */
/** @import { Absence, Revision } from './check-out.js' */
/** @import { Manager } from './package-manager.js' */

/**
 * @typedef {object} BuildChoices
 * @property {string | undefined} [build] command instead of the scripts of package.json
 * @property {string | undefined} [asOf] `2026-01-31`: dependencies that no lock file fixes are the newest of that day
 *
 * @typedef {Places & BuildChoices} BuildContext
 */

/**
 * @typedef {object} Building
 * @property {string} path absolute, of the package in the checkout
 * @property {string} tree absolute, of the checkout
 * @property {Revision} revision
 * @property {Manager} manager
 * @property {Absence[]} absent
 * @property {BuildContext} context
 */

/** @typedef {{ why: string, quoted: string[] }} Problem */

/** @typedef {(command: string) => Promise<Problem | null>} Run null on success */

/**
 * Installs what a package needs and builds it.
 *
 * @param {Building} building
 * @returns {Promise<string>} the commands that did it; empty if there was nothing to do
 * @throws {MachineError} when there is no module afterwards
 * @throws {UsageError} when there is no package
 */
export async function buildPackage(building) {
  const { path, tree, manager, revision, context } = building;
  if (context.build !== undefined) {
    const problem = (await runStep(context.build, building)) ?? (await findProblem(path));
    if (problem !== null) throw refuseBuild(building, problem);
    return context.build;
  }
  const entry = await askEntry(path);
  const manifest = readPackage(path);
  if (entry === null && isOnlyRoot(manifest, manager)) throw refuseRoot(building);
  const scripts = chooseScripts(manifest, { hasModule: entry !== null });
  for (const directory of new Set([join(tree, manager.root), path])) dropEngines(directory);
  const { attempt, problem } = await tryWays(building, scripts);
  if (problem === null) return attempt.done.join(' && ');
  const isInstalled = attempt.installed !== null;
  const isInterrupted = context.signal?.aborted === true;
  if (entry === null || !isInstalled || isInterrupted || !isSource(entry)) {
    throw refuseBuild(building, problem);
  }
  runGit(tree, ['checkout-index', '--all', '--force', '--quiet'], { isOwn: true });
  context.onNote?.(
    `${problem.why}; '${entry}' of ${revision.name} is measured as the commit has it`,
  );
  return attempt.installed ?? '';
}

/**
 * Removes what a package.json demands of the machines of its developers, for which npm refuses to run another manager.
 * @type {(directory: string) => void}
 */
function dropEngines(directory) {
  const { devEngines, ...manifest } = readPackage(directory);
  if (devEngines === undefined) return;
  writeFileSync(join(directory, 'package.json'), JSON.stringify(manifest, null, 2));
}

/**
 * @typedef {object} Attempt
 * @property {string[]} done commands that succeeded
 * @property {string | null} installed the command that installed; null before it has
 * @property {Run} run
 */

/**
 * Tries to build without what no registry has, so that a tool which the build does not need cannot prevent it, and then
 * with it.
 * @type {(building: Building, scripts: string[]) => Promise<{ attempt: Attempt, problem: Problem | null }>}
 */
async function tryWays(building, scripts) {
  const { context } = building;
  const left = leaveOutOf(building, (_, wanted) => isOfNoRegistry(wanted));
  const attempt = openAttempt(building);
  const problem = await buildOnce(building, scripts, attempt, left.names);
  if (problem === null || left.names.length === 0 || context.signal?.aborted === true) {
    return { attempt, problem };
  }
  left.undo();
  const second = openAttempt(building);
  const other = await buildOnce(building, scripts, second, []);
  // What could not be installed says nothing of the build.
  return second.installed === null ? { attempt, problem } : { attempt: second, problem: other };
}

/** @type {(building: Building) => Attempt} */
function openAttempt(building) {
  /** @type {string[]} */
  const done = [];
  /** @type {Run} */
  const run = async (command) => {
    const problem = await runStep(command, building);
    if (problem === null) done.push(command);
    return problem;
  };
  return { done, installed: null, run };
}

/** @type {(building: Building, scripts: string[], attempt: Attempt, left: string[]) => Promise<Problem | null>} null on success */
async function buildOnce(building, scripts, attempt, left) {
  const { manager, revision } = building;
  const isBuilt = scripts.length > 0;
  const failure = await installPackages(building, { isBuilt, left }, attempt.run);
  if (failure !== null) return failure;
  attempt.installed = attempt.done.join(' && ');
  const program = nameProgram(manager, revision.prefix);
  const commands = scripts.map((script) => `${program} run ${script}`);
  return runScripts(building, commands, attempt.run);
}

/** @type {(command: string, building: Building) => Promise<Problem | null>} null on success */
async function runStep(command, { path, revision, context: { signal, onNote } }) {
  onNote?.(`building ${revision.name}: ${command}`);
  const failure = await runBuildCommand(command, path, { signal });
  if (failure === null) return null;
  return { why: `'${command}' ${failure.detail}`, quoted: failure.lines };
}

/**
 * @param {Building} building
 * @param {{ isBuilt: boolean, left: string[] }} choices `left`: names of what was left out
 * @param {Run} run
 * @returns {Promise<Problem | null>} null on success
 */
async function installPackages(building, { isBuilt, left }, run) {
  const { path, manager, revision, context } = building;
  const { asOf, signal } = context;
  if (left.length > 0) noteLeft(building, left);
  for (let isChanged = left.length > 0; ; isChanged = true) {
    const choices = { prefix: revision.prefix, isBuilt, asOf, isChanged };
    const install = chooseInstall(readPackage(path), manager, choices);
    const problem = install === '' ? null : await run(install);
    if (problem === null || signal?.aborted === true) return problem;
    const missing = listMissing(problem.quoted);
    const { names } = leaveOutOf(building, (name) => missing.has(name));
    if (names.length === 0) return problem;
    noteLeft(building, names);
  }
}

/** @type {(building: Building, names: string[]) => void} */
function noteLeft({ revision, absent, context }, names) {
  const list = names.map((each) => `'${each}'`).join(', ');
  context.onNote?.(
    `${revision.name} is built without ${list}, which no registry has and only a build could need`,
  );
  absent.push({ what: `${list}, which no registry has`, remedy: '--build can install more' });
}

/** @type {(building: Building, isUnwanted: (name: string, wanted: string) => boolean) => { names: string[], undo: () => void }} names of dependencies that were removed from files of the checkout */
function leaveOutOf({ tree, revision }, isUnwanted) {
  const directories = listPackages(tree);
  const manifests = Object.fromEntries(
    directories.map((directory) => [directory, askPackage(join(tree, directory))]),
  );
  const { changed, names } = leaveOut(manifests, revision.prefix.replace(/\/$/, ''), isUnwanted);
  /** @type {(directory: string) => string} */
  const fileOf = (directory) => join(tree, directory, 'package.json');
  const originals = Object.keys(changed).map((directory) => {
    const text = readFileSync(fileOf(directory), 'utf8');
    writeFileSync(fileOf(directory), JSON.stringify(changed[directory], null, 2));
    return { file: fileOf(directory), text };
  });
  return {
    names,
    undo: () => {
      for (const { file, text } of originals) writeFileSync(file, text);
    },
  };
}

/** @type {(path: string) => PackageManifest} empty for a damaged one, such as tests have */
function askPackage(path) {
  try {
    return readPackage(path);
  } catch (error) {
    if (error instanceof UsageError) return {};
    throw error;
  }
}

/** @type {(tree: string) => string[]} directories of the packages of a checkout, relative to it; its top is empty */
function listPackages(tree) {
  return runGit(tree, ['ls-files', '-z', '--', 'package.json', '*/package.json'], { isOwn: true })
    .split('\0')
    .filter((file) => file !== '' && existsSync(join(tree, file)))
    .map((file) => file.replace(/\/?package\.json$/, ''));
}

/** @type {(directory: string, path: string, command: string) => string} the command for another directory, run in that of the package */
function inDirectory(directory, path, command) {
  return directory === path
    ? command
    : `(cd ${quoteWords([relative(path, directory)])} && ${command})`;
}

/**
 * Builds the members of the workspace that the package needs, then the package. Members that only its build could need are
 * tried where it does not succeed without them, since tools of a repository often need more than a registry has.
 * @type {(building: Building, commands: string[], run: Run) => Promise<Problem | null>} null if there is a module
 */
async function runScripts(building, commands, run) {
  const { path, context } = building;
  /** @type {Set<string>} */
  const built = new Set();
  /** @type {Problem | null} */
  let problem = null;
  for (const isDevelopment of [false, true]) {
    const builds = listMemberBuilds(building, isDevelopment).filter((each) => !built.has(each));
    if (isDevelopment && builds.length === 0) break;
    const failure = await runEach(builds, run);
    if (failure !== null) problem ??= failure;
    else problem = await runUntilModule(path, commands, run);
    if (problem === null || context.signal?.aborted === true) return problem;
    for (const each of builds) built.add(each);
  }
  return problem;
}

/** @type {(building: Building, isDevelopment: boolean) => string[]} commands */
function listMemberBuilds({ path, tree, manager }, isDevelopment) {
  return listLinked(path, tree, { isDevelopment })
    .filter((member) => readPackage(member).scripts?.build !== undefined)
    .map((member) => {
      const program = nameProgram(manager, relative(tree, member).split(sep).join('/'));
      return inDirectory(member, path, `${program} run build`);
    });
}

/** @type {(commands: string[], run: Run) => Promise<Problem | null>} that of the first command that fails */
async function runEach(commands, run) {
  for (const command of commands) {
    const problem = await run(command);
    if (problem !== null) return problem;
  }
  return null;
}

/** @type {(path: string, commands: string[], run: Run) => Promise<Problem | null>} null if there is a module */
async function runUntilModule(path, commands, run) {
  let problem = commands.length === 0 ? await findProblem(path) : null;
  for (const command of commands) {
    problem = (await run(command)) ?? (await findProblem(path));
    if (problem === null) return null;
  }
  return problem;
}

/** @type {(path: string) => Promise<string | null>} the module of a package, relative to it; null without one */
async function askEntry(path) {
  try {
    return relative(path, await findEntry(path))
      .split(sep)
      .join('/');
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}

/** @type {(path: string) => Promise<Problem | null>} why the package has no module; null if it has one */
async function findProblem(path) {
  try {
    await findEntry(path);
    return null;
  } catch (error) {
    if (error instanceof UsageError) return { why: error.message, quoted: [] };
    throw error;
  }
}

/** What package managers say where a registry asks who one is. */
const NO_ACCESS =
  /E40[13]|ENEEDAUTH|FETCH_40[13]|YN0041|Failed to replace env|Environment variable not found/;

/** @type {(building: Building, problem: Problem) => MachineError} */
function refuseBuild({ revision, absent }, { why, quoted }) {
  const more = absent.map(({ what, remedy }) => `it lacks ${what} (${remedy})`);
  if (NO_ACCESS.test(quoted.join('\n'))) {
    more.push(
      'a build sees no tokens in variables; put them into the settings in your home directory',
    );
  }
  return new MachineError(`${revision.name} could not be built: ${why}`, {
    quoted,
    remedy: [
      ...more,
      "set the command with --build 'COMMAND', or build it yourself and use path:DIRECTORY",
    ].join('; '),
  });
}

const NAMED_MEMBERS = 4;

/** @type {(building: Building) => UsageError} */
function refuseRoot({ tree, revision }) {
  const members = listPackages(tree).filter((directory) => {
    const { name, private: isPrivate } = askPackage(join(tree, directory));
    return directory !== '' && name !== undefined && isPrivate !== true;
  });
  const rest = members.length > NAMED_MEMBERS ? ', …' : '';
  return new UsageError(`${revision.name} is the root of a workspace and no package itself`, {
    remedy: `name the directory of a member: ${members.slice(0, NAMED_MEMBERS).join(', ')}${rest}`,
  });
}
