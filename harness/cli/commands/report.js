import { resolve } from 'node:path';
import { UsageError } from '../../lib/errors.js';
import { EXIT } from '../../lib/exit-status.js';
import { FORMAT } from '../options.js';

/** @import { Io } from '../cli.js' */
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
 * The observations of runs and calibrations are judged again. Reproductions and comparisons of tools are
 * rendered as they were judged, and of a profile the text is printed again.
 *
 * @param {string[]} args
 * @param {OptionValues<typeof OPTIONS>} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
async function run([typed], { format }, io) {
  const path = resolve(io.workingPath, typed);
  const render = await chooseRendering(path);
  io.stdout.write(await render(path, format, io));
  return EXIT.done;
}

/** @param {string} path */
async function chooseRendering(path) {
  const { isProfile } = await import('../../run/store.js');
  const { CALIBRATION, isStudy, PEERS, REPRODUCTION } = await import('../../studies/study.js');
  if (isStudy(REPRODUCTION, path)) return renderOneReproduction;
  if (isProfile(path)) return renderOneProfile;
  if (isStudy(PEERS, path)) return renderOnePeersComparison;
  return isStudy(CALIBRATION, path) ? renderOneCalibration : renderOneRun;
}

/**
 * @param {string} path
 * @param {string} format
 * @param {Io} io
 */
async function renderOneRun(path, format, io) {
  const { readRun } = await import('../../run/store.js');
  const { analyzeRun, restoreSessionTotals } = await import('../../run/verdict.js');
  const { listRenderers, renderRun } = await import('../publish.js');
  const renderer = chooseRenderer(await listRenderers(), format);
  const stored = await readRun(path);
  const judged = await analyzeRun(stored, restoreSessionTotals(stored));
  return renderRun(renderer, { ...stored, ...judged }, io);
}

/**
 * @param {string} path
 * @param {string} format
 * @param {Io} io
 */
async function renderOneReproduction(path, format, io) {
  const { readStudy, REPRODUCTION } = await import('../../studies/study.js');
  const { formatFinding, reproductionFinding } = await import('../publish.js');
  const reproduction = await readStudy(REPRODUCTION, path);
  return formatFinding(reproductionFinding(path, reproduction, io), format, io);
}

/**
 * @param {string} path
 * @param {string} format
 * @param {Io} io
 */
async function renderOneCalibration(path, format, io) {
  const { analyseCalibration } = await import('../../stats/calibration/calibration.js');
  const { readCalibration } = await import('../../studies/calibration/store.js');
  const { calibrationFinding, formatFinding } = await import('../publish.js');
  const { calibration: head, ...measured } = await readCalibration(path);
  const calibration = analyseCalibration({ head, ...measured });
  return formatFinding(calibrationFinding(path, calibration, io), format, io);
}

/**
 * @param {string} path
 * @param {string} format
 * @param {Io} io
 */
async function renderOnePeersComparison(path, format, io) {
  const { PEERS, readStudy } = await import('../../studies/study.js');
  const { formatFinding, peersFinding } = await import('../publish.js');
  return formatFinding(peersFinding(path, await readStudy(PEERS, path), io), format, io);
}

/**
 * @param {string} path
 * @param {string} format
 * @returns {Promise<string>}
 * @throws {UsageError} when it is not the format of the terminal
 */
async function renderOneProfile(path, format) {
  const { readProfileText } = await import('../../run/store.js');
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
  throw new UsageError(`this has no format '${format}'`, { remedy: `it has ${names.join(', ')}` });
}
