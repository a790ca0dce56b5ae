import { lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MachineError } from '../lib/errors.js';
import { showInvisible } from '../lib/escape.js';

/** @import { Io } from '../cli/cli.js' */

/** Seldom enough that looking does not disturb what is waited for. */
const POLL_MS = 1_000;
/** Two that came at the same moment both step back, and come again within this time. */
const STEP_BACK_MS = 200;

/**
 * @typedef {object} Turn
 * @property {string} command as typed, for whoever has to wait
 * @property {string} where directory that it writes to, likewise
 * @property {boolean} [timed] whether it times something, which is so unless it says no; what only
 *   keeps cores busy may share the host with its like
 * @property {boolean | undefined} waits for its turn, in place of being refused
 * @property {(other: Claim) => string} [describe] words for the turn of another
 */

/**
 * Does something while no other process on this host, of whatever checkout, measures: two runs at
 * once would disturb each other's timing. Within a process that has its turn it is done at once.
 * Decision 0019 has the protocol.
 *
 * @template T
 * @param {Turn} turn
 * @param {Pick<Io, 'environment' | 'stderr' | 'signal'>} io
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 * @throws {MachineError} when another has its turn and this one does not wait
 */
export async function takeTurn(turn, io, work) {
  const directory = findTurnDirectory(io.environment);
  if (hasOwnClaim(directory)) return work();
  const endTurn = await waitForTurn(turn, directory, io);
  try {
    return await work();
  } finally {
    endTurn();
  }
}

/**
 * Prepares something, then does it in its turn. Fetching and building may take minutes and time
 * nothing, so they hold nobody up; but they wait, or are refused, while another measures.
 *
 * @template P, T
 * @param {Turn} turn
 * @param {Pick<Io, 'environment' | 'stderr' | 'signal'>} io
 * @param {() => Promise<P>} prepare
 * @param {(prepared: P) => Promise<T>} work
 * @returns {Promise<T>}
 * @throws {MachineError} when another has its turn and this one does not wait
 */
export async function prepareAndTakeTurn(turn, io, prepare, work) {
  await waitForOthers(turn, findTurnDirectory(io.environment), io);
  const prepared = await prepare();
  return takeTurn(turn, io, () => work(prepared));
}

/**
 * A claim is placed first and the others are looked at then, so of two that come at once at least
 * one sees the other.
 *
 * @param {Turn} turn
 * @param {string} directory
 * @param {Pick<Io, 'stderr' | 'signal'>} io
 * @returns {Promise<() => void>} ends the turn
 */
async function waitForTurn(turn, directory, io) {
  const { command, where, timed = true } = turn;
  for (;;) {
    await waitForOthers(turn, directory, io);
    const withdraw = placeOrTell({ command, where, timed }, directory, io);
    if (findOther(turn, directory) === undefined) return withdraw;
    withdraw();
    await pause(Math.random() * STEP_BACK_MS, undefined, { signal: io.signal });
  }
}

/**
 * @param {Turn} turn
 * @param {string} directory
 * @param {Pick<Io, 'stderr' | 'signal'>} io
 * @returns {Promise<void>} when no other has a turn that excludes this one
 * @throws {MachineError} when another has, and this one does not wait
 */
async function waitForOthers(turn, directory, io) {
  const { waits = false, describe = describeOther } = turn;
  for (let hasTold = false; ; hasTold = true) {
    const other = findOther(turn, directory);
    if (other === undefined) return;
    if (!waits) throw new MachineError(describe(other), { remedy: 'wait for it with --wait' });
    if (!hasTold) io.stderr.write(`waits: ${showInvisible(describe(other))}\n`);
    await pause(POLL_MS, undefined, { signal: io.signal });
  }
}

/**
 * @param {Pick<Turn, 'timed'>} turn
 * @param {string} directory
 * @returns {Claim | undefined} of another process, if it excludes this turn
 */
function findOther({ timed = true }, directory) {
  return listClaims(directory).find((claim) => claim.timed || timed);
}

/**
 * A host that has no place for a claim can still measure.
 *
 * @param {Parameters<typeof placeClaim>[1]} turn
 * @param {string} directory
 * @param {Pick<Io, 'stderr'>} io
 * @returns {() => void} takes the claim back
 */
function placeOrTell(turn, directory, { stderr }) {
  try {
    return placeClaim(directory, turn);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    stderr.write(`note: a second run would not see this one (${showInvisible(message)})\n`);
    return () => {};
  }
}

/**
 * @param {Claim} claim
 * @returns {string} `another run measures here since 12:31 (just compare a b, in reports/runs)`
 */
