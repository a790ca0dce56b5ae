import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Time limit for the load; a job takes far less. */
const MAX_SECONDS = 25;
/** Characters of output to keep, from the end. */
const MAX_LOG_CHARACTERS = 2_000;

/**
 * A process that sends requests.
 *
 * @typedef {object} Load
 * @property {Promise<never>} failed rejects when the process ends by itself
 * @property {() => Promise<void>} stop ends it
 */

/**
 * Starts autocannon in a separate process: each connection sends its next request after the
 * response to the last one.
 *
 * @param {string} url
 * @param {{ autocannonPath: string, connections: number }} options `autocannonPath`: directory of
 *   the package
 * @returns {Load}
 */
export function startLoad(url, { autocannonPath, connections }) {
  const child = spawn(
    process.execPath,
    [
      join(autocannonPath, 'autocannon.js'),
      ...['--connections', String(connections)],
      ...['--duration', String(MAX_SECONDS)],
      '--no-progress',
      url,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let log = '';
  child.stderr.setEncoding('utf8').on('data', function keepEnd(text) {
    log = (log + text).slice(-MAX_LOG_CHARACTERS);
  });
  const ended = once(child, 'close');
  const failed = ended.then(function reportEnd([status, signal]) {
    throw new Error(
      `autocannon ended (${signal ?? `status ${status}`}) before the measurement: ${log.trim()}`,
    );
  });
  // Nobody waits for this after the load is stopped.
  failed.catch(() => {});
  return {
    failed,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
