import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { clearProgress } from './print-progress.js';
import { PROJECT } from './project.js';
import { writeReport } from './run-store.js';

/** @import { Renderer } from '../reports/types.ts' */
/** @import { Manifest, Verdict } from './types.ts' */
/** @import { Io } from './cli.js' */

/**
 * Writes every report that has a file into the run and prints the one for the terminal.
 *
 * @param {{ path: string, manifest: Manifest, verdict: Verdict }} run
 * @param {Io} io
 */
export async function publishRun({ path, manifest, verdict }, io) {
  clearProgress(io.stderr);
  const input = { manifest, verdict, runPath: showPath(path, io.workingPath) };
  for (const renderer of await listRenderers()) {
    if (renderer.fileName !== null) {
      writeReport(path, renderer.fileName, renderer.render(input));
    } else {
      io.stdout.write(renderer.render({ ...input, ...terminalOf(io) }));
    }
  }
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
  const modules = names
    .sort()
    .map((name) => import(pathToFileURL(join(PROJECT.reportsPath, name)).href));
  return (await Promise.all(modules)).map(({ renderer }) => renderer);
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
