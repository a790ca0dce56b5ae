/**
 * Takes the screenshot of the README from an example report, in headless Chromium:
 * `node scripts/take-picture.js [PAGE] [PICTURE]`.
 */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { closeBrowser, openPage } from '../reports/fixtures/browser.js';

const PAGE = 'reports/examples/recursive-vs-generator/report.html';
const PICTURE = 'docs/report.png';
/** CSS pixels: the verdict and the table of cells, as wide as GitHub shows a README. */
const SIZE = { width: 1240, height: 760 };

const root = new URL('../', import.meta.url);
const [page = PAGE, picture = PICTURE] = process.argv.slice(2);
const opened = await openPage(readFileSync(new URL(page, root), 'utf8'), { width: SIZE.width });
await opened.page.setViewportSize(SIZE);
await opened.page.screenshot({ path: fileURLToPath(new URL(picture, root)) });
await opened.close();
await closeBrowser();
