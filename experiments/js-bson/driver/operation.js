import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { splitBsonDocuments } from '../../../corpora/support/document-files.js';
import { nowMs, readCpuUsage } from '../../../harness/worker/clock.js';
import { watchUsage } from '../../../harness/worker/measure-usage.js';
import { describeValue } from '../../../harness/worker/describe-value.js';
import { explainTextDifference } from '../../support/explain-difference.js';
import { connect, loadDriver, startServer } from './client.js';

/** @import { Equipment, MeasureSettings, Measurement, Operation } from '../../../harness/formats/types.ts' */

/**
 * What the calls of an operation use.
 * @typedef {object} Context
 * @property {any} driver exports of the package `mongodb`
 * @property {any} db of this job alone
 * @property {any} collection
 * @property {any[]} documents of the corpus, as the variant reads them; each has an `_id`
 * @property {number} calls so far
 * @property {(wantsBody: boolean) => Promise<unknown>} get sends a request to the server of `http-find`, which sets it
 *
 * @typedef {object} State
 * @property {Context} context
 * @property {(context: Context) => Promise<unknown>} call
 * @property {(context: Context) => Promise<unknown>} reset
 */

const DRIVER_VERSION = '7.9.0';

/** The limits of the heap depend on the host and on the version of Node, unless they are given. */
const NODE_FLAGS = ['--max-semi-space-size=16', '--max-old-space-size=2048'];

/** The settings are for a loop; a client is optimized far more slowly, and a pair of them shares a core. */
const WARM_UP_FACTOR = 20;
const WARM_UP_CHUNKS = 4;
const SETTLED_SHARE = 0.1;
const BATCH_FACTOR = 20;

/**
 * Makes an operation of the MongoDB driver, with the variant as its package `bson`. The server runs in another
 * process: the replay server, or a mongod. What is measured is CPU time of the client's thread.
 * @param {object} description
 * @param {string} description.summary
 * @param {(context: Context) => Promise<unknown>} [description.start] default: stores the documents of the corpus
 * @param {(context: Context) => Promise<unknown>} description.call one operation
 * @param {(context: Context) => Promise<unknown>} [description.reset] deletes what calls have stored
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
    sharesCore: true,
    packages: { mongodb: DRIVER_VERSION },
    nodeFlags: NODE_FLAGS,
    servers: ['replay', 'mongod'],
    defaultCorpora: ['comments:100'],

    async prepare(module, corpus, equipment) {
      if (equipment?.packages.mongodb === undefined) {
        throw new Error('the operation was given no mongodb');
      }
      const driver = loadDriver(module, equipment.packages.mongodb);
      const client = await connect(driver, await findServer(equipment));
      // A server that runs already has data of others.
      const db = client.db(`assay-${randomUUID()}`);
      // A server that has ended in the meantime has nothing to drop.
      equipment.atEnd(() => db.dropDatabase().catch(doNothing));
      const documents = readDocuments(driver, readFileSync(corpus.files.bytes));
      const collection = db.collection('documents');
      const context = { driver, db, collection, documents, calls: 0, get: doNothing };
      await start(context);
      return { context, call, reset };
    },

    async run(state, passes) {
      for (let pass = 0; pass < passes; pass++) await callOnce(state);
      await reset(state.context);
    },

    measure: (state, { settings }) => measureCalls(state, settings),

    /** Returns what arrived in the application, then what is in the database, byte for byte. */
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

/** @type {(equipment: Equipment) => Promise<string>} connection string */
async function findServer({ server, atEnd }) {
  if (server?.address !== undefined) return server.address;
  const path = server?.path;
  const { uri, stop } = await (path === undefined
    ? startServer('replay-server')
    : startServer('mongod', [path]));
  atEnd(stop);
  return uri;
}

/** @type {(context: Context) => Promise<unknown>} */
export function storeDocuments({ collection, documents }) {
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
 * Measures CPU time per call in one long batch: what is wanted is the mean, collections and late
 * optimizations included. The times are fixed instead of the numbers of calls, so that the jobs of
 * a pair, which start together, measure at the same time.
 * @type {(state: State, settings: MeasureSettings) => Promise<Measurement>} of calls instead of documents
 */
async function measureCalls(state, { warmUpMs, batchCount, batchMs }) {
  const usage = watchUsage({ raisesPriority: false });
  const chunkMs = (warmUpMs * WARM_UP_FACTOR) / WARM_UP_CHUNKS;
  const chunks = [];
  while (chunks.length < WARM_UP_CHUNKS) chunks.push(await timeCalls(state, chunkMs));
  const [earlier, last] = chunks.slice(-2).map(({ cpuMs, calls }) => cpuMs / calls);
  usage.begin();
  const { cpuMs, calls } = await timeCalls(state, batchCount * batchMs * BATCH_FACTOR);
  const { used } = await usage.end();
  return {
    batchNsPerDocument: [(cpuMs * 1e6) / calls],
    documentsPerBatch: calls,
    warmUp: {
      ms: WARM_UP_CHUNKS * chunkMs,
      calls: chunks.reduce((sum, chunk) => sum + chunk.calls, 0),
      settled: Math.abs(last - earlier) <= SETTLED_SHARE * earlier,
    },
    ...used,
  };
}

const THREAD_STATISTICS = '/proc/thread-self/schedstat';
const hasThreadStatistics = existsSync(THREAD_STATISTICS);

/**
 * The CPU time of this thread where Linux reports it, otherwise that of the process. The threads that compile and
 * collect garbage beside it double the time of some batches; the pauses of collections are in it.
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

/** @type {(state: State, ms: number) => Promise<{ calls: number, cpuMs: number }>} */
async function timeCalls(state, ms) {
  const endMs = nowMs() + ms;
  const startCpuMs = await readCpuMs();
  let calls = 0;
  do {
    await callOnce(state);
    calls++;
  } while (nowMs() < endMs);
  const cpuMs = (await readCpuMs()) - startCpuMs;
  await state.reset(state.context);
  return { calls, cpuMs };
}
