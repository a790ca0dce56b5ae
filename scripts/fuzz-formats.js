/**
 * Damages files of every format that Assay reads and has them read, until the time is up:
 * `node scripts/fuzz-formats.js --for 5m --seed 1`. Prints counts by format, and each failure with
 * its seed; `--format 'a log of V8' --seed SEED --count 1` tries one again. Ends with status 1 where
 * anything failed. `harness/testing/support/formats/` says what is damaged and who reads it.
 */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { duration } from '../harness/cli/options.js';
import { listFormats } from '../harness/testing/support/list-formats.js';

const THREAD_URL = new URL('../harness/testing/support/fuzz-thread.js', import.meta.url);
const MOST_MEMORY_MB = 1024;
const MOST_MS = 20_000;
/** Of one format in a row; fewer where each takes long, so that the others come to their turn. */
const TURN = 20;
const SLOW_TURN = 5;

/** @typedef {{ accepted: number, refused: number, failed: number }} Tally */
/** @typedef {{ outcome: keyof Tally, problem: string | null }} Attempt */

const { values } = parseArgs({
  options: {
    for: { type: 'string', default: '5m' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: 'Infinity' },
    format: { type: 'string' },
  },
});
const formats = await listFormats();
const chosen = [...formats.keys()].filter(
  (index) => values.format === undefined || formats[index].name === values.format,
);
if (chosen.length === 0) {
  console.error(`no format '${values.format}'; there are ${formats.map(({ name }) => name)}`);
  process.exit(2);
}

/** @type {Map<string, Tally>} */
const tallies = new Map();
const endMs = performance.now() + duration(values.for) * 1_000;
const firstSeed = Number(values.seed);
const endSeed = firstSeed + Number(values.count);
let thread = await openThread();
for (let turnSeed = firstSeed; turnSeed < endSeed && performance.now() < endMs; turnSeed += TURN) {
  for (const index of chosen) await takeTurn(index, turnSeed, Math.min(turnSeed + TURN, endSeed));
}
await thread.terminate();
process.exitCode = printTallies() === 0 ? 0 : 1;

/**
 * @param {number} index of a format
 * @param {number} seed
 * @param {number} end
 */
async function takeTurn(index, seed, end) {
  const { name, isSlow } = formats[index];
  const tally = tallies.get(name) ?? { accepted: 0, refused: 0, failed: 0 };
  tallies.set(name, tally);
  const last = isSlow === true ? Math.min(end, seed + SLOW_TURN) : end;
  for (let next = seed; next < last && performance.now() < endMs; next++) {
    const { outcome, problem } = await attempt(index, next);
    tally[outcome]++;
    if (problem !== null) console.log(`FAILED ${name}, seed ${next}: ${problem}`);
  }
}

/**
 * @param {number} index of a format
 * @param {number} seed
 * @returns {Promise<Attempt>}
 */
async function attempt(index, seed) {
  const waiting = new AbortController();
  const { signal } = waiting;
  const timer = setTimeout(() => waiting.abort(), MOST_MS);
  try {
    thread.postMessage({ index, seed });
    // An error of the thread, such as that its memory is full, rejects.
    const [answer] = await once(thread, 'message', { signal });
    return answer;
  } catch (error) {
    const problem = signal.aborted ? `no end after ${MOST_MS / 1000} s` : String(error);
    await thread.terminate();
    thread = await openThread();
    return { outcome: 'failed', problem };
  } finally {
    clearTimeout(timer);
  }
}

/** @returns {Promise<Worker>} ready to be asked */
async function openThread() {
  const opened = new Worker(THREAD_URL, {
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  });
  await once(opened, 'message');
  return opened;
}

/** @returns {number} failures of all formats */
function printTallies() {
  const sum = { accepted: 0, refused: 0, failed: 0 };
  for (const [name, tally] of tallies) {
    printTally(name, tally);
    for (const outcome of /** @type {(keyof Tally)[]} */ (Object.keys(sum))) {
      sum[outcome] += tally[outcome];
    }
  }
  printTally('all', sum);
  return sum.failed;
}

/**
 * @param {string} name
 * @param {Tally} tally
 */
function printTally(name, { accepted, refused, failed }) {
  const tried = accepted + refused + failed;
  console.log(
    `${name}: ${tried} tried, ${accepted} accepted, ${refused} refused, ${failed} failed`,
  );
}
