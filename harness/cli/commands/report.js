import { resolve } from 'node:path';
import { EXIT, UsageError } from '../../lib/errors.js';
import { FORMAT } from '../options.js';

/** @import { Io } from '../cli.js' */
/** @import { Finding } from '../publish.js' */
/** @import { CommandDeclaration, OptionValues } from '../types.ts' */

const OPTIONS = { format: FORMAT };

/** @type {CommandDeclaration} */
export const command = {
  summary: 'judge and render a run again, without measuring',
  arguments: [
    [
      '<run>',
      'directory of a run, trend, reproduction, calibration, comparison of tools or profile',
    ],
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
    if (format !== 'terminal') {
      throw new UsageError(`a profile has no format '${format}'`, { remedy: 'it has terminal' });
    }
    io.stdout.write(readProfileText(path));
    return EXIT.done;
  }
  const { formatFinding } = await import('../publish.js');
  io.stdout.write(await formatFinding(await readFinding(path, io), format, io));
  return EXIT.done;
}

/**
 * Reads what a study or a run found. The trials of a calibration and the observations of a run are
 * judged again.
 * @type {(path: string, io: Io) => Promise<Finding>}
 */
async function readFinding(path, io) {
  const { analyseCalibration } = await import('../../stats/calibration/calibration.js');
  const { readCalibration } = await import('../../studies/calibration/store.js');
  const { CALIBRATION, isStudy, PEERS, readStudy, REPRODUCTION, TREND } =
    await import('../../studies/study.js');
  const { calibrationFinding, peersFinding, reproductionFinding } = await import('../publish.js');

  if (isStudy(REPRODUCTION, path)) {
    return await reproductionFinding(path, await readStudy(REPRODUCTION, path), io);
  }
  if (isStudy(TREND, path)) {
    const { trendFinding } = await import('../trend-finding.js');
    return trendFinding(path, await readStudy(TREND, path), io);
  }
  if (isStudy(PEERS, path)) return await peersFinding(path, await readStudy(PEERS, path), io);
  if (!isStudy(CALIBRATION, path)) return judgeRun(path, io);
  const { calibration: head, ...measured } = await readCalibration(path);
  const isMeasured = measured.trials.length + measured.placementObservations.length > 0;
  // A published calibration.json comes without the journals: its results are shown as they are.
  const calibration = isMeasured ? analyseCalibration({ head, ...measured }) : head;
  return await calibrationFinding(path, calibration, io);
}

/** @type {(path: string, io: Io) => Promise<Finding>} */
async function judgeRun(path, io) {
  const { readRun } = await import('../../run/store.js');
  const { analyzeRun } = await import('../../run/verdict.js');
  const { comparisonFinding } = await import('../publish.js');
  const stored = await readRun(path);
  const judged = await analyzeRun(stored);
  return await comparisonFinding({ ...stored, ...judged }, io);
}
