import { join } from 'node:path';
import { PROJECT } from '../lib/project.js';
import { loadRenderers, publishReports, readAssets } from './publish-reports.js';
import { showPath, terminalOf } from './publish-run.js';
import { REPRODUCTION } from '../studies/claims/record-reproduction.js';

/** @import { ReproductionRenderer } from '../../reports/reproduction/types.ts' */
/** @import { Io } from './cli.js' */
/** @import { Reproduction } from '../formats/types.ts' */

/**
 * Writes every report that has a file and prints the one for the terminal.
 *
 * @param {string} path directory of the reproduction
 * @param {Reproduction} reproduction
 * @param {Io} io
 */
export async function publishReproduction(path, reproduction, io) {
  const draw = (/** @type {ReproductionRenderer} */ renderer) =>
    renderReproduction(renderer, { path, reproduction }, io);
  await publishReports(await listReproductionRenderers(), { path, owner: REPRODUCTION, draw, io });
}

/**
 * @param {ReproductionRenderer} renderer
 * @param {{ path: string, reproduction: Reproduction }} stored
 * @param {Io} io
 * @returns {Promise<string>}
 */
export async function renderReproduction(renderer, { path, reproduction }, io) {
  return renderer.render({
    reproduction,
    assets: await readAssets(renderer.assets ?? []),
    path: showPath(path, io.workingPath),
    ...terminalOf(io),
  });
}

/**
 * The modules in `reports/reproduction/`, each a renderer.
 *
 * @returns {Promise<ReproductionRenderer[]>}
 */
export function listReproductionRenderers() {
  return loadRenderers(join(PROJECT.reportsPath, 'reproduction'));
}
