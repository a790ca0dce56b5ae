/**
 * Damages files of every format that Assay reads, and reads them, until the time is up:
 * `node scripts/fuzz-formats.js --for 5m --seed 1`. Prints counts by format, and each failure with its seed;
 * `--format 'v8.log of V8' --seed SEED --count 1` repeats it. The exit status is 1 after a failure. The samples
 * and their readers are in `harness/testing/formats/files.js`.
 */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { Worker, isMainThread, parentPort } from 'node:worker_threads';
import { duration } from '../harness/cli/options.js';
import { FILE_FORMATS, tryDamaged } from '../harness/testing/formats/fuzz.js';

/** @import { Attempt } from '../harness/testing/formats/fuzz.js' */
/** @typedef {Record<Attempt['outcome'], number>} Tally */

const MOST_MEMORY_MB = 1024;
const MOST_MS = 20_000;
/** Consecutive attempts on one format. */
const TURN = 20;
const SLOW_TURN = 5;

if (isMainThread) await fuzz();
else answerMainThread();

/** Reads in a thread, which has a memory limit and can be terminated if a reader hangs. */
function answerMainThread() {
  parentPort?.on('message', async ({ index, seed }) => {
    parentPort?.postMessage(await tryDamaged(FILE_FORMATS[index], seed));
  });
  parentPort?.postMessage('ready');
}

async function fuzz() {
  const { values } = parseArgs({
    options: {
      for: { type: 'string', default: '5m' },
      seed: { type: 'string', default: '1' },
      count: { type: 'string', default: 'Infinity' },
      format: { type: 'string' },
    },
  });
  const chosen = [...FILE_FORMATS.entries()].filter(
    ([, { name }]) => values.format === undefined || name === values.format,
  );
  if (chosen.length === 0) {
    const names = FILE_FORMATS.map(({ name }) => name).join(', ');
    console.error(`no format '${values.format}'; there are ${names}`);
    process.exit(2);
  }

  const endMs = performance.now() + duration(values.for) * 1_000;
  const firstSeed = Number(values.seed);
  const endSeed = firstSeed + Number(values.count);
  const tallies = chosen.map(() => ({ accepted: 0, refused: 0, failed: 0 }));
  let thread = await openThread();
  for (let turn = firstSeed; turn < endSeed && performance.now() < endMs; turn += TURN) {
    for (const [place, [index, { name, directory }]] of chosen.entries()) {
      const last = Math.min(endSeed, turn + (directory.isSlow === true ? SLOW_TURN : TURN));
      for (let seed = turn; seed < last && performance.now() < endMs; seed++) {
        const { outcome, problem } = await ask(thread, { index, seed });
        tallies[place][outcome]++;
        if (problem !== null) console.log(`FAILED ${name}, seed ${seed}: ${problem}`);
        if (outcome !== 'failed') continue;
        await thread.terminate();
        thread = await openThread();
      }
    }
  }
  await thread.terminate();
  chosen.forEach(([, { name }], place) => printTally(name, tallies[place]));
  const sum = { accepted: 0, refused: 0, failed: 0 };
  for (const tally of tallies) {
    for (const outcome of /** @type {Attempt['outcome'][]} */ (Object.keys(sum))) {
      sum[outcome] += tally[outcome];
    }
  }
  printTally('all', sum);
  process.exitCode = sum.failed === 0 ? 0 : 1;
}

/** @returns {Promise<Worker>} ready for requests */
async function openThread() {
  const opened = new Worker(new URL(import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  });
  await once(opened, 'message');
  return opened;
}

/** @type {(thread: Worker, question: { index: number, seed: number }) => Promise<Attempt>} */
async function ask(thread, question) {
  const signal = AbortSignal.timeout(MOST_MS);
  try {
    thread.postMessage(question);
    // Rejects on an error of the thread, such as out of memory.
    const [answer] = await once(thread, 'message', { signal });
    return answer;
  } catch (error) {
    const problem = signal.aborted ? `no result after ${MOST_MS / 1000} s` : String(error);
    return { outcome: 'failed', problem };
  }
}

/** @param {string} name  @param {Tally} tally */
function printTally(name, { accepted, refused, failed }) {
  const tried = accepted + refused + failed;
  console.log(
    `${name}: ${tried} tried, ${accepted} accepted, ${refused} refused, ${failed} failed`,
  );
}
