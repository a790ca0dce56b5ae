import { countOf } from '../../lib/numbers.js';

/** @import { TextSink } from '../../cli/cli.js' */
/** @import { FuzzResult } from '../../formats/types.ts' */

/** In a log, where lines stay, seldom enough to be read. */
const LOG_INTERVAL_MS = 10_000;

/**
 * Makes the function that shows how far fuzzing is, each time it is called on a terminal, seldom
 * elsewhere.
 *
 * @param {TextSink} sink
 * @param {string} spec
 * @param {() => number} nowMs
 * @returns {(result: FuzzResult) => void} called about once a second
 */
export function makeFuzzPrinter(sink, spec, nowMs) {
  const startMs = nowMs();
  let lastMs = -Infinity;
  return function printFuzzProgress({ documents, differences }) {
    if (sink.isTTY !== true && nowMs() - lastMs < LOG_INTERVAL_MS) return;
    lastMs = nowMs();
    const rate = Math.round(documents / ((nowMs() - startMs) / 1000));
    const found = countOf(differences, 'difference');
    const line = `${spec} · ${countOf(documents, 'document')} · ${rate} a second · ${found}`;
    if (sink.isTTY === true) sink.write(`\r${line.slice(0, (sink.columns ?? 80) - 1)}\x1b[K`);
    else sink.write(`${line}\n`);
  };
}
