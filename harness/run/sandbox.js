import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findReason } from '../lib/failures.js';
import { findTool, tryTool } from '../host/tools.js';
import { MachineError } from '../lib/errors.js';
import { PROJECT } from '../lib/project.js';

/** @import { Session } from './run.js' */
/** @import { Sandbox } from '../formats/types.ts' */

/** @typedef {Record<string, string | undefined>} Variables environment of the harness */

const PROBE_TIMEOUT_MS = 10_000;

const REMEDY =
  'install bubblewrap (apt-get install bubblewrap); in a container, allow it to create namespaces; ' +
  'or leave --sandbox out and trust the variants';

/** The files of users, and the sockets of programs that act for them. */
const PRIVATE_PATHS = ['/home', '/root', '/tmp', '/var/tmp', '/run'];

/** Prints nothing if it can neither write to the project nor see processes outside of the sandbox. */
const PROBE = [
  'if [ -w "$1" ]; then echo "error: the file system can be written"; fi',
  'set -- /proc/[0-9]*',
  'if [ "$#" -gt 5 ]; then echo "error: other processes can be seen"; fi',
].join('\n');

/**
 * @param {boolean | undefined} isWanted
 * @param {Variables} environment
 * @returns {Promise<Sandbox | null>} null if none is wanted
 * @throws {MachineError} when one is wanted and none works here
 */
export async function openSandbox(isWanted, environment) {
  return isWanted === true ? findSandbox(environment) : null;
}

/**
 * @template {Pick<Session, 'host'>} S
 * @param {S} session
 * @param {Sandbox | null | undefined} sandbox
 * @returns {S & Pick<Session, 'sandbox'>} a session whose workers run in the sandbox
 */
export function enterSandbox(session, sandbox = null) {
  return { ...session, sandbox, host: { ...session.host, sandbox } };
}

/**
 * Finds a program that can run workers in a sandbox. Each is tried, because containers and some
 * distributions forbid the namespaces that it needs.
 *
 * @param {Variables} environment
 * @returns {Promise<Sandbox>} bubblewrap or, if that does not work, unshare
 * @throws {MachineError} when neither works
 */
export async function findSandbox(environment) {
  if (process.platform !== 'linux') {
    throw new MachineError('workers are sandboxed on Linux only', {
      remedy: 'leave --sandbox out and trust the variants',
    });
  }
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
 * @returns {Promise<string | null>} why it does not isolate; null if it does
 */
async function findObstacle(sandbox, environment) {
  const { assayPath } = PROJECT;
  const paths = { readable: [assayPath], writable: [] };
  const words = ['/bin/sh', '-c', PROBE, 'probe', assayPath];
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
 * @returns {string[]} real paths of the directories to hide, without duplicates, outer ones first
 */
function listHiddenPaths({ HOME, TMPDIR }) {
  const found = [...PRIVATE_PATHS, HOME, TMPDIR].flatMap((path) => {
    const real = path === undefined ? null : findDirectory(path);
    return real === null || real === '/' ? [] : [real];
  });
  return [...new Set(found)].sort((a, b) => a.length - b.length);
}

/** @type {(path: string) => string | null} */
function findDirectory(path) {
  try {
    return statSync(path).isDirectory() ? realpathSync(path) : null;
  } catch {
    return null;
  }
}

/** Shell script that builds the sandbox inside of the namespaces of unshare. */
const ENTER_PATH = fileURLToPath(new URL('enter-namespaces.sh', import.meta.url));

/**
 * @typedef {object} SandboxPaths absolute paths of files and directories that exist
 * @property {string[]} readable visible to the command even inside of hidden directories
 * @property {string[]} writable
 */

/**
 * Wraps a command so that it runs in a sandbox: a file system that is read-only except for the writable
 * paths, empty directories instead of the hidden ones, no network and no other processes. It is killed
 * when the harness ends.
 *
 * @param {string[]} words an executable and its arguments
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
 * The readable paths that are inside of hidden directories. A path that contains a hidden directory
 * stays hidden: a stray `package.json` in the home directory must not reveal all of it.
 * @type {(readable: string[], sandbox: Sandbox) => string[]} without duplicates, outer ones first
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
 * @returns {boolean} whether the path is below the directory; both are absolute
 */
function isInside(path, directory) {
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
    // Root would keep its capabilities, with which it could remount the file system.
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
