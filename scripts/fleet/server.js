import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTool } from '../../harness/host/tools.js';
import { MachineError } from '../../harness/lib/errors.js';

/** What one line of the log of nats-server says when it listens. */
const LISTENS = /Listening for client connections on (127\.0\.0\.1:\d+)/;
const READY = 'Server is ready';
/** USER_HZ of Linux, in which /proc gives times. */
const TICKS_PER_SECOND = 100;

/** @typedef {Awaited<ReturnType<typeof startServer>>} Server */

/**
 * Starts a nats-server on a free port of loopback, with an empty store of its own.
 *
 * @throws {MachineError} when there is none
 */
export async function startServer() {
  const executable = findTool('nats-server', process.env);
  if (executable === null) {
    throw new MachineError('there is no nats-server', { remedy: 'apt-get install nats-server' });
  }
  const store = mkdtempSync(join(tmpdir(), 'assay-scale-'));
  let { pid, kill, address } = await launch(executable, store);
  return {
    /** The address, which a recovery changes. */
    get url() {
      return `nats://${address}`;
    },
    /** @returns {number} CPU time so far, in seconds */
    cpuSeconds: () => readCpuSeconds(pid),
    /** @returns {number} in bytes */
    mostResident: () => readMostResident(pid),
    /** @returns {number} bytes of its files */
    storedBytes: () => sumFiles(store),
    /** Kills it with SIGKILL and starts it again on another port. @returns {Promise<number>} seconds until it is ready */
    async recover() {
      await kill();
      const startMs = performance.now();
      ({ pid, kill, address } = await launch(executable, store));
      return (performance.now() - startMs) / 1000;
    },
    async stop() {
      await kill();
      rmSync(store, { recursive: true });
    },
  };
}

/**
 * @param {string} executable
 * @param {string} store
 * @throws {MachineError} when it does not start
 */
async function launch(executable, store) {
  const args = ['-js', '-a', '127.0.0.1', '-p', '-1', '-sd', store];
  const child = spawn(executable, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  for await (const text of child.stderr.iterator({ destroyOnReturn: false })) {
    log += text;
    if (log.includes(READY)) break;
  }
  const address = LISTENS.exec(log)?.[1];
  if (address === undefined) {
    throw new MachineError('nats-server did not start', { remedy: log.slice(-500) });
  }
  child.stderr.resume();
  return {
    pid: /** @type {number} */ (child.pid),
    address,
    async kill() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/**
 * @param {number} pid
 * @returns {number} most resident memory of a process so far, in bytes; 0 if it has ended
 */
export function readMostResident(pid) {
  try {
    const [, kib = 0] =
      /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kib) * 1024;
  } catch {
    return 0;
  }
}

/** @param {number} pid */
function readCpuSeconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field, a name, may contain spaces; user and system time are the 14th and 15th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** @param {string} directory @returns {number} */
function sumFiles(directory) {
  const entries = readdirSync(directory, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
