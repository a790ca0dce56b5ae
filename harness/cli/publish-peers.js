import { join } from 'node:path';
import { PROJECT } from '../lib/project.js';
import { loadRenderers, publishReports, readAssets } from './publish-reports.js';
import { showPath, terminalOf } from './publish-run.js';
import { PEERS_OWNER } from '../studies/calibration/peers-store.js';

/** @import { PeersRenderer } from '../../reports/calibration/types.ts' */
/** @import { Io } from './cli.js' */
/** @import { PeersComparison } from '../formats/types.ts' */

/**
 * Writes every report that has a file and prints the one for the terminal.
 *
 * @param {string} path directory of the comparison of tools
 * @param {PeersComparison} peers
 * @param {Io} io
 */
export async function publishPeers(path, peers, io) {
  const draw = (/** @type {PeersRenderer} */ renderer) =>
    renderPeers(renderer, { path, peers }, io);
  await publishReports(await listPeersRenderers(), { path, owner: PEERS_OWNER, draw, io });
}

/**
 * @param {PeersRenderer} renderer
 * @param {{ path: string, peers: PeersComparison }} stored
 * @param {Io} io
 * @returns {Promise<string>}
 */
export async function renderPeers(renderer, { path, peers }, io) {
  return renderer.render({
    peers,
    assets: await readAssets(renderer.assets ?? []),
    path: showPath(path, io.workingPath),
    ...terminalOf(io),
  });
}

/**
 * The modules in `reports/peers/`, each a renderer.
 *
 * @returns {Promise<PeersRenderer[]>}
 */
export function listPeersRenderers() {
  return loadRenderers(join(PROJECT.reportsPath, 'peers'));
}
