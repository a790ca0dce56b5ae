/** Which part of a merged run was measured where. */

/** @import { Cell, Manifest, RunPart } from '../../harness/formats/types.ts' */

import { describeHost } from '../../harness/stats/notes.js';
import { NO_FIGURE } from '../../harness/lib/numbers.js';

/** @typedef {Pick<Manifest, 'parts'>} Merged */

/**
 * @param {Merged} manifest
 * @param {string} cellId
 * @returns {RunPart | undefined} the part that measured a cell; none in a run that was not merged
 */
export function partOf({ parts = [] }, cellId) {
  return parts.find(({ cellIds }) => cellIds.includes(cellId));
}

/**
 * @param {Merged} manifest
 * @param {Cell} cell
 * @returns {string} number of the part that measured a cell, for a table
 */
export function partNumber(manifest, cell) {
  return String(partOf(manifest, cell.id)?.shard ?? NO_FIGURE);
}

/**
 * @param {Merged} manifest
 * @returns {boolean} whether the parts of a merged run come from different kinds of machine
 */
export function hasSeveralHosts({ parts = [] }) {
  return countHosts(parts) > 1;
}

/**
 * @param {RunPart[]} parts
 * @returns {number} kinds of machine
 */
export function countHosts(parts) {
  return new Set(parts.map(({ environment }) => describeHost(environment))).size;
}

/**
 * @param {Merged} manifest
 * @returns {string | null} what to bear in mind where the cells of a run come from several kinds of machine
 */
export function hostsRemark({ parts = [] }) {
  const count = countHosts(parts);
  if (count < 2) return null;
  return `The cells come from ${count} kinds of machine: each ratio is of one of them, but times of cells from different parts do not compare.`;
}
