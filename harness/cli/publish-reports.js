/** What publishing has in common, whatever the reports are about. */

import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { clearProgress } from '../run/print-progress.js';
import { PROJECT } from '../lib/project.js';
import { writeWhole } from '../lib/write-whole.js';

/** @import { Io } from './cli.js' */
/** @import { Owner } from '../lib/write-whole.js' */

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
 * @param {Owner} place.owner of the directory, for messages
 * @param {(renderer: OneRenderer) => Promise<string>} place.draw
 * @param {Io} place.io
 */
export async function publishReports(renderers, { path, owner, draw, io }) {
  clearProgress(io.stderr);
  // Data first, then what is printed, then pages, the largest of which may find the disk full.
  const order = renderers.toSorted((a, b) => rankOf(a) - rankOf(b));
  for (const renderer of order) {
    const text = await draw(renderer);
    if (renderer.fileName !== null) writeWhole(join(path, renderer.fileName), text, owner);
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
export async function loadRenderers(directory) {
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
export async function readAssets(names) {
  const base = pathToFileURL(join(PROJECT.reportsPath, 'html.js')).href;
  const texts = names.map(async (name) => {
    const { resolve } = await import('import-meta-resolve');
    return /** @type {const} */ ([name, await readFile(new URL(resolve(name, base)), 'utf8')]);
  });
  return Object.fromEntries(await Promise.all(texts));
}
