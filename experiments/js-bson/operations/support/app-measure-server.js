import { watchUsage } from '../../../../harness/worker/measure-usage.js';
import { startLoad } from './app-load.js';
import { openPageServer } from './app-page-server.js';
import { makeRequestMeter } from './app-request-meter.js';

/** @import { MeasureSettings, Measurement } from '../../../../harness/formats/types.ts' */

/** As in the source: `autocannon -c 30`. */
const CONNECTIONS = 30;

/** A server is optimised and fed more slowly than a loop, so everything takes a multiple of what the
 * settings say of a loop. */
const WARM_UP_FACTOR = 12;
const MAX_WARM_UP_FACTOR = 4;
const BATCH_FACTOR = 6;

/**
 * Measures what CPU time this process spends on a request, its garbage collector and compiler
 * included, while another process keeps `CONNECTIONS` connections busy. A batch is a number of
 * requests that is fixed before the first batch.
 *
 * @param {() => string} makeBody of an answer
 * @param {object} options
 * @param {MeasureSettings} options.settings
 * @param {number} options.documentsPerRequest
 * @param {string} options.autocannonPath directory of the package
 * @returns {Promise<Measurement>} in which requests are counted as documents
 */
export async function measureServer(makeBody, { settings, documentsPerRequest, autocannonPath }) {
  const usage = watchUsage();
  const meter = makeRequestMeter({
    settings: scaleSettings(settings),
    documentsPerRequest,
    minRequestsPerBatch: CONNECTIONS,
    onWarm: usage.begin,
  });
  const server = await openPageServer(makeBody, {
    onAnswer: meter.countAnswer,
    onFailure: meter.fail,
  });
  const load = startLoad(server.url, { autocannonPath, connections: CONNECTIONS });
  try {
    const measured = await Promise.race([meter.done, load.failed]);
    const { used } = await usage.end();
    return { ...measured, ...used };
  } finally {
    await load.stop();
    await server.close();
  }
}

/**
 * @param {MeasureSettings} settings
 * @returns {MeasureSettings}
 */
function scaleSettings(settings) {
  return {
    ...settings,
    warmUpMs: settings.warmUpMs * WARM_UP_FACTOR,
    maxWarmUpMs: settings.maxWarmUpMs * MAX_WARM_UP_FACTOR,
    batchMs: settings.batchMs * BATCH_FACTOR,
  };
}
