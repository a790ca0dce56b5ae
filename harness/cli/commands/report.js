import { resolve } from 'node:path';
import { EXIT, UsageError } from '../../lib/errors.js';
import { COMPARISON_FORMAT, FULL, isForTerminal, printedFormat } from '../options.js';

/** @import { Io } from '../cli.js' */
/** @import { Finding } from '../publish.js' */
/** @import { CommandDeclaration, OptionValues } from '../types.ts' */

const OPTIONS = { full: FULL, format: COMPARISON_FORMAT };

/** @type {CommandDeclaration} */
export const command = {
  summary: 'judge and render a run again, without measuring',
  arguments: [['<run>', 'directory of a run, a study or a profile']],
  options: OPTIONS,
  run,
};

/**
 * @param {string[]} args
 * @param {OptionValues<typeof OPTIONS>} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
async function run([typed], options, io) {
  const { isProfile, readProfileText } = await import('../../run/store.js');
  const format = printedFormat(options);
  const path = resolve(io.workingPath, typed);
  if (isProfile(path)) {
    if (!isForTerminal(format)) {
      throw new UsageError(`a profile has no format '${format}'`, { remedy: 'it has terminal' });
    }
    io.stdout.write(readProfileText(path));
    return EXIT.done;
  }
  const { readStudyFinding } = await import('../findings.js');
  const { formatFinding } = await import('../publish.js');
  const finding = (await readStudyFinding(path, io)) ?? (await judgeRun(path, io));
  io.stdout.write(await formatFinding(finding, format, io));
  return EXIT.done;
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
