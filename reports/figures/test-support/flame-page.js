/** A page with nothing but flamegraphs, for tests. */

import { readFileSync } from 'node:fs';
import {
  flamegraphScript,
  flamegraphStyle,
  FLAMEGRAPH_ASSETS,
} from '../../document/flamegraph-assets.js';
import { showProfiles } from '../../content/comparison/profiles.js';
import { writeSection } from '../../document/html.js';

/** @import { CellProfiles } from '../../types.ts' */

const REPORTS = new URL('../../', import.meta.url);

/** @returns {Record<string, string>} what a renderer with flamegraphs is given */
export function readFlameAssets() {
  const entries = FLAMEGRAPH_ASSETS.map((path) => [
    path,
    readFileSync(new URL(path, REPORTS), 'utf8'),
  ]);
  return Object.fromEntries(entries);
}

/**
 * @param {CellProfiles[]} cells
 * @param {{ baseline: string, candidate: string }} names
 * @returns {string} HTML
 */
export function makeFlamePage(cells, names) {
  const assets = readFlameAssets();
  const sections = cells.map((cell, index) => {
    const blocks = showProfiles(cell, names, { nodes: 1500, lines: 0 });
    return writeSection({ id: `cell-${index + 1}`, title: cell.cellId, blocks });
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Flamegraphs</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<style>
:root { color-scheme: light dark; }
body { margin: 1rem; font: 16px/1.5 system-ui, sans-serif; }
${flamegraphStyle(assets)}</style></head>
<body>
${sections.map(String).join('\n')}
<script>${flamegraphScript(assets)}</script>
</body></html>
`;
}
