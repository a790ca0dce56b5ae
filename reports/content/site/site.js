/** A site that shows a followed branch: what is in which file. */

/** @import { Document } from '../../document/model.ts' */
/** @import { Site } from './map.js' */

import { describeCell } from './cell.js';
import { mapSite, mergePath } from './map.js';
import { describeMerge, describeMerges } from './merge.js';
import { describeOverview } from './overview.js';
import { describeRelease } from './release.js';

export { listBadges } from './badges.js';
export { mapSite };

/**
 * The pages of a site.
 *
 * @param {Site} site
 * @returns {{ path: string, describe: () => Document }[]} `path`: from the root of the site, `cells/serialize-flat.html`
 */
export function listPages(site) {
  const { commits, cells } = site.following;
  return [
    { path: 'index.html', describe: () => describeOverview(site) },
    { path: 'merges/index.html', describe: () => describeMerges(site) },
    ...cells.map((cell) => ({
      path: site.cellPaths.get(cell.cellId) ?? '',
      describe: () => describeCell(site, cell),
    })),
    ...site.releases.map((release) => ({
      path: release.path,
      describe: () => describeRelease(site, release),
    })),
    ...commits.map(({ revision }, index) => ({
      path: mergePath(revision),
      describe: () => describeMerge(site, index),
    })),
  ];
}
