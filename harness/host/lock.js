import { lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MachineError } from '../lib/errors.js';
import { readStartTicks } from './processes.js';
import { writeLine, writeNote } from '../lib/messages.js';
import { isAlive } from '../lib/processes.js';

/** @import { Io } from '../lib/io.ts' */

/** Long enough that polling does not disturb a measurement. */
const POLL_MS = 1_000;
/** Two processes that collide both release the lock, and retry within this time. */
const MAX_RETRY_MS = 200;

/**
 * @typedef {object} LockRequest
 * @property {string} command as typed, shown to other processes
 * @property {string} where directory that it writes to, likewise
 * @property {boolean} [timed] whether it times something, by default true; commands that only keep
 *   cores busy may run at the same time
 * @property {boolean | undefined} waits whether to wait for the lock; else it is refused
 */

/**
 * Runs `work` while holding the measurement lock of the host, which all checkouts share: two runs at
 * once would disturb each other's timing. In a process that holds the lock already, it runs at once.
 * Decision 0019 has the protocol.
 *
 * @template T
 * @param {LockRequest} request
 * @param {Pick<Io, 'environment' | 'stderr' | 'signal'>} io
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 * @throws {MachineError} when another process holds the lock and the request does not wait
 */
export async function withHostLock(request, io, work) {
  const directory = findLockDirectory(io.environment);
  if (isHolder(directory)) return work();
  const release = await acquire(request, directory, io);
  try {
    return await work();
  } finally {
    release();
  }
}

/**
 * Runs `prepare` without the lock, then `work` with it. Fetching and building take minutes and time
 * nothing, so they block nobody; but they do not start while another process measures.
 *
 * @template P, T
 * @param {LockRequest} request
 * @param {Pick<Io, 'environment' | 'stderr' | 'signal'>} io
 * @param {() => Promise<P>} prepare
 * @param {(prepared: P) => Promise<T>} work
 * @returns {Promise<T>}
 * @throws {MachineError} when another process holds the lock and the request does not wait
 */
export async function prepareThenLock(request, io, prepare, work) {
  await waitForOthers(request, findLockDirectory(io.environment), io);
  const prepared = await prepare();
  return withHostLock(request, io, () => work(prepared));
}

/**
 * @param {Pick<Io, 'environment' | 'stderr' | 'signal'>} io
 * @returns {Promise<void>} when no other process holds a lock that excludes one that measures
 */
export async function waitUntilFree(io) {
  await waitForOthers({ waits: true }, findLockDirectory(io.environment), io);
}

/**
 * Writes the lock file of this process before it looks for others, so that of two processes that start at
 * the same time at least one sees the other.
 *
 * @param {LockRequest} request
 * @param {string} directory
 * @param {Pick<Io, 'stderr' | 'signal'>} io
 * @returns {Promise<() => void>} releases the lock
 */
async function acquire(request, directory, io) {
  const { command, where, timed = true } = request;
  const kind = timed ? 'measures' : 'loads';
  for (;;) {
    await waitForOthers(request, directory, io);
    const release = tryWriteLock({ kind, command, where }, directory, io);
    if (findOther(request, directory) === undefined) return release;
    release();
    await pause(Math.random() * MAX_RETRY_MS, undefined, { signal: io.signal });
  }
}

/**
 * @param {Omit<LockRequest, 'command' | 'where'>} request
 * @param {string} directory
 * @param {Pick<Io, 'stderr' | 'signal'>} io
 * @returns {Promise<void>} when no other process holds a lock that excludes this one
 * @throws {MachineError} when another does, and the request does not wait
 */
async function waitForOthers(request, directory, io) {
  const { waits = false } = request;
  for (let isAnnounced = false; ; isAnnounced = true) {
    const other = findOther(request, directory);
    if (other === undefined) return;
    if (!waits) throw new MachineError(describeOther(other), { remedy: 'wait for it with --wait' });
    if (!isAnnounced) writeLine(io.stderr, `waiting: ${describeOther(other)}`);
    await pause(POLL_MS, undefined, { signal: io.signal });
  }
}

/**
 * @param {Pick<LockRequest, 'timed'>} request
 * @param {string} directory
 * @returns {Holder | undefined} another process that excludes this one
 */
function findOther({ timed = true }, directory) {
  return listHolders(directory).find(({ kind }) => kind === 'measures' || timed);
}

/**
 * Measures without a lock where its file cannot be written.
 *
 * @param {Parameters<typeof writeLock>[1]} holder
 * @param {string} directory
 * @param {Pick<Io, 'stderr'>} io
 * @returns {() => void} releases the lock
 */
function tryWriteLock(holder, directory, { stderr }) {
  try {
    return writeLock(directory, holder);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    writeNote(stderr, `a second run will not notice this one (${message})`);
    return () => {};
  }
}

/**
 * @param {Holder} holder
 * @returns {string} `another run is measuring on this host since 12:31 (just compare a b, in
 *   reports/runs)`
 */
