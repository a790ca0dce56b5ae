/**
 * A process that stands for hosts of a fleet: it takes blocks from a real broker and answers with simulated
 * observations at once. Its parent sends what to do, and gets what was done.
 */
import { createHash } from 'node:crypto';
import { FORMAT_VERSION } from '../../harness/formats/format-version.js';
import { openBroker } from '../../harness/studies/fleet/broker.js';
import { drawNormal } from '../../harness/studies/simulation/noise.js';
import { seedGenerator } from '../../harness/stats/random.js';

/** @import { Observation, PlannedJob } from '../../harness/formats/types.ts' */
/** @import { Broker } from '../../harness/studies/fleet/broker.js' */

/**
 * @typedef {object} HostOrder
 * @property {string} url
 * @property {string[]} names of the hosts, each with a connection of its own
 *
 * @typedef {{ connectedMs: number } | { answered: number }} HostNews time that all connections took, and blocks so far
 */

/** As `compare` measures. */
const BATCHES = 12;
const USUAL_NS = 20_000;
const LOOP_NS = 75_000;
/** Standard deviation of the figures of processes, log scale. */
const SPREAD = 0.04;
/** How long a host waits for a block, as in `fleet work`. */
const WAIT_MS = 2_000;
/** Of a run that the broker does not have. */
const ANY_DIGEST = `sha256:${'0'.repeat(64)}`;

process.once('message', (/** @type {HostOrder} */ order) => answerBlocks(order));

/** @param {HostOrder} order */
async function answerBlocks({ url, names }) {
  const startMs = performance.now();
  /** @type {{ host: string, broker: Broker }[]} */
  const hosts = [];
  for (const host of names)
    hosts.push({
      host,
      broker: await openBroker(url, { environment: {}, workingPath: '.' }, () => {}),
    });
  tell({ connectedMs: performance.now() - startMs });
  let answered = 0;
  await Promise.all(hosts.map((each) => work(each, () => tell({ answered: ++answered }))));
}

/** @param {HostNews} news */
function tell(news) {
  process.send?.(news);
}

/** @param {string} problem with a block */
function refuse(problem) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}

/**
 * @param {{ host: string, broker: Broker }} own
 * @param {() => void} onAnswer
 */
async function work({ host, broker }, onAnswer) {
  /** @type {Map<string, Record<string, string>>} */
  const digests = new Map();
  for (;;) {
    const taken = await broker.takeBlock(WAIT_MS, refuse).catch(() => null);
    if (taken === null) continue;
    const { fleetId, blockId, pass, jobs } = taken.block;
    if (pass !== 'timing') return refuse(`a block of ${pass}`);
    if (!digests.has(fleetId)) {
      const run = await broker.getRun(fleetId);
      digests.set(fleetId, typeof run === 'string' ? {} : run.expectedDigests);
    }
    const expected = digests.get(fleetId) ?? {};
    const observations = jobs.map((job, index) => simulate(job, index, expected));
    const common = { formatVersion: FORMAT_VERSION, fleetId, host, blockId };
    await broker.answer({ kind: 'result', ...common, observations, wallMs: jobs.length });
    taken.done();
    onAnswer();
  }
}

/**
 * @param {PlannedJob} job
 * @param {number} index in its block
 * @param {Record<string, string>} digests of outputs
 * @returns {Observation} of the size of a real one, the same whoever measures the job; all variants are alike
 */
function simulate({ id, cellId, arm, block, position }, index, digests) {
  const random = seedGenerator(createHash('sha256').update(id).digest().readInt32LE());
  const figure = USUAL_NS * Math.exp(SPREAD * drawNormal(random));
  const draw = (/** @type {number} */ mean) =>
    Math.round(10 * mean * (1 + 0.01 * Math.abs(drawNormal(random)))) / 10;
  const drawAll = (/** @type {number} */ count, /** @type {number} */ mean) =>
    Array.from({ length: count }, () => draw(mean));
  return {
    formatVersion: FORMAT_VERSION,
    ...{ id, cellId, arm, block, position },
    attempt: 1,
    startedAtMs: index,
    workerMs: draw(350),
    outcome: 'done',
    outputDigest: digests[cellId] ?? ANY_DIGEST,
    measurement: {
      batchNsPerDocument: drawAll(BATCHES, figure),
      documentsPerBatch: 250,
      batchGcMs: drawAll(BATCHES, 0.2),
      referenceLoopNs: drawAll(BATCHES + 1, LOOP_NS),
      warmUp: { ms: draw(150), calls: 4_000, settled: true },
      cpuUserMs: draw(60),
      cpuSystemMs: draw(1),
      wallMs: draw(60),
      gcCount: 0,
      gcMs: 0,
      voluntaryContextSwitches: 10,
      involuntaryContextSwitches: 10,
      autogroupRaised: true,
      residentBytes: 60_000_000,
    },
  };
}
