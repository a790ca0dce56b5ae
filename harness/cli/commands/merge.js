import { resolve } from 'node:path';
import { formatQuestion } from '../invocation.js';
import { CHECK, HOST_OPTIONS } from '../options.js';
import { COMPARE } from './compare.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration, OptionValues } from '../types.ts' */
/** @import { Part } from '../../studies/shards/merge.js' */

const OPTIONS = { out: HOST_OPTIONS.out, check: CHECK };

/** @type {CommandDeclaration} */
export const command = {
  summary: 'combine the parts of a plan into one run',
  arguments: [['<runs...>', 'directories of the runs of all parts']],
  options: OPTIONS,
  run,
};

/**
 * @param {[string[]]} args
 * @param {OptionValues<typeof OPTIONS>} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
async function run([paths], { out, check }, io) {
  const { readRun } = await import('../../run/store.js');
  const { listVariants } = await import('../../stats/plan.js');
  const { mergeRuns } = await import('../../studies/shards/merge.js');
  const { findExitStatus } = await import('../comparison.js');
  const { publishRun } = await import('../publish.js');
  const { findRunsPath, openSession } = await import('../session.js');

  /** @type {Part[]} */
  const parts = [];
  for (const name of paths) {
    parts.push({ name, run: await readRun(resolve(io.workingPath, name)) });
  }
  const runsPath = findRunsPath(out, io);
  const merged = await mergeRuns(parts, {
    runsPath,
    createdAt: new Date(),
    formatCommand: (question) =>
      formatQuestion(COMPARE, question, { args: listVariants(question) }),
    session: openSession(io, { quiet: true }),
  });
  await publishRun(merged, io);
  return findExitStatus(merged.verdict, check === true);
}
