/** The real texts of the assets of a page. Used by tests only. */

// Tests read files; what is under test does not.
/* eslint-disable no-restricted-imports */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
/* eslint-enable no-restricted-imports */

const REPORTS = new URL('../', import.meta.url);

/**
 * @param {{ assets: string[] }} page
 * @returns {Record<string, string>} by name, as `renderHtml` is given them
 */
export function readPageAssets({ assets }) {
  return Object.fromEntries(
    assets.map((name) => [name, readFileSync(fileURLToPath(addressOf(name)), 'utf8')]),
  );
}

/** @param {string} name */
function addressOf(name) {
  return name.startsWith('./') ? new URL(name, REPORTS).href : import.meta.resolve(name);
}
