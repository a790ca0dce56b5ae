import { realpathSync, statSync } from 'node:fs';
import { MachineError } from '../../lib/errors.js';
import { PROJECT } from '../../lib/project.js';
import { findTool } from '../../host/find-tool.js';
import { findReason, tryTool } from '../../host/run-tool.js';
import { wrapCommand } from './wrap-command.js';

/** @import { Session } from '../continue-run.js' */
/** @import { Sandbox } from '../../formats/types.ts' */

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
