import { spawn } from 'node:child_process';
import { shareDisturbedReadings } from '../stats/calm-pace.js';
import { makeYardstick } from '../worker/yardstick.js';
import { compareHostCounters, readHostCounters } from './host-counters.js';

/** @import { HostNoise } from '../formats/types.ts' */

/**
 * Reads the yardstick for a while, and what the host did meanwhile. Nothing else of this process
 * runs until then.
 *
 * @param {number} forMs
 * @returns {{ hostNoise: HostNoise, disturbedShare: number }} shares 0…1
 */
export function watchProcessor(forMs) {
  const readYardstick = makeYardstick();
  const before = readHostCounters();
  const endMs = performance.now() + forMs;
  const readings = [readYardstick()];
  while (performance.now() < endMs) readings.push(readYardstick());
  return {
    hostNoise: compareHostCounters(before, readHostCounters()),
    disturbedShare: shareDisturbedReadings(readings),
  };
}

/**
 * Tries what a worker does (see `measure-usage.js`) in a process of its own session, so that nobody
 * else's priority changes.
 *
 * @returns {Promise<boolean>} whether it was granted
 */
export function probePriority() {
  return new Promise((resolve) => {
    const child = spawn('sh', ['-c', 'echo -20 > /proc/self/autogroup'], {
      detached: true,
      stdio: 'ignore',
    });
    child.on('error', () => resolve(false));
    child.on('close', (status) => resolve(status === 0));
  });
}
