import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { clearProgress } from './print-progress.js';
import { PROJECT } from './project.js';
import { writeReport } from './run-store.js';

/** @import { Renderer } from '../reports/types.ts' */
/** @import { Judged } from './judge-run.js' */
/** @import { StoredRun } from './run-store.js' */
/** @import { Io } from './cli.js' */

/** @typedef {Omit<StoredRun, 'verdict'> & Judged} JudgedRun */

/**
 * Writes every report that has a file into the run and prints the one for the terminal.
 *
 * @param {JudgedRun} run
 * @param {Io} io
 */
export async function publishRun(run, io) {
  clearProgress(io.stderr);
  const renderers = await listRenderers();
  // Data first, then what is printed, then pages, the largest of which may find the disk full.
  const order = renderers.toSorted((a, b) => rankOf(a) - rankOf(b));
  for (const renderer of order) {
    const text = await renderRun(renderer, run, io);
    if (renderer.fileName !== null) writeReport(run.path, renderer.fileName, text);
    else io.stdout.write(text);
  }
}

/** @param {Renderer} renderer */
function rankOf({ fileName }) {
  if (fileName === null) return 1;
  return fileName.endsWith('.json') ? 0 : 2;
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
 * The modules in `reports/`, each a renderer.
 *
 * @returns {Promise<Renderer[]>}
 */
export async function listRenderers() {
  const names = readdirSync(PROJECT.reportsPath).filter(
    (name) => name.endsWith('.js') && !name.endsWith('.test.js'),
  );
  const renderers = [];
  for (const name of names.sort()) {
    const module = await import(pathToFileURL(join(PROJECT.reportsPath, name)).href);
    renderers.push(module.renderer);
  }
  return renderers;
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
