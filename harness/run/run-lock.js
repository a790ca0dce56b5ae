import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync, readlinkSync, rmSync, statSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isProcessAlive } from '../host/lock.js';
import { readStartTicks } from '../host/processes.js';
import { MachineError } from '../lib/errors.js';
import { escapeControl } from '../lib/escape.js';
import { RUN, writeAtomic } from '../lib/files.js';

/** `session-UUID.lock` in the directory of a run. */
const LOCK_NAME = /^session-[0-9a-f-]{36}\.lock$/;
/** How often a session shows that it lives, to processes that cannot see it. */
const SIGN_MS = 5_000;
/** After this time without a sign, a session that cannot be seen from here is thought to have ended. */
const SILENCE_MS = 30_000;
const POLL_MS = 1_000;

/**
 * @typedef {object} Holder a session that measures a run
 * @property {string} processes which process ids it belongs to: those of a kernel and a container
 * @property {number} pid
 * @property {number} started clock ticks after boot, 0 where unknown
 * @property {string} host its name
 */

/**
 * Runs `work` unless another session measures the run in that directory. The lock of the host does not see a session on
 * another machine or in another container that shares the disk, nor one with another directory for locks.
 *
 * Each session has its own file, as in the lock of the host. Where process ids mean the same, a file counts while its
 * process lives; elsewhere while the file shows a sign of life.
 *
 * @template T
 * @param {string} path absolute path of the run
 * @param {{ waits?: boolean | undefined, signal: AbortSignal }} options whether to wait for the other session to end
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 * @throws {MachineError} when another session measures the run, and this one does not wait
 */
export async function withRunLock(path, { waits = false, signal }, work) {
  const name = `session-${randomUUID()}.lock`;
  const file = join(path, name);
  for (;;) {
    writeAtomic(file, `${JSON.stringify(identifySession())}\n`, RUN);
    const other = findOther(path, name);
    if (other === null) break;
    rmSync(file, { force: true });
    if (!waits) {
      throw new MachineError(`another session measures this run, on ${escapeControl(other)}`, {
        remedy: 'wait for it with --wait',
      });
    }
    await pause(POLL_MS, undefined, { signal });
  }
  const sign = setInterval(() => showSign(file), SIGN_MS).unref();
  try {
    return await work();
  } finally {
    clearInterval(sign);
    remove(file);
  }
}

/** @param {string} file */
function remove(file) {
  try {
    rmSync(file, { force: true });
  } catch {
    // Its directory has become something else.
  }
}

/** @type {(path: string, own: string) => string | null} host of another session; files of sessions that ended are removed */
function findOther(path, own) {
  for (const name of readdirSync(path)) {
    if (name === own || !LOCK_NAME.test(name)) continue;
    const file = join(path, name);
    const holder = readHolder(file);
    if (holder !== null && isAlive(holder, file)) return holder.host;
    if (holder !== null) rmSync(file, { force: true });
  }
  return null;
}

/** @returns {Holder} */
function identifySession() {
  const { pid } = process;
  const started = readStartTicks(pid) ?? 0;
  return { processes: identifyProcesses(), pid, started, host: hostname() };
}

/** @type {(holder: Holder, file: string) => boolean} */
function isAlive({ processes, pid, started }, file) {
  if (processes === identifyProcesses()) return isProcessAlive(pid, started);
  const changedMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? -Infinity;
  return Date.now() - changedMs < SILENCE_MS;
}

/** Two processes with the same answer see each other by their ids. @returns {string} */
function identifyProcesses() {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** @type {(file: string) => Holder | null} null where it has been removed */
function readHolder(file) {
  try {
    const { processes, pid, started, host } = JSON.parse(readFileSync(file, 'utf8'));
    return {
      processes: String(processes),
      pid: Number(pid),
      started: Number(started),
      host: String(host),
    };
  } catch {
    return null;
  }
}

/** @param {string} file */
function showSign(file) {
  const now = new Date();
  try {
    utimesSync(file, now, now);
  } catch {
    // It was removed; the session goes on.
  }
}
