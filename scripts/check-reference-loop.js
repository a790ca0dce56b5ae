/**
 * Does the reference loop notice what slows code down on this host? `node scripts/check-reference-loop.js [--for 15]`
 * times batches of bson's `serialize` and `deserialize` with a reading before and after each, for that many seconds, and
 * prints how the two go together. Run it under a new version of Node, on a host that is disturbed now and then.
 */
import { parseArgs } from 'node:util';
import { deserialize, serialize } from 'bson';
import { limitReadings } from '../harness/stats/interference.js';
import { takeQuantile } from '../harness/stats/robust.js';
import { makeReferenceLoop } from '../harness/worker/reference-loop.js';

const { values } = parseArgs({ options: { for: { type: 'string', default: '15' } } });

const CALLS_PER_BATCH = 100;
const WARM_UP_BATCHES = 20;

const list = Array.from({ length: 50 }, (_, index) => ({
  index,
  text: `word ${index}`,
  number: index * 1.5,
  isEven: index % 2 === 0,
}));
const bytes = serialize({ list });
/** @type {Record<string, () => unknown>} */
const calls = {
  serialize: () => serialize({ list }),
  deserialize: () => deserialize(bytes),
};

const readReference = makeReferenceLoop();
for (const call of Object.values(calls)) {
  for (let batch = 0; batch < WARM_UP_BATCHES; batch++) timeBatch(call);
}
/** @type {Record<string, { ms: number, readingNs: number }[]>} */
const batches = Object.fromEntries(Object.keys(calls).map((name) => [name, []]));
const endMs = performance.now() + Number(values.for) * 1000;
while (performance.now() < endMs) {
  for (const [name, call] of Object.entries(calls)) {
    const before = readReference();
    const ms = timeBatch(call);
    batches[name].push({ ms, readingNs: Math.max(before, readReference()) });
  }
}
console.log(`Node ${process.versions.node}`);
for (const [name, found] of Object.entries(batches)) console.log(describe(name, found));

/** @param {() => unknown} call  @returns {number} milliseconds */
function timeBatch(call) {
  const startMs = performance.now();
  for (let count = 0; count < CALLS_PER_BATCH; count++) call();
  return performance.now() - startMs;
}

/** @param {string} name  @param {{ ms: number, readingNs: number }[]} found  @returns {string} */
function describe(name, found) {
  const limit = limitReadings(pick(found, 'readingNs'));
  const kept = found.filter(({ readingNs }) => readingNs <= limit);
  const lost = found.filter(({ readingNs }) => readingNs > limit);
  const spread = quantileMs(kept, 0.9) / quantileMs(kept, 0.1);
  const together = correlate(
    pick(found, 'ms').map(Math.log),
    pick(found, 'readingNs').map(Math.log),
  );
  return [
    `${name}: correlation ${together.toFixed(2)}`,
    `${Math.round((100 * kept.length) / found.length)} % of ${found.length} batches kept`,
    `median ${quantileMs(kept, 0.5).toFixed(2)} ms, of those left out ${quantileMs(lost, 0.5).toFixed(2)} ms`,
    `90 % quantile of the kept ÷ 10 % quantile ${spread.toFixed(2)}`,
  ].join('; ');
}

/** @template {string} K  @param {Record<K, number>[]} found  @param {K} key */
function pick(found, key) {
  return found.map((one) => one[key]);
}

/** @param {{ ms: number }[]} found  @param {number} quantile */
function quantileMs(found, quantile) {
  return found.length === 0 ? NaN : takeQuantile(pick(found, 'ms'), quantile);
}

/** @param {number[]} xs  @param {number[]} ys  @returns {number} Pearson's */
function correlate(xs, ys) {
  const [meanX, meanY] = [xs, ys].map((all) => all.reduce((sum, one) => sum + one) / all.length);
  const sum = (/** @type {(index: number) => number} */ term) =>
    xs.reduce((total, _, index) => total + term(index), 0);
  const covariance = sum((index) => (xs[index] - meanX) * (ys[index] - meanY));
  const variances =
    sum((index) => (xs[index] - meanX) ** 2) * sum((index) => (ys[index] - meanY) ** 2);
  return covariance / Math.sqrt(variances);
}
