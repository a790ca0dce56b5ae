/** What the page embeds: its style sheets and its scripts. */

import { FLAMEGRAPH_ASSETS, flamegraphScript, flamegraphStyle } from './html-flamegraph-assets.js';
import { linkScripts } from './link-scripts.js';

const STYLE = './page/report.css';
const THEME = './page/theme.js';
const SCRIPTS = [
  THEME,
  './page/sort-tables.js',
  './page/scroll-stops.js',
  './page/print-details.js',
  './page/copy-buttons.js',
];

/** For `assets` of the renderer. */
export const PAGE_ASSETS = [STYLE, ...SCRIPTS, ...FLAMEGRAPH_ASSETS];

/**
 * @param {Record<string, string> | undefined} assets
 * @param {boolean} hasFlamegraphs without them the page goes without their libraries
 * @returns {{ styles: string[], earlyScripts: string[], scripts: string[] }} all empty without assets
 * @throws {Error} where one of `PAGE_ASSETS` is missing
 */
export function linkAssets(assets, hasFlamegraphs) {
  if (assets === undefined) return { styles: [], earlyScripts: [], scripts: [] };
  const read = (/** @type {string} */ path) => {
    const text = assets[path];
    if (text === undefined) throw new Error(`the asset ${path} was not given to the renderer`);
    return text;
  };
  const modulesOf = (/** @type {string[]} */ paths) =>
    paths.map((path) => ({ path, text: read(path) }));
  const start =
    'startThemeSwitch(); startSorting(); startScrollStops(); startPrintDetails(); startCopyButtons();';
  return {
    styles: [read(STYLE), ...(hasFlamegraphs ? [flamegraphStyle(assets)] : [])],
    // The theme is set before anything is drawn, so that a dark page does not flash.
    earlyScripts: [linkScripts(modulesOf([THEME]), 'applyTheme();')],
    scripts: [
      linkScripts(modulesOf(SCRIPTS), start),
      ...(hasFlamegraphs ? [flamegraphScript(assets)] : []),
    ],
  };
}
