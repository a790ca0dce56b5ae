/** Badges of a site: an SVG image each, and what shields.io asks for. */

/** @import { Site } from './map.js' */

import { isAlert } from '../../../harness/stats/alarms.js';
import { group } from 'd3-array';
import { countOf, formatChange } from '../../../harness/lib/numbers.js';
import { compareSince } from '../../../harness/stats/since.js';
import { markup } from '../../document/markup.js';
import { nameFiles } from './map.js';
import { releaseBefore } from './release.js';
import { toneOfRatio } from './words.js';

/** @typedef {{ label: string, message: string, tone: 'good' | 'bad' | 'plain' }} Badge */

/** Names that shields.io knows, and the same on white text. */
const COLORS = {
  good: { name: 'blue', fill: '#0b5cad' },
  bad: { name: 'red', fill: '#b3261e' },
  plain: { name: 'lightgrey', fill: '#58616b' },
};
// Pixels, of 11 px text.
const CHARACTER_WIDTH = 6.6;
const PADDING = 6;

/** @type {(site: Site) => { path: string, makeText: () => string }[]} from the root of the site */
export function listBadges(site) {
  const badges = [{ name: 'performance', badge: badgeOfAlerts(site) }, ...badgesSinceRelease(site)];
  return badges.flatMap(({ name, badge }) => [
    { path: `badges/${name}.svg`, makeText: () => drawBadge(badge) },
    { path: `badges/${name}.json`, makeText: () => formatBadge(badge) },
  ]);
}

/** @type {(site: Site) => Badge} */
function badgeOfAlerts({ changes }) {
  const { length } = changes.filter(isAlert);
  const message = length === 0 ? 'no open alert' : countOf(length, 'open alert');
  return { label: 'performance', message, tone: length === 0 ? 'good' : 'bad' };
}

/** @type {(site: Site) => { name: string, badge: Badge }[]} one for each operation, once there is a release before the last commit */
function badgesSinceRelease(site) {
  const { commits } = site.following;
  const release = releaseBefore(site, commits.length - 1);
  if (release === undefined) return [];
  const [from, to] = [commits[release.index], commits[commits.length - 1]];
  const { cells, changes } = compareSince(site.following, from.revision, to.revision);
  const changed = new Set(changes.flatMap((change) => change.cells.map(({ cellId }) => cellId)));
  const operations = [...group(cells, ({ operation }) => operation)];
  const names = nameFiles(operations.map(([operation]) => `since-release-${operation}`));
  return operations.map(([operation, own], place) => {
    const ratios = own.flatMap(({ ratio }) => ratio?.estimate ?? []);
    const hasChanged = own.some(({ cellId }) => changed.has(cellId)) && ratios.length > 0;
    const mean = Math.exp(ratios.reduce((sum, one) => sum + Math.log(one), 0) / ratios.length);
    const text = hasChanged ? formatChange(mean).change : 'no change';
    return {
      name: names[place],
      badge: {
        label: operation,
        message: `${text} since ${release.name}`,
        tone: hasChanged ? toneOfRatio(mean) : 'plain',
      },
    };
  });
}

/** @type {(badge: Badge) => string} JSON of an endpoint of shields.io, https://shields.io/badges/endpoint-badge */
function formatBadge({ label, message, tone }) {
  const badge = { schemaVersion: 1, label, message, color: COLORS[tone].name };
  return `${JSON.stringify(badge)}\n`;
}

/** @type {(badge: Badge) => string} */
function drawBadge({ label, message, tone }) {
  const [left, right] = [label, message].map((text) => Math.round(text.length * CHARACTER_WIDTH));
  const middle = left + 2 * PADDING;
  const width = middle + right + 2 * PADDING;
  const text = (
    /** @type {number} */ x,
    /** @type {number} */ length,
    /** @type {string} */ shown,
  ) =>
    markup`<text x="${x}" y="14" textLength="${length}" lengthAdjust="spacingAndGlyphs">${shown}</text>`;
  return markup`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${label}: ${message}"><title>${label}: ${message}</title><clipPath id="r"><rect width="${width}" height="20" rx="3"/></clipPath><g clip-path="url(#r)"><path fill="#3b424a" d="M0 0h${middle}v20H0z"/><path fill="${COLORS[tone].fill}" d="M${middle} 0h${width - middle}v20h-${width - middle}z"/></g><g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(PADDING, left, label)}${text(middle + PADDING, right, message)}</g></svg>
`.text;
}
