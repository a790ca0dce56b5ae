/**
 * What a standing fleet takes: `just simulate-fleet`. Measures a nats-server on this machine with small blocks, which
 * go through the module of the real submitter and hosts, and forecasts from these figures a day of a large fleet.
 * With `--run 100000`, one real comparison also gets so many results of simulated hosts. Nothing is timed that a
 * variant does. The parts are in `scripts/fleet/`.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { AssayError, UsageError } from '../harness/lib/errors.js';
import { padToWidth } from '../harness/lib/columns.js';
import { formatCount, formatDuration, formatRoughShare } from '../harness/lib/numbers.js';
import { KEPT_MS, PATIENCE_MS } from '../harness/studies/fleet/broker.js';
import { forecast } from './fleet/forecast.js';
import { measureBroker } from './fleet/measure.js';
import { measureRun } from './fleet/run.js';

/** @import { Assumptions, Forecast } from './fleet/forecast.js' */
/** @import { BrokerFigures } from './fleet/measure.js' */
/** @import { RunFigures } from './fleet/run.js' */

/** Numbers, with what they are by default. */
const NUMBERS = {
  hosts: ['1000', 'hosts'],
  comparisons: ['10000', 'comparisons a day'],
  observations: ['10000000', 'observations a day'],
  hours: ['8', 'hours of the day in which comparisons start'],
  job: ['0.4', 'seconds of a job'],
  setup: ['2', 'seconds of a host before its first block of a run'],
  judge: ['1', 'seconds of the submitter after each look'],
  'round-trip': ['1', 'milliseconds between submitter and broker'],
  price: ['0.1', 'of an hour of a host, in any currency'],
  disk: ['100', 'GB of the broker'],
  memory: ['4', 'GB of the broker'],
  seed: ['1', 'of the simulation'],
  blocks: ['12500', 'blocks to measure the broker with'],
  processes: ['3', 'processes that answer them at the same time'],
  run: ['0', 'observations of one real comparison, 0 for none'],
};
/** Those that are whole, and those that may be zero. */
const COUNTS = ['hosts', 'comparisons', 'observations', 'seed', 'blocks', 'processes', 'run'];
const ZEROS = ['setup', 'judge', 'round-trip', 'price', 'seed', 'run'];
/** Blocks of a run while the broker is measured. */
const BLOCKS_PER_RUN = 125;
/** Hosts that answer for the one comparison. */
const RUN_HOSTS = 20;
const DAY_MS = 24 * 3600 * 1000;
const USAGE = [
  'Usage: just simulate-fleet [--json] [--from FILE] [--NAME NUMBER]...',
  '  --from FILE     take the figures of the broker from an earlier --json instead of measuring',
  ...Object.entries(NUMBERS).map(
    ([name, [usual, summary]]) => `  --${padToWidth(name, 14, 'left')}${summary} (${usual})`,
  ),
].join('\n');

try {
  await main();
} catch (error) {
  if (!(error instanceof AssayError)) throw error;
  console.error(`error: ${error.message}\n  ${error.remedy}`);
  process.exitCode = error.exitStatus;
}

async function main() {
  const { json, from, help, numbers } = readOptions();
  if (help) {
    console.log(USAGE);
    return;
  }
  const { hosts, blocks, processes } = numbers;
  const broker =
    from === undefined
      ? await measureBroker({ blocks, blocksPerRun: BLOCKS_PER_RUN, processes, hosts })
      : readFigures(from);
  const assumed = assume(numbers);
  const forecasted = forecast(assumed, broker);
  const amounts = { observations: numbers.run, processes: 2, hosts: RUN_HOSTS };
  const run = numbers.run === 0 ? null : await measureRun(amounts);
  if (json) {
    console.log(JSON.stringify({ broker, assumed, forecast: forecasted, run }, null, 2));
    return;
  }
  if (from === undefined) printTable('Measured: the broker on this machine', listBroker(broker));
  printTable('Forecast: a day', listDay(assumed, forecasted));
  printTable('What breaks first, if everything grows alike', listLimits(forecasted));
  if (run !== null) printTable('Measured: one comparison', listRun(run));
}

/** @throws {UsageError} for what is no option, or no number */
function readOptions() {
  try {
    const names = Object.entries(NUMBERS);
    const { values } = parseArgs({
      options: {
        ...Object.fromEntries(
          names.map(([name, [usual]]) => [name, { type: 'string', default: usual }]),
        ),
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
        from: { type: 'string' },
      },
    });
    const numbers = /** @type {Record<string, number>} */ ({});
    const given = /** @type {Record<string, unknown>} */ (values);
    for (const [name, [, summary]] of names) numbers[name] = readNumber(name, given[name], summary);
    return { json: values.json, help: values.help, from: values.from, numbers };
  } catch (error) {
    if (error instanceof AssayError) throw error;
    throw new UsageError(/** @type {Error} */ (error).message, { remedy: 'see --help' });
  }
}

/** @type {(name: string, text: unknown, summary: string) => number} */
function readNumber(name, text, summary) {
  const number = Number(text);
  const isCount = COUNTS.includes(name);
  const isEnough = ZEROS.includes(name) ? number >= 0 : number > 0;
  if (isEnough && number <= 1e9 && (!isCount || Number.isInteger(number))) return number;
  throw new UsageError(`--${name}: '${text}' is no number of ${summary}`, { remedy: 'see --help' });
}

