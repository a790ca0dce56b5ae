import { findNodeRuntime } from './find-node-runtime.js';

/** @import { Cell, ResolvedVariant, Runtime } from '../formats/types.ts' */

/**
 * Brings the Nodes that cells and pinned variants are measured under, where they are not the one
 * that runs Assay.
 *
 * @param {Pick<Cell, 'node'>[]} cells
 * @param {Pick<ResolvedVariant, 'node'>[]} variants
 * @param {import('./find-node-runtime.js').RuntimePlaces} places
 * @returns {Promise<Runtime[]>} one a version
 * @throws {import('../lib/errors.js').AssayError} when one cannot be had
 */
export async function findRuntimes(cells, variants, places) {
  const versions = new Set([...cells, ...variants].map(({ node }) => node));
  const runtimes = [];
  for (const version of versions) {
    if (version === undefined) continue;
    const { runtime } = await findNodeRuntime(version, places);
    if (runtime !== null) runtimes.push(runtime);
  }
  return runtimes;
}
