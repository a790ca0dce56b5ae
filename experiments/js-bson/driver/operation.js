import { existsSync, readFileSync } from 'node:fs';
import { splitBsonDocuments } from '../../../corpora/support/document-files.js';
import { setTimeout as delay } from 'node:timers/promises';
import { nowMs, readCpuUsage } from '../../../harness/worker/clock.js';
import { sumDurations } from '../../../harness/worker/measure-operation.js';
import { watchUsage } from '../../../harness/worker/measure-usage.js';
import { WarmUp } from '../../../harness/worker/measure-warm-up.js';
import { makeReferenceLoop } from '../../../harness/worker/reference-loop.js';
import { describeValue } from '../../support/describe-value.js';
import { explainTextDifference } from '../../support/explain-difference.js';
import { connect, loadDriver, startServer } from './client.js';

/** @import { MeasureSettings, Measurement, Operation } from '../../../harness/formats/types.ts' */

/**
 * What the calls of an operation use.
 *
 * @typedef {object} Context
 * @property {any} driver exports of the package `mongodb`
 * @property {any} db
 * @property {any} collection
 * @property {any[]} documents of the corpus, as the variant reads them; each has an `_id`
 * @property {number} calls so far
 *
 * @typedef {object} State
 * @property {Context} context
 * @property {(context: Context) => Promise<unknown>} call
 * @property {(context: Context) => Promise<unknown>} reset
 */

const DRIVER_VERSION = '7.9.0';

/** The settings are for a loop. A client is optimized more slowly and waits for replies. */
const WARM_UP_FACTOR = 10;
const MAX_WARM_UP_FACTOR = 5;
const BATCH_FACTOR = 4;
const CHUNK_MS = 60;

/**
 * Makes an operation of the MongoDB driver, with the variant as its package `bson`. The server runs in another
 * process; what is measured is CPU time of the client, which is stable where the time until a reply is not.
 *
 * @param {object} description
 * @param {string} description.summary
 * @param {(context: Context) => Promise<unknown>} [description.start] default: stores the documents of the corpus
 * @param {(context: Context) => Promise<unknown>} description.call one operation
 * @param {(context: Context) => Promise<unknown>} [description.reset] deletes what calls have stored, between batches
 * @param {(context: Context) => Promise<unknown[]>} [description.observe] what arrives in the application, for the gate
 * @returns {Operation<State>}
 */
export function makeDriverOperation({
  summary,
  start = storeDocuments,
  call,
  reset = doNothing,
  observe = async (context) => [await call(context)],
}) {
  return {
    summary,
    figure: 'CPU time of the client thread per operation',
    packages: { mongodb: DRIVER_VERSION },
    defaultCorpora: ['comments:100'],

    async prepare(module, corpus, packages = {}) {
      if (packages.mongodb === undefined) throw new Error('the operation was given no mongodb');
      const driver = loadDriver(module, packages.mongodb);
      const client = await connect(driver, await startServer('replay-server'));
      const db = client.db('assay');
      const documents = readDocuments(driver, readFileSync(corpus.files.bytes));
      const collection = db.collection('documents');
      const context = { driver, db, collection, documents, calls: 0 };
      await start(context);
      return { context, call, reset };
    },

    async run(state, passes) {
      for (let pass = 0; pass < passes; pass++) await callOnce(state);
      await reset(state.context);
    },

    measure: (state, { settings }) => measureCalls(state, settings),

    /** What arrived in the application, then what is in the database, byte for byte. */
    async output({ context }) {
      const { collection } = context;
      context.calls = 0;
      const arrived = await observe(context);
      const raw = await collection.find({}, { raw: true }).sort({ _id: 1 }).toArray();
      await reset(context);
      return [...arrived.map((value) => Buffer.from(describeValue(value))), ...raw];
    },

    async explainDifference(expected, found) {
      return explainTextDifference(expected, found);
    },
  };
}

/** @type {(context: Context) => Promise<unknown>} */
function storeDocuments({ collection, documents }) {
  return collection.insertMany(documents);
}

async function doNothing() {}

/** Parts of an operation that inserts documents. */
export const INSERTING = {
  start: doNothing,
  /** @param {Context} context */
  reset: ({ collection }) => collection.drop(),
};

/** @type {(driver: any, file: Buffer) => any[]} with an `_id` each, the same for every variant */
function readDocuments(driver, file) {
  return [...splitBsonDocuments(file)].map((bytes, index) => {
    const document = driver.BSON.deserialize(bytes);
    return '_id' in document ? document : { _id: index, ...document };
  });
}

/** @type {(state: State) => Promise<unknown>} */
function callOnce({ context, call }) {
  context.calls++;
  return call(context);
}

/**
 * Measures CPU time per call.
 *
 * @param {State} state
 * @param {MeasureSettings} given
 * @returns {Promise<Measurement>} of calls instead of documents
 */
async function measureCalls(state, given) {
  const settings = {
    ...given,
    warmUpMs: given.warmUpMs * WARM_UP_FACTOR,
    maxWarmUpMs: given.maxWarmUpMs * MAX_WARM_UP_FACTOR,
    warmUpCalls: 0,
  };
  const usage = watchUsage();
  const timeReferenceLoop = makeReferenceLoop();
  const warmUp = new WarmUp(settings, { documents: 1, chunkMs: CHUNK_MS });
  while (!warmUp.isDone) {
    const chunk = await timeCalls(state, warmUp.nextPasses);
    warmUp.addChunk(chunk.wallMs, chunk.cpuMs);
  }
  const calls = warmUp.passesIn(settings.batchMs * BATCH_FACTOR);
  const batches = [];
  usage.begin();
  const referenceLoopNs = [timeReferenceLoop()];
  for (let batch = 0; batch < settings.batchCount; batch++) {
    batches.push(await timeCalls(state, calls));
    referenceLoopNs.push(timeReferenceLoop());
  }
  const { collected, used } = await usage.end();
  return {
    batchNsPerDocument: batches.map(({ cpuMs }) => (cpuMs * 1e6) / calls),
    documentsPerBatch: calls,
    batchGcMs: batches.map(({ startMs, wallMs }) =>
      sumDurations(collected, startMs, startMs + wallMs),
    ),
    referenceLoopNs,
    warmUp: warmUp.describe(),
    ...used,
  };
}

const THREAD_STATISTICS = '/proc/thread-self/schedstat';
const hasThreadStatistics = existsSync(THREAD_STATISTICS);

/**
 * The CPU time of this thread where Linux reports it, otherwise that of the process. The threads that compile and
 * collect garbage beside it double the time of some batches; the pauses of collections are in it.
 *
 * @returns {Promise<number>} milliseconds so far
 */
async function readCpuMs() {
  // Linux counts up to the latest switch.
  await delay(1);
  if (hasThreadStatistics) {
    return Number(readFileSync(THREAD_STATISTICS, 'utf8').split(' ')[0]) / 1e6;
  }
  const { user, system } = readCpuUsage();
  return (user + system) / 1e3;
}

/** @type {(state: State, calls: number) => Promise<{ startMs: number, wallMs: number, cpuMs: number }>} */
async function timeCalls(state, calls) {
  const startMs = nowMs();
  const startCpuMs = await readCpuMs();
  for (let call = 0; call < calls; call++) await callOnce(state);
  const cpuMs = (await readCpuMs()) - startCpuMs;
  const wallMs = nowMs() - startMs;
  await state.reset(state.context);
  return { startMs, wallMs, cpuMs };
}
