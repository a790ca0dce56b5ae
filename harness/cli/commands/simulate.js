import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { EXIT, FormatError, UsageError } from '../../lib/errors.js';
import { readJsonObject, readText, writeAtomic } from '../../lib/files.js';
import { countOf } from '../../lib/numbers.js';
import { PROGRAM } from '../../lib/program.js';
import { FORMAT, HOST_OPTIONS, SEED, option, wholeNumber } from '../options.js';

/** @import { Io } from '../cli.js' */
/** @import { SimulatedYears } from '../../formats/types.ts' */
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
  years: option(
    '--years <file>',
    'simulate years of a followed branch instead; the file keeps what is done',
    String,
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
async function run([names], options, io) {
  const { runs, seed = 1, format, quiet, years } = options;
  if (years !== undefined) return runYears(names, { ...options, years }, io);
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

/**
 * @param {string[]} names none
 * @param {OptionValues<typeof OPTIONS> & { years: string }} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 * @throws {UsageError} when names are given, or the file is of another simulation
 */
async function runYears(names, { runs, seed = 1, format, quiet, years }, io) {
  const { describeYears } = await import('../../../reports/content/years.js');
  const { listParts, nameOfPart, playPart } = await import('../../studies/simulation/years.js');
  const { formatFinding } = await import('../publish.js');
  const { makeProgressPrinter } = await import('../progress.js');
  const path = resolve(io.workingPath, years);
  const data = readYears(path, years) ?? { seed, runs, parts: [] };
  if (names.length > 0 || data.seed !== seed || data.runs !== runs) {
    throw new UsageError(
      names.length > 0
        ? '--years simulates no scenarios'
        : `'${years}' is of --runs ${data.runs} --seed ${data.seed}`,
      { remedy: names.length > 0 ? 'leave the names out' : 'name another file, or these options' },
    );
  }
  const print = makeProgressPrinter(io, quiet);
  const parts = listParts(runs);
  for (const [index, part] of parts.entries()) {
    const name = nameOfPart(part);
    if (data.parts.some((done) => nameOfPart(done.part) === name)) continue;
    if (io.signal.aborted) return EXIT.interrupted;
    data.parts.push({ part, result: playPart(part, seed) });
    writeAtomic(path, `${JSON.stringify(data)}\n`);
    print(() => ({ step: `${index + 1} of ${countOf(parts.length, 'part')} · ${name}` }));
    // Lets a signal arrive.
    await setImmediate();
  }
  const command = `${PROGRAM} simulate --years ${years} --runs ${runs} --seed ${seed}`;
  io.stdout.write(
    await formatFinding({ document: describeYears(data, { command }), data }, format, io),
  );
  return EXIT.done;
}

/**
 * @param {string} path
 * @param {string} typed
 * @returns {SimulatedYears | null} null where there is no such file
 * @throws {FormatError} when it is another one
 */
function readYears(path, typed) {
  if (!existsSync(path)) return null;
  const [where, remedy] = [`'${typed}'`, 'name another file'];
  const value = readJsonObject(readText(path, where, remedy), where, remedy);
  if (Array.isArray(value.parts)) return /** @type {any} */ (value);
  throw new FormatError(`${where} is no simulation of years`, { remedy });
}
