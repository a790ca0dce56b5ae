import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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
export function findTurnDirectory({ ASSAY_TURN_DIRECTORY: own }) {
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
export function placeClaim(directory, { timed, command, where }) {
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
export function hasOwnClaim(directory) {
  const own = [nameClaim(true), nameClaim(false)];
  return listNames(directory).some((name) => own.includes(name));
}

/**
 * @param {string} directory
 * @returns {Claim[]} of other processes that are alive; files of others that ended are removed where
 *   that is permitted
 */
export function listClaims(directory) {
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