function describeOther({ kind, since, command, where }) {
  const what =
    kind === 'measures'
      ? 'another run is measuring on this host'
      : 'another command is using this host';
  if (since === null) return what;
  const [hours, minutes] = new Date(since).toTimeString().split(':');
  return `${what}, since ${hours}:${minutes} (${command}, in ${where})`;
}

/** `assay-measures-PID-STARTED.json`; the name alone says whom it excludes, since a file that is being written has no
 * content yet. */
const LOCK_NAME = /^assay-(measures|loads)-(\d+)-(\d+)\.json$/;
/** Anybody may put a file into the temporary directory. */
const MAX_LOCK_BYTES = 4_096;
const MAX_COMMAND_LENGTH = 200;

/**
 * Another process that measures, or may.
 *
 * @typedef {object} Holder
 * @property {'measures' | 'loads'} kind whether it times something, or only keeps cores busy
 * @property {string | null} since ISO 8601; null, as the others, where its file cannot be read
 * @property {string | null} command
 * @property {string | null} where directory that it writes to
 */

/**
 * @param {Record<string, string | undefined>} environment
 * @returns {string} directory of the lock files: `ASSAY_LOCK_DIRECTORY`, else the temporary directory,
 *   which all users and checkouts of a host share
 */
function findLockDirectory({ ASSAY_LOCK_DIRECTORY: own }) {
  return own === undefined || own === '' ? tmpdir() : own;
}

/**
 * Writes the lock file of this process. Each process has its own file, so no lock ever has to be
 * taken from another process: the file of a process that has ended is ignored.
 *
 * @param {string} directory
 * @param {Pick<Holder, 'kind'> & Pick<LockRequest, 'command' | 'where'>} holder
 * @returns {() => void} removes it
 * @throws {NodeJS.ErrnoException} when it cannot be written
 */
function writeLock(directory, { kind, command, where }) {
  const path = join(directory, nameLock(kind));
  const content = {
    since: new Date().toISOString(),
    command: command.slice(0, MAX_COMMAND_LENGTH),
    where,
  };
  mkdirSync(directory, { recursive: true });
  writeFileSync(path, `${JSON.stringify(content)}\n`, { flag: 'wx' });
  return () => rmSync(path, { force: true });
}

/** @param {string} directory @returns {boolean} whether this process holds the lock */
function isHolder(directory) {
  const started = readStartTicks(process.pid) ?? 0;
  return listNames(directory).some((name) => {
    const lock = parseName(name);
    return lock?.pid === process.pid && lock.started === started;
  });
}

/**
 * @param {string} directory
 * @returns {Holder[]} other processes that are alive; the files of ended ones are removed where that is
 *   permitted
 */
function listHolders(directory) {
  return listNames(directory).flatMap((name) => {
    const lock = parseName(name);
    if (lock === null || lock.pid === process.pid) return [];
    const { kind, pid, started } = lock;
    const path = join(directory, name);
    if (isProcessAlive(pid, started)) return [{ kind, ...readLock(path) }];
    removeIfPermitted(path);
    return [];
  });
}

/** @type {(name: string) => Pick<Holder, 'kind'> & { pid: number, started: number } | null} */
function parseName(name) {
  const [, word, pid, started] = LOCK_NAME.exec(name) ?? [];
  if (word === undefined) return null;
  const kind = /** @type {Holder['kind']} */ (word);
  return { kind, pid: Number(pid), started: Number(started) };
}

/** @type {(kind: Holder['kind']) => string} */
function nameLock(kind) {
  const { pid } = process;
  return `assay-${kind}-${pid}-${readStartTicks(pid) ?? 0}.json`;
}

/** @param {string} directory */
function listNames(directory) {
  try {
    return readdirSync(directory);
  } catch {
    // Without a directory there are no locks.
    return [];
  }
}

/** @type {(path: string) => Pick<Holder, 'since' | 'command' | 'where'>} */
function readLock(path) {
  try {
    const file = lstatSync(path);
    if (!file.isFile() || file.size > MAX_LOCK_BYTES) throw new Error('not a lock');
    const { since, command, where } = JSON.parse(readFileSync(path, 'utf8'));
    if (Number.isNaN(Date.parse(since))) throw new Error('no date');
    return { since, command: String(command), where: String(where) };
  } catch {
    // It is being written, or belongs to another user and is not readable.
    return { since: null, command: null, where: null };
  }
}

/** @param {string} path */
function removeIfPermitted(path) {
  try {
    rmSync(path, { force: true });
  } catch {
    // It belongs to another user, and is ignored.
  }
}

/**
 * Compares the start time, too, since process ids are reused.
 *
 * @param {number} pid
 * @param {number} started clock ticks after boot, 0 where unknown
 * @returns {boolean}
 */
export function isProcessAlive(pid, started) {
  const ticks = readStartTicks(pid);
  if (ticks !== null || started !== 0) return ticks === started;
  return isAlive(pid);
}
