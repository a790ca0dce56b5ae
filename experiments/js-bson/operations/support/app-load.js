import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Ends the load in any case; a job is over long before. */
const MAX_SECONDS = 25;
/** How much of what it says is kept, from its end. */
const MAX_LOG_CHARACTERS = 2_000;

/**
 * A process that sends requests.
 *
 * @typedef {object} Load
 * @property {Promise<never>} failed rejects when the process ends by itself
 * @property {() => Promise<void>} stop ends it
 */

/**
 * Starts autocannon in a process of its own: each connection sends its next request when the last
 * one is answered.
 *
 * @param {string} url
 * @param {{ autocannonPath: string, connections: number }} options `autocannonPath`: directory of the
 *   package
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
  // Whoever stops the load no longer waits for this.
  failed.catch(() => {});
  return {
    failed,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
