/** Rounds of the arithmetic that one reading of the yardstick takes; some 60 µs. */
const ROUNDS = 50_000;
/** Short calls at first, so that V8 knows how the function ends before it is stuck in its loop: code
 * that is entered in the loop would be thrown away at its end, each time. */
const SHORT_CALLS = 2_000;
const SHORT_ROUNDS = 50;
/** Readings after which V8 has made its best code of it. */
const WARM_UP_READINGS = 20;

/**
 * A fixed piece of work whose duration tells how fast the processor is at the moment: its frequency
 * falls and rises, and on a shared core a neighbour takes away half of the execution units. Six
 * independent chains of integer arithmetic in registers, so that it asks for the same units that
 * measured code does, and touches no memory, so that what measured code leaves in the caches does
 * not show in it.
 *
 * @returns {() => number} one reading, in nanoseconds
 */
export function makeYardstick() {
  for (let call = 0; call < SHORT_CALLS; call++) turn(SHORT_ROUNDS);
  for (let reading = 0; reading < WARM_UP_READINGS; reading++) readYardstick();
  return readYardstick;
}

function readYardstick() {
  const startMs = performance.now();
  const result = turn(ROUNDS);
  const endMs = performance.now();
  // What is asked of the result keeps any compiler from taking the work for idle.
  return Number.isInteger(result) ? (endMs - startMs) * 1e6 : NaN;
}

/** @param {number} rounds */
function turn(rounds) {
  let a = 1;
  let b = 2;
  let c = 3;
  let d = 4;
  let e = 5;
  let f = 6;
  for (let round = 0; round < rounds; round++) {
    a = (Math.imul(a, 1664525) + round) | 0;
    b = (Math.imul(b, 22695477) + round) | 0;
    c = (Math.imul(c, 69069) + round) | 0;
    d = ((d ^ (d << 1)) + round) | 0;
    e = ((e + (e >> 3)) | 0) ^ round;
    f = ((f ^ (f >> 5)) + round) | 0;
  }
  return a ^ b ^ c ^ d ^ e ^ f;
}