function describeOther({ timed, since, command, where }) {
  const what = timed ? 'another run measures here' : 'another command keeps this machine busy';
  if (since === null) return what;
  const [hours, minutes] = new Date(since).toTimeString().split(':');
  return `${what} since ${hours}:${minutes} (${command}, in ${where})`;
}

/** `assay-measures-PID-STARTED.json`; what a turn excludes is known even where it cannot be read. */
const CLAIM_NAME = /^assay-(measures|loads)-(\d+)-(\d+)\.json$/;
/** Anybody may put a file into the directory for temporary files. */
const MAX_CLAIM_BYTES = 4_096;
const MAX_COMMAND_LENGTH = 200;

/**
 * What a process says of itself while it has its turn.
 *
 * @typedef {object} Claim
 * @property {boolean} timed whether it times something; else it only keeps cores busy
 * @property {string | null} since ISO 8601; null where the file cannot be read, as is what follows
 * @property {string | null} command
 * @property {string | null} where directory that it writes to
 */

/**
 * @param {Record<string, string | undefined>} environment
 * @returns {string} directory in which runs see each other: that of `ASSAY_TURN_DIRECTORY`, else the
 *   one for temporary files, which all users and checkouts of a host share
 */
function findTurnDirectory({ ASSAY_TURN_DIRECTORY: own }) {
  return own === undefined || own === '' ? tmpdir() : own;
}

/**
 * Puts the claim of this process beside those of others. A claim is a file of its own, so none ever
 * has to be taken from another process: that of one that is gone counts for nothing.
 *
 * @param {string} directory
 * @param {{ timed: boolean, command: string, where: string }} turn
 * @returns {() => void} takes it back
 * @throws {NodeJS.ErrnoException} when it cannot be written
 */
function placeClaim(directory, { timed, command, where }) {
  const path = join(directory, nameClaim(timed));
  const claim = {
    since: new Date().toISOString(),
    command: command.slice(0, MAX_COMMAND_LENGTH),
    where,
  };
  mkdirSync(directory, { recursive: true });
  writeFileSync(path, `${JSON.stringify(claim)}\n`, { flag: 'wx' });
  return () => rmSync(path, { force: true });
}

/**
 * @param {string} directory
 * @returns {boolean} whether this process has its turn already
 */
function hasOwnClaim(directory) {
  const own = [nameClaim(true), nameClaim(false)];
  return listNames(directory).some((name) => own.includes(name));
}

/**
 * @param {string} directory
 * @returns {Claim[]} of other processes that are alive; files of others that ended are removed where
 *   that is permitted
 */
function listClaims(directory) {
  return listNames(directory).flatMap((name) => {
    const [, word, pid, started] = CLAIM_NAME.exec(name) ?? [];
    if (word === undefined || Number(pid) === process.pid) return [];
    const path = join(directory, name);
    if (isAlive(Number(pid), Number(started))) return [readClaim(path, word === 'measures')];
    removeIfPermitted(path);
    return [];
  });
}

/** @param {boolean} timed */
function nameClaim(timed) {
  const { pid } = process;
  return `assay-${timed ? 'measures' : 'loads'}-${pid}-${readStartTicks(pid) ?? 0}.json`;
}

/** @param {string} directory */
function listNames(directory) {
  try {
    return readdirSync(directory);
  } catch {
    // Where nobody could put anything, nobody did.
    return [];
  }
}

/**
 * @param {string} path
 * @param {boolean} timed
 * @returns {Claim}
 */
function readClaim(path, timed) {
  try {
    const file = lstatSync(path);
    if (!file.isFile() || file.size > MAX_CLAIM_BYTES) throw new Error('no claim');
    const { since, command, where } = JSON.parse(readFileSync(path, 'utf8'));
    if (Number.isNaN(Date.parse(since))) throw new Error('no moment');
    return { timed, since, command: String(command), where: String(where) };
  } catch {
    // It is being written, or belongs to somebody who lets nobody read it.
    return { timed, since: null, command: null, where: null };
  }
}

/** @param {string} path */
function removeIfPermitted(path) {
  try {
    rmSync(path, { force: true });
  } catch {
    // It belongs to another user, and counts for nothing where it is.
  }
}

/**
 * A number is given to another process some day, but not with the same start.
 *
 * @param {number} pid
 * @param {number} started clock ticks after boot, 0 where it was not known
 * @returns {boolean}
 */
function isAlive(pid, started) {
  const ticks = readStartTicks(pid);
  if (ticks !== null || started !== 0) return ticks === started;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/**
 * @param {number} pid
 * @returns {number | null} when a process began, in clock ticks after boot; null where there is no
 *   such process, only its remains, or no /proc
 */
function readStartTicks(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // State and starttime are fields 3 and 22 of proc(5); the name before may have blanks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : Number(fields[19]);
  } catch {
    return null;
  }
}
