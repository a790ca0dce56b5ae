import { resolve } from 'node:path';
import { analyseCalibration } from '../../stats/calibration/analyse-calibration.js';
import {
  isCalibration,
  isPeersComparison,
  readCalibration,
  readPeers,
} from '../../studies/calibration/store.js';
import {
  listCalibrationRenderers,
  listPeersRenderers,
  listRenderers,
  listReproductionRenderers,
  renderCalibration,
  renderPeers,
  renderReproduction,
  renderRun,
} from '../publish.js';
import { isReproduction, readReproduction } from '../../studies/claims/reproduction.js';
import { didYouMean } from '../../lib/words.js';
import { UsageError } from '../../lib/errors.js';
import { EXIT } from '../../lib/exit-status.js';
import { analyzeRun, restoreSessionTotals } from '../../run/verdict.js';
import { isProfile, readProfileText, readRun } from '../../run/store.js';

/** @import { Io } from '../cli.js' */

/**
 * `just report RUN`: judges the observations of a run, or of a calibration, again and renders the
 * result. Of a reproduction, or of a comparison of benchmark tools, it renders what was found; of a
 * profile it prints again what was printed.
 *
 * @param {string[]} args
 * @param {{ format: string }} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
export async function runCommand([typed], { format }, io) {
  const path = resolve(io.workingPath, typed);
  const draw = chooseDrawing(path);
  io.stdout.write(await draw(path, format, io));
  return EXIT.done;
}

/** @param {string} path */
function chooseDrawing(path) {
  if (isReproduction(path)) return drawReproduction;
  if (isProfile(path)) return drawProfile;
  if (isPeersComparison(path)) return drawPeers;
  return isCalibration(path) ? drawCalibration : drawRun;
}

/**
 * @param {string} path
 * @param {string} format
 * @param {Io} io
 */
async function drawRun(path, format, io) {
  const renderer = chooseRenderer(await listRenderers(), format);
  const run = await readRun(path);
  const judged = await analyzeRun(run, restoreSessionTotals(run));
  return renderRun(renderer, { ...run, ...judged }, io);
}

/**
 * @param {string} path
 * @param {string} format
 * @param {Io} io
 */
async function drawReproduction(path, format, io) {
  const renderer = chooseRenderer(await listReproductionRenderers(), format);
  return renderReproduction(renderer, { path, reproduction: await readReproduction(path) }, io);
}

/**
 * @param {string} path
 * @param {string} format
 * @param {Io} io
 */
async function drawCalibration(path, format, io) {
  const renderer = chooseRenderer(await listCalibrationRenderers(), format);
  const { calibration: head, ...measured } = await readCalibration(path);
  const calibration = analyseCalibration({ head, ...measured });
  return renderCalibration(renderer, { path, calibration }, io);
}

/**
 * @param {string} path
 * @param {string} format
 * @param {Io} io
 */
async function drawPeers(path, format, io) {
  const renderer = chooseRenderer(await listPeersRenderers(), format);
  return renderPeers(renderer, { path, peers: await readPeers(path) }, io);
}

/**
 * @param {string} path
 * @param {string} format
 * @returns {Promise<string>}
 * @throws {UsageError} for every other format than that of the terminal
 */
async function drawProfile(path, format) {
  chooseRenderer([{ name: 'terminal' }], format);
  return readProfileText(path);
}

/**
 * @template {{ name: string }} OneRenderer
 * @param {OneRenderer[]} renderers
 * @param {string} format
 * @returns {OneRenderer}
 * @throws {UsageError} when there is none of that name
 */
function chooseRenderer(renderers, format) {
  const renderer = renderers.find(({ name }) => name === format);
  if (renderer !== undefined) return renderer;
  const names = renderers.map(({ name }) => name);
  throw new UsageError(`no format '${format}'${didYouMean(format, names)}`, {
    remedy: `there ${names.length === 1 ? 'is' : 'are'} ${names.join(', ')}`,
  });
}
