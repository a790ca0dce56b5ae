/** What became of claims as data: the text of reproduction.json. */

/** @import { ReproductionInput, ReproductionRenderer } from './types.ts' */

import { escapeJson } from '../../harness/lib/escape.js';

/** @type {ReproductionRenderer} */
export const renderer = { name: 'json', fileName: 'reproduction.json', render: renderJson };

/**
 * @param {ReproductionInput} input
 * @returns {string} ends with a line end
 */
export function renderJson({ reproduction }) {
  return `${escapeJson(JSON.stringify(reproduction, null, 2))}\n`;
}
