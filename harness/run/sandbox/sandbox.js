import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findReason, findTool, tryTool } from '../../host/tools.js';
import { MachineError } from '../../lib/errors.js';
import { PROJECT } from '../../lib/project.js';

/** @import { Session } from '../run.js' */
/** @import { Job, Sandbox } from '../../formats/types.ts' */

/** @typedef {Record<string, string | undefined>} Variables environment of the harness */

const PROBE_TIMEOUT_MS = 10_000;

const REMEDY =
  'install bubblewrap (apt-get install bubblewrap); in a container, start it so that it may make ' +
  'namespaces; or leave --sandbox out and trust the variants';

/** What users keep, and where programs listen that act for them. */
const PRIVATE_PATHS = ['/home', '/root', '/tmp', '/var/tmp', '/run'];

/** Says nothing where it cannot write into the project and sees no processes but those around it. */
const PROBE = [
  'if [ -w "$1" ]; then echo "error: the file system can be written"; fi',
  'set -- /proc/[0-9]*',
  'if [ "$#" -gt 5 ]; then echo "error: other processes can be seen"; fi',
].join('\n');

/**
 * The sandbox of a run: what was found to work here, where one is wanted.
 *
 * @param {boolean | undefined} isWanted
 * @param {Variables} environment
 * @returns {Promise<Sandbox | null>} null where none is wanted
 * @throws {MachineError} where none works, with what to install
 */
export async function openSandbox(isWanted, environment) {
  return isWanted === true ? findSandbox(environment) : null;
}

/**
 * @template {Pick<Session, 'host'>} S
 * @param {S} session
 * @param {Sandbox | null | undefined} sandbox
 * @returns {S & Pick<Session, 'sandbox'>} whose workers run in it
 */
export function enterSandbox(session, sandbox = null) {
  return { ...session, sandbox, host: { ...session.host, sandbox } };
}

/**
 * Finds a way to run workers in a sandbox, by trying: that a program is there says little, since
 * containers and some distributions forbid the namespaces that it needs.
 *
 * @param {Variables} environment
 * @returns {Promise<Sandbox>} bubblewrap, or else unshare
 * @throws {MachineError} where neither works
 */
export async function findSandbox(environment) {
  const reasons = [];
  const hiddenPaths = listHiddenPaths(environment);
  for (const kind of /** @type {const} */ (['bwrap', 'unshare'])) {
    const executable = findTool(kind, environment);
    if (executable === null) {
      reasons.push(`there is no ${kind}`);
      continue;
    }
    const sandbox = { kind, executable, hiddenPaths };
    const reason = await findObstacle(sandbox, environment);
    if (reason === null) return sandbox;
    reasons.push(`${kind} does not work: ${reason}`);
  }
  throw new MachineError(`no sandbox works here: ${reasons.join('; ')}`, { remedy: REMEDY });
}

/**
 * @param {Sandbox} sandbox
 * @param {Variables} environment
 * @returns {Promise<string | null>} why it does not do what it is for; null where it does
 */
async function findObstacle(sandbox, environment) {
  const { projectPath } = PROJECT;
  const paths = { readable: [projectPath], writable: [] };
  const words = ['/bin/sh', '-c', PROBE, 'probe', projectPath];
  const [executable, ...args] = wrapCommand(words, paths, sandbox);
  const { status, stdout, stderr } = await tryTool(executable, args, {
    environment,
    timeoutMs: PROBE_TIMEOUT_MS,
  });
  if (status === 0 && stdout === '') return null;
  return findReason(`${stdout}\n${stderr}`);
}

/**
 * @param {Variables} environment
 * @returns {string[]} real paths of the directories that are emptied, each once, outer ones first
 */
export function listHiddenPaths({ HOME, TMPDIR }) {
  const found = [...PRIVATE_PATHS, HOME, TMPDIR].flatMap((path) => {
    const real = path === undefined ? null : findDirectory(path);
    return real === null || real === '/' ? [] : [real];
  });
  return [...new Set(found)].sort((a, b) => a.length - b.length);
}

/**
 * @param {string} path
 * @returns {string | null}
 */
function findDirectory(path) {
  try {
    return statSync(path).isDirectory() ? realpathSync(path) : null;
  } catch {
    return null;
  }
}

/** Builds the sandbox where only unshare is there; run by the shell. */
const ENTER_PATH = fileURLToPath(new URL('enter-namespaces.sh', import.meta.url));

/**
 * @typedef {object} SandboxPaths absolute paths of files and directories that are there
 * @property {string[]} readable seen by the command although they lie in what the sandbox hides
 * @property {string[]} writable
 */

/**
 * The command line that runs a command in a sandbox: the file system read-only but for the writable
 * paths, empty directories in place of the hidden ones, no network, no other processes, and the end
 * with the harness.
 *
 * @param {string[]} words the command: an executable and its arguments
 * @param {SandboxPaths} paths
 * @param {Sandbox} sandbox
 * @returns {[executable: string, ...args: string[]]}
 */
