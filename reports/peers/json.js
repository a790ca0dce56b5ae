/** A comparison of benchmark tools as data: the text of peers.json. */

/** @import { PeersInput, PeersRenderer } from '../calibration/types.ts' */

import { escapeJson } from '../../harness/lib/escape.js';

/** @type {PeersRenderer} */
export const renderer = { name: 'json', fileName: 'peers.json', render: renderJson };

/**
 * @param {PeersInput} input
 * @returns {string} ends with a line end
 */
export function renderJson({ peers }) {
  return `${escapeJson(JSON.stringify(peers, null, 2))}\n`;
}
