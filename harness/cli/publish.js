import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { RUN, writeAtomic } from '../lib/files.js';
import { PROJECT } from '../lib/project.js';
import { clearProgress } from '../run/print-progress.js';
import { CALIBRATION_OWNER, PEERS_OWNER } from '../studies/calibration/store.js';
import { REPRODUCTION } from '../studies/claims/reproduction.js';
import { showPath, terminalOf } from './terminal.js';

/** @import { Renderer } from '../../reports/types.ts' */
/** @import { AnalyzedRun } from '../run/verdict.js' */
/** @import { StoredRun } from '../run/store.js' */
/** @import { Io } from './cli.js' */
/** @import { ErrorContext } from '../lib/files.js' */
/** @import { CalibrationRenderer, PeersRenderer } from '../../reports/calibration/types.ts' */
/** @import { Calibration, PeersComparison, Reproduction } from '../formats/types.ts' */
/** @import { ReproductionRenderer } from '../../reports/reproduction/types.ts' */

/** @typedef {Omit<StoredRun, 'verdict'> & AnalyzedRun} JudgedRun */

/**
 * Writes every report that has a file into the run and prints the one for the terminal.
 *
 * @param {JudgedRun} run
 * @param {Io} io
 */
export async function publishRun(run, io) {
  const draw = (/** @type {Renderer} */ renderer) => renderRun(renderer, run, io);
  await publishReports(await listRenderers(), { path: run.path, owner: RUN, draw, io });
}

/**
 * @param {Renderer} renderer
 * @param {JudgedRun} run
 * @param {Io} io
 * @returns {Promise<string>}
 */
export async function renderRun(renderer, run, io) {
  const { path, manifest, verdict, observations, profiles } = run;
  return renderer.render({
    manifest,
    verdict,
    observations,
    profiles,
    assets: await readAssets(renderer.assets ?? []),
    runPath: showPath(path, io.workingPath),
    ...terminalOf(io),
  });
}

/**
 * The modules in `reports/`, each a renderer.
 *
 * @returns {Promise<Renderer[]>}
 */
export function listRenderers() {
  return loadRenderers(PROJECT.reportsPath);
}

/**
 * @typedef {object} Publisher what a renderer says of itself
 * @property {string} name
 * @property {string | null} fileName null for what is printed
 */

/**
 * Writes every report that has a file and prints the one for the terminal.
 *
 * @template {Publisher} OneRenderer
 * @param {OneRenderer[]} renderers
 * @param {object} place
 * @param {string} place.path directory of the reports
 * @param {ErrorContext} place.owner of the directory, for messages
 * @param {(renderer: OneRenderer) => Promise<string>} place.draw
 * @param {Io} place.io
 */
async function publishReports(renderers, { path, owner, draw, io }) {
  clearProgress(io.stderr);
  // Data first, then what is printed, then pages, the largest of which may find the disk full.
  const order = renderers.toSorted((a, b) => rankOf(a) - rankOf(b));
  for (const renderer of order) {
    const text = await draw(renderer);
    if (renderer.fileName !== null) writeAtomic(join(path, renderer.fileName), text, owner);
    else io.stdout.write(text);
  }
}

/** @param {Publisher} renderer */
function rankOf({ fileName }) {
  if (fileName === null) return 1;
  return fileName.endsWith('.json') ? 0 : 2;
}

/**
 * The modules of a directory, each of which exports a `renderer`.
 *
 * @param {string} directory absolute
 * @returns {Promise<any[]>} by name of the module
 */
async function loadRenderers(directory) {
  const names = readdirSync(directory).filter(
    (name) => name.endsWith('.js') && !name.endsWith('.test.js'),
  );
  const renderers = [];
  for (const name of names.sort()) {
    const module = await import(pathToFileURL(join(directory, name)).href);
    renderers.push(module.renderer);
  }
  return renderers;
}

/**
 * @param {string[]} names module specifiers, or paths relative to `reports/` that begin with `./`
 * @returns {Promise<Record<string, string>>} text by name
 */
async function readAssets(names) {
  const base = pathToFileURL(join(PROJECT.reportsPath, 'html.js')).href;
  const texts = names.map(async (name) => {
    const { resolve } = await import('import-meta-resolve');
    return /** @type {const} */ ([name, await readFile(new URL(resolve(name, base)), 'utf8')]);
  });
  return Object.fromEntries(await Promise.all(texts));
}

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
