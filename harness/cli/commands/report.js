import { resolve } from 'node:path';
import { UsageError } from '../../lib/errors.js';
import { EXIT } from '../../lib/exit-status.js';
import { FORMAT } from '../options.js';

/** @import { Io } from '../cli.js' */
/** @import { Finding } from '../publish.js' */
/** @import { CommandDeclaration, OptionValues } from '../types.ts' */

const OPTIONS = { format: FORMAT };

/** @type {CommandDeclaration} */
export const command = {
  summary: 'judge and render a run again, without measuring',
  arguments: [
    ['<run>', 'directory of a run, reproduction, calibration, comparison of tools or profile'],
  ],
  options: OPTIONS,
  run,
};

/**
 * @param {string[]} args
 * @param {OptionValues<typeof OPTIONS>} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
async function run([typed], { format }, io) {
  const { isProfile, readProfileText } = await import('../../run/store.js');
  const path = resolve(io.workingPath, typed);
  if (isProfile(path)) {
    requireFormat([{ name: 'terminal' }], format);
    io.stdout.write(readProfileText(path));
    return EXIT.done;
  }
  const { formatFinding } = await import('../publish.js');
  const finding = await readFinding(path, io);
  io.stdout.write(
    finding === null ? await formatRun(path, format, io) : await formatFinding(finding, format, io),
  );
  return EXIT.done;
}

/**
 * Reads what a study found. The trials of a calibration are judged again.
 *
 * @param {string} path
 * @param {Io} io
 * @returns {Promise<Finding | null>} null where the directory is not that of a study
 */
async function readFinding(path, io) {
  const { analyseCalibration } = await import('../../stats/calibration/calibration.js');
  const { readCalibration } = await import('../../studies/calibration/store.js');
  const { CALIBRATION, isStudy, PEERS, readStudy, REPRODUCTION } =
    await import('../../studies/study.js');
  const { calibrationFinding, peersFinding, reproductionFinding } = await import('../publish.js');

  if (isStudy(REPRODUCTION, path)) {
    return reproductionFinding(path, await readStudy(REPRODUCTION, path), io);
  }
  if (isStudy(PEERS, path)) return peersFinding(path, await readStudy(PEERS, path), io);
  if (!isStudy(CALIBRATION, path)) return null;
  const { calibration: head, ...measured } = await readCalibration(path);
  return calibrationFinding(path, analyseCalibration({ head, ...measured }), io);
}

/**
 * Judges the observations of a run again.
 *
 * @param {string} path
 * @param {string} format
 * @param {Io} io
 */
async function formatRun(path, format, io) {
  const { readRun } = await import('../../run/store.js');
  const { analyzeRun, restoreSessionTotals } = await import('../../run/verdict.js');
  const { listRenderers, renderRun } = await import('../publish.js');
  const renderer = requireFormat(await listRenderers(), format);
  const stored = await readRun(path);
  const judged = await analyzeRun(stored, restoreSessionTotals(stored));
  return renderRun(renderer, { ...stored, ...judged }, io);
}

/**
 * @template {{ name: string }} OneRenderer
 * @param {OneRenderer[]} renderers
 * @param {string} format
 * @returns {OneRenderer}
 * @throws {UsageError} when there is none of that name
 */
function requireFormat(renderers, format) {
  const renderer = renderers.find(({ name }) => name === format);
  if (renderer !== undefined) return renderer;
  const names = renderers.map(({ name }) => name);
  throw new UsageError(`this has no format '${format}'`, { remedy: `it has ${names.join(', ')}` });
}
