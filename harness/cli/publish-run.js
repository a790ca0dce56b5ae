import { relative } from 'node:path';
import { PROJECT } from '../lib/project.js';
import { loadRenderers, publishReports, readAssets } from './publish-reports.js';
import { RUN } from '../lib/write-whole.js';

/** @import { Renderer } from '../../reports/types.ts' */
/** @import { Judged } from '../run/judge-run.js' */
/** @import { StoredRun } from '../run/run-store.js' */
/** @import { Io } from './cli.js' */

/** @typedef {Omit<StoredRun, 'verdict'> & Judged} JudgedRun */

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
 * @param {Io} io
 * @returns {{ width: number, color: boolean }}
 */
export function terminalOf({ stdout, environment }) {
  const color = stdout.isTTY === true && (environment.NO_COLOR ?? '') === '';
  return { width: Math.min(Math.max(stdout.columns ?? 80, 80), 120), color };
}

/**
 * @param {string} path absolute
 * @param {string} workingPath
 * @returns {string} the shorter way to name it
 */
export function showPath(path, workingPath) {
  const fromHere = relative(workingPath, path);
  return fromHere.startsWith('..') ? path : fromHere;
}
