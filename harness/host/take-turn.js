import { setTimeout as pause } from 'node:timers/promises';
import { showInvisible } from '../lib/escape.js';
import { MachineError } from '../lib/errors.js';
import { findTurnDirectory, hasOwnClaim, listClaims, placeClaim } from './take-turn-claims.js';

/** @import { Io } from '../cli/cli.js' */
/** @import { Claim } from './take-turn-claims.js' */

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