/** @param {string} file @returns {BrokerFigures} */
function readFigures(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).broker;
  } catch (cause) {
    throw new UsageError(`'${file}' is not from --json: ${/** @type {Error} */ (cause).message}`, {
      remedy: 'write it with: just simulate-fleet --json >FILE',
    });
  }
}

/** @type {(numbers: Record<string, number>) => Assumptions} */
function assume({ hosts, comparisons, observations, hours, price, seed, ...numbers }) {
  return {
    ...{ hosts, comparisons, observations, hours, price, seed },
    jobSeconds: numbers.job,
    setupSeconds: numbers.setup,
    judgeSeconds: numbers.judge,
    roundTripSeconds: numbers['round-trip'] / 1000,
    diskBytes: numbers.disk * 1e9,
    memoryBytes: numbers.memory * 1e9,
    keptDays: KEPT_MS / DAY_MS,
    patienceSeconds: PATIENCE_MS / 1000,
  };
}

/** @param {string} title  @param {string[][]} rows of texts */
function printTable(title, rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map((row) =>
    row
      .map((text, column) => padToWidth(text, widths[column], column === 0 ? 'left' : 'right'))
      .join('   ')
      .trimEnd(),
  );
  console.log(`${title}\n${lines.map((line) => `  ${line}`).join('\n')}\n`);
}

/** @type {(figures: BrokerFigures) => string[][]} */
function listBroker({ idle, ...figures }) {
  return [
    ['blocks, of 8 observations each', formatCount(figures.blocks)],
    ['submitted by one process', `${formatCount(figures.submitsPerSecond)} blocks/s`],
    [
      `taken, answered and acknowledged by ${figures.processes} processes`,
      `${formatCount(figures.answersPerSecond)} blocks/s`,
    ],
    ['CPU time of the broker', `${(1000 * figures.cpuSecondsPerBlock).toFixed(2)} ms a block`],
    ['stored until it is answered', `${formatCount(figures.waitingBytesPerBlock)} bytes a block`],
    ['stored of a result', `${formatCount(figures.bytesPerObservation)} bytes an observation`],
    ['first answer of a run, among all results', formatSeconds(figures.listenSeconds)],
    ['start after SIGKILL', formatSeconds(figures.recoverySeconds)],
    ['most resident memory', formatMegabytes(figures.residentBytes)],
    [`that with ${formatCount(idle.hosts)} idle hosts`, formatMegabytes(idle.residentBytes)],
    ['processor for these', `${formatRoughShare(idle.cpuShare)} of a core`],
    ['until all of them were connected', formatSeconds(idle.connectSeconds)],
  ];
}

/** @type {(assumed: Assumptions, forecasted: Forecast) => string[][]} */
function listDay(assumed, { day, ...figures }) {
  const { verdictSeconds } = day;
  return [
    ['hosts', formatCount(assumed.hosts)],
    ['comparisons', formatCount(day.comparisons)],
    ['observations', formatCount(8 * day.blocks)],
    [`hosts busy, in ${assumed.hours} hours`, formatRoughShare(day.busyShare)],
    ['of that, preparing for a run', formatRoughShare(day.setupShare)],
    ['most blocks that waited', formatCount(day.mostWaiting)],
    ['most blocks a second, over a minute', (day.mostBlocksPerMinute / 60).toFixed(1)],
    ['time to verdict, mean', formatSeconds(verdictSeconds.mean)],
    ['  of the slowest 5 %, at least', formatSeconds(verdictSeconds.slow)],
    ['  of the slowest', formatSeconds(verdictSeconds.slowest)],
    ['  mean where nothing else is measured', formatSeconds(figures.aloneSeconds)],
    [`results stored for ${assumed.keptDays} days`, formatGigabytes(figures.storedBytes)],
    ['a comparison costs, hosts always on', figures.costPerComparison.toFixed(3)],
    ['  hosts paid while they work', figures.busyCostPerComparison.toFixed(3)],
  ];
}

/** @type {(forecasted: Forecast) => string[][]} */
function listLimits({ limits }) {
  return [
    ['', 'used', 'limit', 'grows by'],
    ...limits.map(({ name, used, most, unit, factor }) => [
      `${name}, ${unit}`,
      used.toPrecision(3),
      String(most),
      `${factor.toFixed(1)} times`,
    ]),
  ];
}

/** @type {(figures: RunFigures) => string[][]} */
function listRun({ residentBytes, bytes, ...figures }) {
  return [
    ['observations, each of another job', formatCount(figures.observations)],
    ['hosts', formatCount(figures.hosts)],
    ['whole comparison', formatSeconds(figures.wallSeconds)],
    ['from the last result to the verdict and all reports', formatSeconds(figures.verdictSeconds)],
    ['just report', formatSeconds(figures.reportSeconds)],
    ['most resident memory: broker', formatMegabytes(residentBytes.broker)],
    ['  submitter', formatMegabytes(residentBytes.submitter)],
    ['  just report', formatMegabytes(residentBytes.report)],
    ['stored by the broker', formatMegabytes(bytes.stored)],
    ['journal', formatMegabytes(bytes.journal)],
    ['page of the report', formatMegabytes(bytes.page)],
  ];
}

/** @param {number} seconds */
function formatSeconds(seconds) {
  return formatDuration(1000 * seconds);
}

/** @param {number} bytes */
function formatMegabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** @param {number} bytes */
function formatGigabytes(bytes) {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
