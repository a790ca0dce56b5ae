/** A page with nothing but flamegraphs, for tests. */

/** @import { CellProfiles } from '../../../harness/formats/profile-types.ts' */

import { showProfiles } from '../../content/comparison/profiles.js';
import { renderHtml } from '../../document/html.js';
import { readPageAssets } from '../../fixtures/render.js';

/** @type {(cells: CellProfiles[], names: { baseline: string, candidate: string }) => string} HTML */
export function makeFlamePage(cells, names) {
  const sections = cells.map((cell, index) => ({
    id: `cell-${index + 1}`,
    title: cell.cellId,
    blocks: showProfiles(cell, names, { nodes: 1500, lines: 0 }),
  }));
  const document = { title: 'Flamegraphs', eyebrow: '', sections, footer: '', source: '' };
  return renderHtml(document, readPageAssets());
}
