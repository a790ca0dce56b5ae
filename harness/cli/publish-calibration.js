import { join } from 'node:path';
import { PROJECT } from '../lib/project.js';
import { loadRenderers, publishReports, readAssets } from './publish-reports.js';
import { showPath, terminalOf } from './publish-run.js';
import { CALIBRATION_OWNER } from '../studies/calibration/calibration-store.js';

/** @import { CalibrationRenderer } from '../../reports/calibration/types.ts' */
/** @import { Io } from './cli.js' */
/** @import { Calibration } from '../formats/types.ts' */

/**
 * Writes every report that has a file and prints the one for the terminal.
 *
 * @param {string} path directory of the calibration
 * @param {Calibration} calibration
 * @param {Io} io
 */
export async function publishCalibration(path, calibration, io) {
  const draw = (/** @type {CalibrationRenderer} */ renderer) =>
    renderCalibration(renderer, { path, calibration }, io);
  await publishReports(await listCalibrationRenderers(), {
    path,
    owner: CALIBRATION_OWNER,
    draw,
    io,
  });
}

/**
 * @param {CalibrationRenderer} renderer
 * @param {{ path: string, calibration: Calibration }} stored
 * @param {Io} io
 * @returns {Promise<string>}
 */
export async function renderCalibration(renderer, { path, calibration }, io) {
  return renderer.render({
    calibration,
    assets: await readAssets(renderer.assets ?? []),
    path: showPath(path, io.workingPath),
    ...terminalOf(io),
  });
}

/**
 * The modules in `reports/calibration/`, each a renderer.
 *
 * @returns {Promise<CalibrationRenderer[]>}
 */
export function listCalibrationRenderers() {
  return loadRenderers(join(PROJECT.reportsPath, 'calibration'));
}