export function wrapCommand(words, { readable, writable }, sandbox) {
  const shown = keepHidden(readable, sandbox);
  return sandbox.kind === 'bwrap'
    ? wrapWithBubblewrap(words, shown, writable, sandbox)
    : wrapWithUnshare(words, shown, writable, sandbox);
}

/**
 * Of the paths that a command must see, those that would be hidden. What is as wide as a hidden
 * directory stays hidden: a stray `package.json` at home must not open all of it.
 *
 * @param {string[]} readable
 * @param {Sandbox} sandbox
 * @returns {string[]} each once, outer ones first
 */
function keepHidden(readable, { hiddenPaths }) {
  const shown = readable.filter(
    (path) =>
      hiddenPaths.some((hidden) => isInside(path, hidden)) &&
      !hiddenPaths.some((hidden) => hidden === path || isInside(hidden, path)),
  );
  return [...new Set(shown)].sort((a, b) => a.length - b.length);
}

/**
 * @param {string} path
 * @param {string} directory
 * @returns {boolean} whether the path lies somewhere below the directory; both are absolute
 */
export function isInside(path, directory) {
  const way = relative(directory, path);
  return way !== '' && !/^\.\.(?:\/|$)/.test(way) && !isAbsolute(way);
}

/**
 * @param {string[]} words
 * @param {string[]} shown
 * @param {string[]} writable
 * @param {Sandbox} sandbox
 * @returns {[string, ...string[]]}
 */
function wrapWithBubblewrap(words, shown, writable, { executable, hiddenPaths }) {
  return [
    executable,
    '--unshare-all',
    '--die-with-parent',
    // Root would keep its capabilities, and with them it could mount the file system anew.
    ...['--cap-drop', 'ALL'],
    ...['--ro-bind', '/', '/'],
    ...['--dev', '/dev'],
    ...['--proc', '/proc'],
    ...hiddenPaths.flatMap((path) => ['--tmpfs', path]),
    ...shown.flatMap((path) => ['--ro-bind', path, path]),
    ...writable.flatMap((path) => ['--bind', path, path]),
    ...['--chdir', '/'],
    '--',
    ...words,
  ];
}

/**
 * @param {string[]} words
 * @param {string[]} shown
 * @param {string[]} writable
 * @param {Sandbox} sandbox
 * @returns {[string, ...string[]]}
 */
function wrapWithUnshare(words, shown, writable, { executable, hiddenPaths }) {
  const namespaces = ['--map-root-user', '--mount', '--net', '--pid', '--ipc', '--uts'];
  return [
    executable,
    ...namespaces,
    '--kill-child',
    ...['/bin/sh', ENTER_PATH],
    ...hiddenPaths.flatMap((path) => ['hide', path]),
    ...shown.flatMap((path) => ['show', path]),
    ...writable.flatMap((path) => ['write', path]),
    '--',
    ...words,
  ];
}

/**
 * What a worker must read to do a job, and what the job tells it to write.
 *
 * @param {Job} job
 * @returns {{ readable: string[], writable: string[] }} absolute paths of files and directories;
 *   those that are written need not be there yet, and are files then
 */
export function listJobPaths(job) {
  const { buildPath, modulePath } = job.variant;
  const readable = [PROJECT.projectPath, job.familyPath, ...listPackagePaths(modulePath)];
  if (typeof buildPath === 'string') readable.push(buildPath);
  if ('corpus' in job) readable.push(...Object.values(job.corpus.files));
  if (job.kind === 'measure') readable.push(...Object.values(job.packages ?? {}));
  if (job.kind === 'fuzz') {
    // A journal is replaced as a whole, beside which its next version lies; both are alone there.
    return { readable: [...readable, ...job.casesPaths], writable: [dirname(job.journalPath)] };
  }
  if (job.kind === 'output') return { readable, writable: [job.outputPath] };
  if (job.kind === 'exercise' && job.observedPath !== null) {
    return { readable, writable: [job.observedPath] };
  }
  return { readable, writable: [] };
}

/**
 * @param {string} modulePath absolute path
 * @returns {string[]} the package that it belongs to, and where that is a mirror of links, what they
 *   lead to
 */
function listPackagePaths(modulePath) {
  const root = findPackageRoot(modulePath);
  const [manifest, modules] = ['package.json', 'node_modules'].map((name) => {
    const path = join(root, name);
    return existsSync(path) ? realpathSync(path) : null;
  });
  return [
    root,
    ...(manifest == null ? [] : [dirname(manifest)]),
    ...(modules == null ? [] : [modules]),
  ];
}

/**
 * The package that a module belongs to: the nearest directory above it whose `package.json` has a
 * name. Those without one only say how the files beside them are to be read.
 *
 * @param {string} modulePath absolute path
 * @returns {string} its own directory where no package is found
 */
function findPackageRoot(modulePath) {
  const start = dirname(modulePath);
  for (let directory = start; directory !== dirname(directory); directory = dirname(directory)) {
    if (hasName(join(directory, 'package.json'))) return directory;
  }
  return start;
}

/** @param {string} path of a `package.json`, which need not be there */
function hasName(path) {
  try {
    return typeof JSON.parse(readFileSync(path, 'utf8')).name === 'string';
  } catch {
    return false;
  }
}
