import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeCalibration } from '../../reports/content/calibration.js';
import { describePeers } from '../../reports/content/peers.js';
import { describeReproduction } from '../../reports/content/reproduction.js';
import { renderMarkdown } from '../../reports/document/markdown.js';
import { renderTerminal } from '../../reports/document/terminal.js';
import { escapeJson } from '../lib/escape.js';
import { RUN, writeAtomic } from '../lib/files.js';
import { PROJECT } from '../lib/project.js';
import { clearProgress } from '../run/progress.js';
import { showPath, terminalOf } from './terminal.js';

/** @import { Renderer } from '../../reports/types.ts' */
/** @import { AnalyzedRun } from '../run/verdict.js' */
/** @import { StoredRun } from '../run/store.js' */
/** @import { Io } from './cli.js' */
/** @import { ErrorContext } from '../lib/files.js' */
/** @import { Calibration, PeersComparison, Reproduction } from '../formats/types.ts' */
/** @import { Document } from '../../reports/document/model.ts' */

/** @typedef {Omit<StoredRun, 'verdict'> & AnalyzedRun} JudgedRun */

/**
 * Writes the reports of a run that are files, and prints the one for the terminal.
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
  // Data first, then what is printed, then pages: the largest of them may fill the disk.
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
 * What a study found, as data and as a document of it.
 *
 * @typedef {object} Finding
 * @property {Document} document
 * @property {unknown} data what `--format json` prints
 */

/**
 * @param {Finding} finding
 * @param {string} format `terminal`, `markdown`, `html` or `json`
 * @param {Io} io
 * @returns {Promise<string>}
 */
export async function formatFinding({ document, data }, format, io) {
  switch (format) {
    case 'markdown':
      return renderMarkdown(document);
    case 'html': {
      const { PAGE_ASSETS } = await import('../../reports/document/page.js');
      const { renderHtml } = await import('../../reports/document/html.js');
      return renderHtml(document, await readAssets(PAGE_ASSETS));
    }
    case 'json':
      return `${escapeJson(JSON.stringify(data, null, 2))}\n`;
    default:
      return renderTerminal(document, terminalOf(io));
  }
}

/**
 * Writes `NAME.json`, `NAME.md` and `NAME.html` into a directory, and prints the document.
 *
 * @param {Finding} finding
 * @param {{ path: string, name: string, owner: ErrorContext }} place the owner is named in messages
 * @param {Io} io
 */
export async function publishFinding(finding, { path, name, owner }, io) {
  clearProgress(io.stderr);
  const write = async (/** @type {string} */ extension, /** @type {string} */ format) =>
    writeAtomic(
      join(path, `${name}.${extension}`),
      await formatFinding(finding, format, io),
      owner,
    );
  // Data first, then what is printed, then the page: it is the largest and may fill the disk.
  await write('json', 'json');
  io.stdout.write(await formatFinding(finding, 'terminal', io));
  await write('md', 'markdown');
  await write('html', 'html');
}

/**
 * @param {string} path
 * @param {Calibration} calibration
 * @param {Io} io
 * @returns {Finding}
 */
export function calibrationFinding(path, calibration, io) {
  const shownPath = showPath(path, io.workingPath);
  return { document: describeCalibration(calibration, shownPath), data: calibration };
}

/**
 * @param {string} path
 * @param {PeersComparison} peers
 * @param {Io} io
 * @returns {Finding}
 */
export function peersFinding(path, peers, io) {
  return { document: describePeers(peers, showPath(path, io.workingPath)), data: peers };
}

/**
 * @param {string} path
 * @param {Reproduction} reproduction
 * @param {Io} io
 * @returns {Finding}
 */
export function reproductionFinding(path, reproduction, io) {
  const shownPath = showPath(path, io.workingPath);
  return { document: describeReproduction(reproduction, shownPath), data: reproduction };
}
