import { availableParallelism } from 'node:os';
import { EXIT, UsageError } from '../../lib/errors.js';
import { countOf } from '../../lib/numbers.js';
import { PROGRAM } from '../../lib/program.js';
import { FORMAT, HOST_OPTIONS, SEED, option, wholeNumber } from '../options.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration, OptionValues } from '../types.ts' */

const OPTIONS = {
  runs: option(
    '--runs <number>',
    'runs of each scenario',
    wholeNumber({ from: 1, to: 1_000_000 }),
    {
      default: '1000',
    },
  ),
  seed: SEED,
  format: FORMAT,
  quiet: HOST_OPTIONS.quiet,
};

/** @type {CommandDeclaration} */
export const command = {
  summary: 'measure the error rates and the power of the decision rules on simulated runs',
  notes:
    'Simulates runs with a known truth, judges them as real ones are judged, and counts what is wrong, missed and overlooked. Exit status 1: a share is above its limit beyond chance.',
  arguments: [['[names...]', 'parts of the names of scenarios, by default all']],
  options: OPTIONS,
  run,
};

/**
 * @param {[string[]]} args
 * @param {OptionValues<typeof OPTIONS>} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 * @throws {UsageError} when no scenario has such a name
 */
async function run([names], { runs, seed = 1, format, quiet }, io) {
  const { describeSimulation, isBroken } = await import('../../../reports/content/simulation.js');
  const { findScenarios } = await import('../../studies/simulation/scenarios.js');
  const { simulateAll } = await import('../../studies/simulation/run.js');
  const { formatFinding } = await import('../publish.js');
  const { makeProgressPrinter } = await import('../progress.js');
  const scenarios = findScenarios(names);
  if (scenarios.length === 0) {
    throw new UsageError(`no scenario has '${names.join("' or '")}' in its name`, {
      remedy: `'${PROGRAM} simulate --runs 1' lists all of them`,
    });
  }
  const print = makeProgressPrinter(io, quiet);
  const results = await simulateAll(scenarios, {
    runs,
    seed,
    threads: Math.min(availableParallelism(), scenarios.length),
    onDone: (name, done) =>
      print(() => ({ step: `${done} of ${countOf(scenarios.length, 'scenario')} · ${name}` })),
    signal: io.signal,
  });
  const command = [
    `${PROGRAM} simulate`,
    ...names.map((name) => `'${name}'`),
    `--runs ${runs}`,
    `--seed ${seed}`,
  ];
  const document = describeSimulation(results, { command: command.join(' '), runs });
  io.stdout.write(await formatFinding({ document, data: results }, format, io));
  return results.some(isBroken) ? EXIT.regression : EXIT.done;
}
