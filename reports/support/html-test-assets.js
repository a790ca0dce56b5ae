/** The real texts of a renderer's assets. Used by tests only. */

// Tests read files; what is under test does not.
/* eslint-disable no-restricted-imports */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
/* eslint-enable no-restricted-imports */

/** @import { Renderer } from '../types.ts' */

const REPORTS = new URL('../', import.meta.url);

/**
 * @param {Pick<Renderer, 'assets'>} renderer
 * @returns {Record<string, string>} by name, as `render` is given them
 */
export function readPageAssets({ assets = [] }) {
  return Object.fromEntries(
    assets.map((name) => [name, readFileSync(fileURLToPath(addressOf(name)), 'utf8')]),
  );
}

/** @param {string} name */
function addressOf(name) {
  return name.startsWith('./') ? new URL(name, REPORTS).href : import.meta.resolve(name);
}
