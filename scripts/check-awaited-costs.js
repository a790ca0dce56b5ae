/**
 * Does a comparison of asynchronous calls find what they cost? `node scripts/check-awaited-costs.js [--budget 60]
 * [--processes 12] [--only hop,turn]` compares calls with the same calls and a known cost more: arithmetic, a promise that is
 * awaited, a turn of the event loop, a chunk of an async iterable, work of another thread, a timer of a millisecond, some
 * with eight calls in flight, too. What each cost is comes from other processes, which alternate between both calls without
 * the harness. Decision 0055 has the figures.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { formatInterval, formatRatio, formatTime } from '../harness/lib/numbers.js';
import { estimateMean, meanOf, studentInterval, toRatios } from '../harness/stats/means.js';
import { seedGenerator, shuffle } from '../harness/stats/random.js';
import { takeMedian } from '../harness/stats/robust.js';
import { USUAL } from '../harness/stats/usual.js';
import { NONE, openCall } from '../harness/testing/known-costs/awaited/variants/costs.js';

/** @import { Verdict } from '../harness/formats/types.ts' */

const SCRIPT_PATH = fileURLToPath(import.meta.url);
const ASSAY_PATH = fileURLToPath(new URL('../harness/assay.js', import.meta.url));
const FAMILIES_PATH = fileURLToPath(new URL('../harness/testing/known-costs', import.meta.url));

/** @import { Call, Costs } from '../harness/testing/known-costs/awaited/variants/costs.js' */
/** @typedef {{ base: Partial<Costs>, more: Partial<Costs>, concurrency?: number }} KnownCost `more`: what differs in the candidate */

/** @type {Record<string, KnownCost>} */
const KNOWN = {
  none: { base: {}, more: {} },
  work: { base: { rounds: 5_000 }, more: { rounds: 5_250 } },
  hop: { base: { rounds: 2_000, hops: 4 }, more: { hops: 5 } },
  turn: { base: { rounds: 5_000, turns: 10 }, more: { turns: 11 } },
  chunk: { base: { chunks: 20 }, more: { chunks: 22 } },
  pool: { base: { iterations: 1_000 }, more: { iterations: 1_100 } },
  timer: { base: { timers: 4 }, more: { timers: 5 } },
  'timer-of-8': { base: { timers: 4 }, more: { timers: 5 }, concurrency: 8 },
  'work-of-8': {
    base: { rounds: 5_000, hops: 4 },
    more: { rounds: 5_250 },
    concurrency: 8,
  },
};

/** Batches of each of the two calls in a process that alternates, and how long one takes, if a call is shorter. */
const TURNS = 60;
const BATCH_MS = 3;
const WARM_UP_MS = 400;
const MIN_ROUNDS = 2;

const run = promisify(execFile);
const { values } = parseArgs({
  options: {
    budget: { type: 'string', default: '60' },
    processes: { type: 'string', default: '12' },
    only: { type: 'string' },
    /** Of a process that alternates: which cost, and the seed. */
    alternate: { type: 'string' },
    seed: { type: 'string', default: '0' },
  },
});

if (values.alternate !== undefined) {
  console.log(JSON.stringify(await alternate(KNOWN[values.alternate], Number(values.seed))));
} else {
  const names = values.only === undefined ? Object.keys(KNOWN) : values.only.split(',');
  for (const name of names) console.log(await check(name));
}

/**
 * Compares both calls, and lets processes alternate between them before and after that.
 *
 * @param {string} name
 * @returns {Promise<string>} a line
 */
async function check(name) {
  const half = Math.ceil(Number(values.processes) / 2);
  const before = await listTruths(name, { from: 0, to: half });
  const { cells } = await compare(KNOWN[name]);
  const truths = [...before, ...(await listTruths(name, { from: half, to: 2 * half }))];
  const logs = truths.map(({ baseNs, costNs }) => Math.log1p(costNs / baseNs));
  const known = toRatios(studentInterval(estimateMean(logs), USUAL.alpha));
  const [{ effect, verdict, control, processes, baselineNs }] = cells;
  const found = effect?.ratio ?? null;
  const covers = found !== null && found.low <= known.estimate && known.estimate <= found.high;
  const ns = (/** @type {'baseNs' | 'costNs'} */ key) => meanOf(truths.map((truth) => truth[key]));
  return [
    `${name}: ${formatTime(ns('costNs'))} on ${formatTime(ns('baseNs'))} (with the harness ${formatTime(baselineNs)})`,
    `known ${formatRatio(known.estimate)} (${formatInterval(known)})`,
    `found ${formatRatio(found?.estimate)} (${formatInterval(found)}), ${verdict}`,
    found === null ? 'too few figures' : covers ? 'covers the known' : 'MISSES the known',
    `control ${formatRatio(control?.ratio.estimate)} (${formatInterval(control?.ratio ?? null)})`,
    `${processes.candidate} processes of the candidate`,
  ].join('; ');
}

