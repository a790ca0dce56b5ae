/** A site that shows a followed branch: what is in which file. */

/** @import { Document } from '../../document/model.ts' */
/** @import { Site } from './map.js' */

import { describeCell } from './cell.js';
import { mapSite, mergePath } from './map.js';
import { describeMerge, describeMerges } from './merge.js';
import { describeOverview } from './overview.js';

export { mapSite };

/**
 * The pages of a site, one after the other, since all at once would take much memory.
 *
 * @param {Site} site
 * @returns {Generator<{ path: string, document: Document }>} `path`: from the root of the site, `cells/serialize-flat.html`
 */
export function* listPages(site) {
  const { commits, cells } = site.following;
  yield { path: 'index.html', document: describeOverview(site) };
  yield { path: 'merges/index.html', document: describeMerges(site) };
  for (const cell of cells) {
    yield { path: site.cellPaths.get(cell.cellId) ?? '', document: describeCell(site, cell) };
  }
  for (const [index, { revision }] of commits.entries()) {
    yield { path: mergePath(revision), document: describeMerge(site, index) };
  }
}
