import { join } from 'node:path';
import { renderJson } from '../../../reports/reproduction/json.js';
import { PROJECT } from '../../lib/project.js';
import { loadRenderers, publishReports, readAssets } from '../../cli/publish-reports.js';
import { showPath, terminalOf } from '../../cli/publish-run.js';
import { writeWhole } from '../../lib/write-whole.js';

/** @import { ReproductionRenderer } from '../../../reports/reproduction/types.ts' */
/** @import { Io } from '../../cli/cli.js' */
/** @import { Reproduction } from '../../formats/types.ts' */

/** Of its files, for messages. */
const OWNER = { name: 'the reproduction', resume: 'start again with: just reproduce CLAIM' };

/**
 * Writes what is known so far, as data: an interrupt loses nothing of it.
 *
 * @param {string} path directory of the reproduction
 * @param {Reproduction} reproduction
 */
export function keepReproduction(path, reproduction) {
  writeWhole(join(path, 'reproduction.json'), renderJson({ reproduction }), OWNER);
}

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
  await publishReports(await listReproductionRenderers(), { path, owner: OWNER, draw, io });
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