/** @type {(cost: KnownCost) => Promise<Verdict>} by a comparison in a project of its own */
async function compare({ base, more, concurrency = 1 }) {
  const path = mkdtempSync(join(tmpdir(), 'awaited-costs-'));
  try {
    writeFileSync(join(path, 'package.json'), '{ "type": "module" }');
    const config = `export default { directories: ${JSON.stringify([FAMILIES_PATH])} };`;
    writeFileSync(join(path, 'assay.config.js'), config);
    const control = Object.keys(more).length === 0;
    const specs = [
      nameVariant(base),
      control ? nameVariant(base) : nameVariant({ ...base, ...more }),
    ];
    const options = ['--budget', values.budget, '--concurrency', String(concurrency)];
    const rest = [
      '--mei',
      '1',
      '--placements',
      '0',
      '--explain',
      'none',
      '--format',
      'json',
      '--wait',
    ];
    const { stdout } = await run(
      process.execPath,
      [ASSAY_PATH, 'compare', ...specs, '--family', 'awaited', ...options, ...rest, '--quiet'],
      // just, if it runs this, has set it to the directory in which it was called.
      { cwd: path, env: { ...process.env, ASSAY_INVOCATION_DIRECTORY: path }, maxBuffer: 2 ** 26 },
    );
    return JSON.parse(stdout);
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

/** @param {Partial<Costs>} costs */
function nameVariant(costs) {
  return ['costs', ...Object.entries(costs).map(([axis, value]) => `${axis}=${value}`)].join('+');
}

/**
 * @typedef {{ baseNs: number, costNs: number }} Truth time of a document without the cost, and the cost
 *
 * @param {string} name
 * @param {{ from: number, to: number }} seeds
 * @returns {Promise<Truth[]>} of each process
 */
async function listTruths(name, { from, to }) {
  const truths = [];
  for (let seed = from; seed < to; seed++) {
    const args = [SCRIPT_PATH, '--alternate', name, '--seed', String(seed)];
    truths.push(JSON.parse((await run(process.execPath, args)).stdout));
  }
  return truths;
}

/**
 * Alternates between batches of both calls, in random order.
 *
 * @param {KnownCost} cost
 * @param {number} seed
 * @returns {Promise<Truth>}
 */
async function alternate({ base, more, concurrency = 1 }, seed) {
  const calls = [base, { ...base, ...more }].map((costs) => openCall({ ...NONE, ...costs }));
  const endMs = performance.now() + WARM_UP_MS;
  let rounds = MIN_ROUNDS;
  while (performance.now() < endMs) {
    const ms = await timeCalls(calls[0], rounds * concurrency, concurrency);
    await timeCalls(calls[1], rounds * concurrency, concurrency);
    rounds = Math.max(MIN_ROUNDS, Math.min(4 * rounds, Math.round((rounds * BATCH_MS) / ms)));
  }
  const count = rounds * concurrency;
  const random = seedGenerator(seed);
  const baseNs = [];
  const costNs = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const ns = [0, 0];
    for (const which of shuffle([0, 1], random)) {
      ns[which] = ((await timeCalls(calls[which], count, concurrency)) * 1e6) / count;
    }
    baseNs.push(ns[0]);
    costNs.push(ns[1] - ns[0]);
  }
  return { baseNs: takeMedian(baseNs), costNs: takeMedian(costNs) };
}

/** @type {(call: Call, count: number, concurrency: number) => Promise<number>} milliseconds */
async function timeCalls(call, count, concurrency) {
  let left = count;
  let length = 0;
  async function callOnAndOn() {
    while (left > 0) {
      const made = call(left--);
      if (made instanceof Promise) {
        const { length: added } = await made;
        length += added;
      } else {
        for await (const chunk of made) length += chunk.length;
      }
    }
  }
  const startMs = performance.now();
  await Promise.all(Array.from({ length: concurrency }, callOnAndOn));
  if (length < count) throw new Error('a call gave nothing');
  return performance.now() - startMs;
}
