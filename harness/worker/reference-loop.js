import { clockStepMs, nowMs } from './clock.js';

// Taken before a variant is loaded, which could replace them.
const { imul } = Math;
const { isInteger } = Number;

/** Rounds of arithmetic per reading of the reference loop; some 60 µs. */
const ROUNDS = 50_000;
/** Turns of so many rounds in one reading: a coarse clock needs a long one. */
const TURNS = Math.max(1, Math.ceil((clockStepMs * 1e6 * 100) / 60_000));
/** Short calls first, so that V8 has feedback on the end of the function: code entered by on-stack
 * replacement would be deoptimised at the end of each call. */
const SHORT_CALLS = 2_000;
const SHORT_ROUNDS = 50;
/** Readings after which it is fully optimised. */
const WARM_UP_READINGS = 20;

/**
 * Reference loop: fixed work whose duration shows the current speed of the processor, which varies with
 * its frequency and with neighbours on a shared core. Four independent chains of integer arithmetic use the
 * same execution units as measured code, and no memory, so that the caches left by measured code do not
 * affect it. V8 keeps four in registers; of six it keeps some in memory, and then the loop waits for that
 * and not for the units (decision 0044).
 *
 * @returns {() => number} one reading, in nanoseconds per `ROUNDS`
 */
export function makeReferenceLoop() {
  for (let call = 0; call < SHORT_CALLS; call++) turn(SHORT_ROUNDS);
  for (let reading = 0; reading < WARM_UP_READINGS; reading++) timeReferenceLoop();
  return timeReferenceLoop;
}

function timeReferenceLoop() {
  const startMs = nowMs();
  const result = turn(ROUNDS * TURNS);
  const endMs = nowMs();
  // Using the result prevents dead-code elimination.
  return isInteger(result) ? ((endMs - startMs) * 1e6) / TURNS : NaN;
}

/** @param {number} rounds */
function turn(rounds) {
  let a = 1;
  let b = 2;
  let c = 3;
  let d = 4;
  for (let round = 0; round < rounds; round++) {
    a = imul(a, 1664525) ^ round;
    b = b ^ (b << 1) ^ round;
    c = c ^ (c >> 3) ^ round;
    d = d ^ (d >> 5) ^ round;
  }
  return a ^ b ^ c ^ d;
}
