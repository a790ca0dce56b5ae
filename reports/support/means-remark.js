/** What a geometric mean goes over besides corpora. */

/** @import { Manifest, Verdict } from '../../harness/formats/types.ts' */

import { countHosts, partOf } from './host-parts.js';

/**
 * @param {Pick<Manifest, 'parts'>} manifest
 * @param {Verdict} verdict
 * @param {(name: string) => string} [quote] how names are written
 * @returns {string | null} null where every mean is of one kind of machine
 */
export function meansRemark(manifest, { cells, summaries }, quote = String) {
  const mixed = summaries.filter((summary) => {
    const parts = cells
      .filter(
        ({ cell, effect }) =>
          cell.operation === summary.operation && cell.node === summary.node && effect !== null,
      )
      .map(({ cell }) => partOf(manifest, cell.id));
    return countHosts(parts.filter((part) => part !== undefined)) > 1;
  });
  if (mixed.length === 0) return null;
  const operations = new Set(mixed.map(({ operation }) => quote(operation)));
  return `Cells of several kinds of machine go into the geometric mean of ${[...operations].join(', ')}.`;
}
