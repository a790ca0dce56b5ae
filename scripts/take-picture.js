/**
 * Takes a picture of the manual in headless Chromium, of a page or of the text that a terminal was sent:
 * `node scripts/take-picture.js [FILE] [PICTURE]`. Without arguments it takes both pictures.
 */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { escapeHtml } from '../reports/document/markup.js';
import { closeBrowser, openPage } from '../reports/fixtures/browser.js';

const PICTURES = [
  // The verdict and the table of cells, as wide as GitHub shows a README.
  ['reports/examples/recursive-vs-generator/report.html', 'docs/report.png'],
  ['reports/examples/live-table.txt', 'docs/live-table.png'],
];
/** CSS pixels. */
const PAGE_SIZE = { width: 1240, height: 760 };

/** By the number of its ANSI sequence. @type {Record<string, string>} */
const STYLES = {
  1: 'font-weight: bold',
  2: 'color: #8b949e',
  31: 'color: #ff7b72',
  32: 'color: #56d364',
  33: 'color: #e3b341',
};
const TERMINAL_STYLE =
  'margin: 0; padding: 16px 20px; display: inline-block; background: #0d1117; color: #e6edf3; font: 15px/1.35 "DejaVu Sans Mono", monospace';

/**
 * @param {string} text with the colours of `reports/document/terminal.js`
 * @returns {string} page that shows it as a terminal does
 */
function showTerminal(text) {
  // eslint-disable-next-line no-control-regex
  const pieces = text.trimEnd().split(/(\u001b\[\d+m|\n)/);
  const shown = pieces.map((piece, index) => {
    if (index % 2 === 0) return escapeHtml(piece);
    if (piece === '\n') return piece;
    const style = STYLES[piece.slice(2, -1)];
    return style === undefined ? '</span>' : `<span style="${style}">`;
  });
  return `<!doctype html><meta charset="utf-8"><body style="margin: 0"><pre style='${TERMINAL_STYLE}'>${shown.join('')}</pre>`;
}

const root = new URL('../', import.meta.url);
const [typed, picture = PICTURES[0][1]] = process.argv.slice(2);
for (const [file, to] of typed === undefined ? PICTURES : [[typed, picture]]) {
  const text = readFileSync(new URL(file, root), 'utf8');
  const isPage = file.endsWith('.html');
  const { page, close } = await openPage(isPage ? text : showTerminal(text), PAGE_SIZE);
  await page.setViewportSize(PAGE_SIZE);
  const path = fileURLToPath(new URL(to, root));
  await (isPage ? page.screenshot({ path }) : page.locator('pre').screenshot({ path }));
  await close();
}
await closeBrowser();
