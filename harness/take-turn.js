import { setTimeout as pause } from 'node:timers/promises';
import { showInvisible } from '../reports/support/escape.js';
import { MachineError } from './errors.js';
import { findTurnDirectory, hasOwnClaim, listClaims, placeClaim } from './take-turn-claims.js';

/** @import { Io } from './cli.js' */
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
 * A claim is placed first and the others are looked at then, so of two that come at once at least
 * one sees the other.
 *
 * @param {Turn} turn
 * @param {string} directory
 * @param {Pick<Io, 'stderr' | 'signal'>} io
 * @returns {Promise<() => void>} ends the turn
 */
async function waitForTurn(turn, directory, io) {
  const { command, where, timed = true, waits = false } = turn;
  const findOther = () => listClaims(directory).find((claim) => claim.timed || timed);
  for (let hasTold = false; ;) {
    const other = findOther();
    if (other === undefined) {
      const withdraw = placeOrTell({ command, where, timed }, directory, io);
      if (findOther() === undefined) return withdraw;
      withdraw();
      await pause(Math.random() * STEP_BACK_MS, undefined, { signal: io.signal });
      continue;
    }
    if (!waits) {
      throw new MachineError(describeOther(other), { remedy: 'wait for it with --wait' });
    }
    if (!hasTold) io.stderr.write(`waits: ${showInvisible(describeOther(other))}\n`);
    hasTold = true;
    await pause(POLL_MS, undefined, { signal: io.signal });
  }
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
