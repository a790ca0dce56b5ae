import { drawIndex, drawUniform } from '../../../stats/random.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */

/** Half of all kills are those that nothing can be done about. */
const SIGNALS = /** @type {const} */ (['SIGKILL', 'SIGKILL', 'SIGTERM', 'SIGINT']);
/** Part of the name of what a run writes, and how often at most. */
const WRITES = /** @type {const} */ ([
  ['manifest.json', 1],
  ['observations.ndjson', 60],
  ['observations.ndjson', 60],
  ['verdict.json', 1],
  ['report.', 2],
]);

/**
 * @typedef {object} Death at a write
 * @property {NodeJS.Signals} signal
 * @property {string} file part of its name
 * @property {number} nth write to it, counted from 1
 * @property {'before' | 'torn' | 'after'} how `torn`: half of it is written
 */

/**
 * How a run is killed: at a moment after its start, or at a write.
 *
 * @typedef {{ signal: NodeJS.Signals, afterMs: number } | Death} Manner
 */

/**
 * @param {RandomGenerator} random advanced by the call
 * @param {number} longestMs that an undisturbed run takes
 * @returns {Manner}
 */
export function drawManner(random, longestMs) {
  const signal = SIGNALS[drawIndex(random, SIGNALS.length)];
  if (drawUniform(random) < 0.5) return { signal, afterMs: drawUniform(random) * longestMs };
  const [file, most] = WRITES[drawIndex(random, WRITES.length)];
  const hows = /** @type {const} */ (['before', 'torn', 'after']);
  // The other signals are acted on later, when half a line would have more behind it.
  const how = signal === 'SIGKILL' ? hows[drawIndex(random, hows.length)] : 'after';
  return { signal, file, nth: 1 + drawIndex(random, most), how };
}
