import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EXPORT_FORMATS, exportComparison } from '../../reports/content/exports.js';
import { renderMarkdown } from '../../reports/document/markdown.js';
import { renderTerminal } from '../../reports/document/terminal.js';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { UsageError } from '../lib/errors.js';
import { escapeJson } from '../lib/escape.js';
import { RUN, writeAtomic } from '../lib/files.js';
import { findUpwards } from '../lib/places.js';
import { PROJECT } from '../lib/project.js';
import { contrastOf } from '../stats/contrast.js';
import { showPath, terminalOf } from './terminal.js';
import { writeLine } from '../lib/messages.js';

/** @import { AnalyzedRun } from '../run/verdict.js' */
/** @import { StoredRun } from '../run/store.js' */
/** @import { Io } from './cli.js' */
/** @import { ErrorContext } from '../lib/files.js' */
/** @import { ProfiledVariant } from '../../reports/content/profile.js' */
/** @import { Document } from '../../reports/document/model.ts' */
/** @import { RenderInput } from '../../reports/types.ts' */

/** @typedef {Omit<StoredRun, 'verdict'> & AnalyzedRun} JudgedRun */

/**
 * Writes the reports of a run that are files, and prints one.
 *
 * @param {JudgedRun} run
 * @param {Io} io
 * @param {string} [format] of the one that is printed
 */
export async function publishRun(run, io, format) {
  const place = { path: run.path, name: 'report', dataName: 'verdict', owner: RUN };
  await publishFinding(await comparisonFinding(run, io), place, io, format);
}

/**
 * Writes the reports of a run that are files.
 * @type {(run: JudgedRun, io: Io) => Promise<void>}
 */
export async function writeReports(run, io) {
  await publishRun(run, { ...io, stdout: { write: () => undefined } });
}

/**
 * Adds a run to the result store, and says where.
 *
 * @param {JudgedRun} run
 * @param {string} storePath absolute
 * @param {Pick<Io, 'stderr' | 'workingPath'>} io
 * @throws {UsageError} when it has no comparison of times with a baseline
 */
export async function recordRun(run, storePath, io) {
  const { addRecord, makeRecord } = await import('../studies/history/store.js');
  const obstacle = findObstacle(run);
  if (obstacle !== null) {
    throw new UsageError(`not recorded: ${obstacle}`, {
      remedy: 'record one that compares times with a baseline; resume what was interrupted',
    });
  }
  const file = addRecord(storePath, makeRecord(run));
  writeLine(io.stderr, `recorded: ${showPath(file, io.workingPath)}`);
}

/** @type {(run: JudgedRun) => string | null} why it cannot be recorded */
function findObstacle({ manifest, verdict }) {
  if (!contrastOf(manifest.question).hasBaseline) return 'a ranking has no baseline';
  if (verdict.ended === 'interrupted') return 'the run was interrupted';
  return verdict.cells.length === 0 ? 'the run timed nothing' : null;
}

/**
 * @param {string[]} names paths relative to `reports/`, or to one of the directories above
 * @returns {Promise<Record<string, string>>} text by name
 */
export async function readAssets(names) {
  const { reportsPath } = PROJECT;
  const texts = names.map(async (name) => {
    const path = findUpwards(reportsPath, name) ?? join(reportsPath, name);
    return /** @type {const} */ ([name, await readFile(path, 'utf8')]);
  });
  return Object.fromEntries(await Promise.all(texts));
}

/**
 * The result of a comparison or a study, as data and as a document.
 *
 * @typedef {object} Finding
 * @property {Document} document
 * @property {(() => Document)[]} [shorter] documents with less and less detail, for a page that is too large
 * @property {unknown} data what `--format json` prints
 * @property {RenderInput} [comparison] of a comparison, which is also written in formats of other tools
 * @property {boolean} [hasPage] false where the data are the only file
 */

/**
 * @param {Finding} finding
 * @param {string} format `terminal`, `full` for all of it in a terminal, `markdown`, `html`, `json`, or one of another tool
 * @param {Io} io
 * @returns {Promise<string>}
 * @throws {UsageError} where only a comparison has that format
 */
export async function formatFinding({ document, shorter = [], data, comparison }, format, io) {
  if (EXPORT_FORMATS.includes(format)) {
    if (comparison !== undefined) return exportComparison(comparison, format);
    throw new UsageError(`a study has no format '${format}', which is of comparisons`, {
      remedy: 'it has terminal, markdown, html and json',
    });
  }
  switch (format) {
    case 'markdown':
      return renderMarkdown(document);
    case 'html': {
      const { PAGE_ASSETS } = await import('../../reports/document/assets.js');
      const { renderSmallHtml } = await import('../../reports/document/html.js');
      return renderSmallHtml([() => document, ...shorter], await readAssets(PAGE_ASSETS));
    }
    case 'json':
      return `${escapeJson(JSON.stringify(data, null, 2))}\n`;
    default:
      return renderTerminal(document, { ...terminalOf(io), full: format === 'full' });
  }
}

/**
 * Writes `NAME.json` into a directory, and `NAME.md` and `NAME.html` if it has pages, and prints the document.
 *
 * @param {Finding} finding
 * @param {object} place
 * @param {string} place.path
 * @param {string} place.name
 * @param {string} [place.dataName] of the JSON, where it has another
 * @param {ErrorContext} place.owner for messages
 * @param {Io} io
 * @param {string} [format] that is printed
 */
export async function publishFinding(
  finding,
  { path, name, dataName = name, owner },
  io,
  format = 'terminal',
) {
  const write = async (/** @type {string} */ fileName, /** @type {string} */ form) =>
    writeAtomic(join(path, fileName), await formatFinding(finding, form, io), owner);
  // Data first, then what is printed, then the page: it is the largest and may fill the disk.
  await write(`${dataName}.json`, 'json');
  io.stdout.write(await formatFinding(finding, format, io));
  if (finding.hasPage === false) return;
  await write(`${name}.md`, 'markdown');
  await write(`${name}.html`, 'html');
}

// Content is loaded on demand, because plots need a large library.

/** @type {(run: JudgedRun, io: Io) => Promise<Finding>} */
export async function comparisonFinding({ path, ...run }, io) {
  const { manifest, verdict, observations, profiles, hosts = [] } = run;
  const { describeComparison, listShorterComparisons, orderVerdict } =
    await import('../../reports/content/comparison.js');
  const runPath = showPath(path, io.workingPath);
  const input = { manifest, verdict, observations, profiles, hosts, runPath };
  return {
    document: describeComparison(input),
    shorter: listShorterComparisons(input),
    data: orderVerdict(verdict),
    comparison: input,
  };
}

/**
 * @param {string} path
 * @param {Omit<ProfiledVariant, 'path'>} profiled
 * @param {Io} io
 * @returns {Promise<Finding>} whose data has the functions in order of their own time or bytes
 */
export async function profileFinding(path, { spec, recorded, disturbances = [] }, io) {
  const { describeProfile } = await import('../../reports/content/profile.js');
  const shownPath = showPath(path, io.workingPath);
  const jobs = recorded.map(({ observation, profile, functions }) => ({
    observation,
    unit: profile?.unit ?? null,
    functions: functions.toSorted((one, other) => other.self - one.self),
  }));
  return {
    document: describeProfile({ spec, recorded, disturbances, path: shownPath }),
    data: { formatVersion: FORMAT_VERSION, spec, path: shownPath, disturbances, jobs },
  };
}
