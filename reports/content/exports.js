/**
 * Formats of other tools in which a comparison is written. Each has a file in `exports/` whose `write` gives the text;
 * an entry here is all that makes one an option. They are loaded on demand.
 */

/** @import { RenderInput } from '../types.ts' */

/** @type {Record<string, () => Promise<{ write: (input: RenderInput) => string }>>} */
const WRITERS = {
  benchstat: () => import('./exports/benchstat.js'),
  'github-action-benchmark': () => import('./exports/github-action-benchmark.js'),
  bencher: () => import('./exports/bencher.js'),
  csv: () => import('./exports/csv.js'),
  'csv-processes': () => import('./exports/csv-processes.js'),
};

/** Their names, as `--format` takes them. */
export const EXPORT_FORMATS = Object.keys(WRITERS);

/**
 * @param {RenderInput} input
 * @param {string} format one of `EXPORT_FORMATS`
 * @returns {Promise<string>} ends with the end of a line
 */
export async function exportComparison(input, format) {
  const { write } = await WRITERS[format]();
  return write(input);
}
