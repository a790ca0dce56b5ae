/** Where the candidate has the lead along a number that operations differ in, in the terminal. */

/** @import { Page } from './terminal-lists.js' */

import { describeLead, findSeries } from './series.js';
import { wrapText } from '../../harness/lib/wrap.js';

/**
 * A sentence a series; the times are in the table of cells, in the order of the number.
 *
 * @param {Page} page
 * @returns {string[]} none for a run without a series
 */
export function tellSeries({ input: { manifest, verdict }, width, paint }) {
  const { baseline, candidate } = manifest.question;
  return findSeries(verdict).flatMap((series) => {
    const node = series.node === undefined ? '' : ` under Node ${series.node}`;
    const text = `${candidate} against ${baseline} on ${series.corpus}${node}: ${describeLead(series)}.`;
    return wrapText(text, width).map((line) => paint(line, 'title'));
  });
}
