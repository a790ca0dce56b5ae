import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeProgram } from '../../cli/program.js';
import { hasStacks } from '../../profiling/evidence.js';
import { callAssay } from '../support/project.js';

/** @import { Command, Option } from 'commander' */

/**
 * A run that commands are called on.
 *
 * @typedef {object} PlacedRun
 * @property {string} path directory of the run
 * @property {string[]} parts directories of the shards it was merged from, or its own
 * @property {string[]} artefacts profile files, relative to its path
 */

/** Values of the first argument of a command, by its name: one list of words for each way to give
 * it. @type {Record<string, (run: PlacedRun) => string[][]>} */
const ARGUMENTS = {
  run: ({ path }) => [[path]],
  runs: ({ parts }) => [parts],
  report: ({ path }) =>
    [path, join(path, 'verdict.json'), join(path, 'report.html')]
      .filter((file) => existsSync(file))
      .map((file) => [file]),
  file: ({ path, artefacts }) => artefacts.filter(hasStacks).map((file) => [join(path, file)]),
};

const SILENT = { write: () => true };

/** The program without its actions, for its declarations. @returns {Promise<Command>} */
function declareProgram() {
  const io = /** @type {any} */ ({ stdout: SILENT, stderr: SILENT });
  return makeProgram(io, async () => {});
}

/**
 * Finds the commands that read runs by the names of their arguments.
 *
 * @returns {Promise<{ command: Command, measures: boolean }[]>} those that measure have the option `--wait`,
 *   for the host lock
 */
export async function listReaders() {
  const { commands } = await declareProgram();
  return commands
    .filter(({ registeredArguments: [first] }) => (first?.name() ?? '') in ARGUMENTS)
    .map((command) => ({ command, measures: findOption(command, '--wait') !== undefined }));
}

/**
 * Lists every way to call a command on a run: each form of its argument, each format but the default, and
 * as a check, in the last of these formats.
 *
 * @param {Command} command
 * @param {PlacedRun} run
 * @param {number} [turn] if it is given, only two of them; those of consecutive turns together are all
 * @returns {string[][]} argument lists of the program
 */
export function listCalls(command, run, turn) {
  const [argument] = command.registeredArguments;
  const given = ARGUMENTS[argument?.name() ?? '']?.(run) ?? [];
  const options = [[], ...listChoices(command, '--format'), ...listChoices(command, '--to')];
  if (findOption(command, '--check') !== undefined) {
    options.push([...(options.length > 1 ? (options.pop() ?? []) : []), '--check']);
  }
  // What it makes is beside the run, not among those of the checkout.
  const out = findOption(command, '--out') === undefined ? [] : ['--out', dirname(run.path)];
  const all = given.flatMap((words) =>
    options.map((option) => [command.name(), ...out, ...words, ...option]),
  );
  if (turn === undefined || all.length <= 2) return all;
  return [2 * turn, 2 * turn + 1].map((index) => all[index % all.length]);
}

/**
 * @param {Command} command
 * @param {string} long name of an option
 * @returns {string[][]} the option with each value that it does not have by default
 */
function listChoices(command, long) {
  const { argChoices = [], defaultValue } = findOption(command, long) ?? {};
  return argChoices.filter((choice) => choice !== defaultValue).map((choice) => [long, choice]);
}

/** @type {(command: Command, long: string) => Option | undefined} */
function findOption({ options }, long) {
  return options.find((option) => option.long === long);
}

/**
 * Runs Assay as in a terminal of 80 columns without colour.
 *
 * @param {string[]} argv
 * @param {string} workingPath
 */
export function callInTerminal(argv, workingPath) {
  const environment = { NO_COLOR: '1', ASSAY_LOCK_DIRECTORY: join(workingPath, 'locks') };
  return callAssay(argv, { workingPath, environment, columns: 80 });
}

/**
 * Checks that a printed command is accepted.
 *
 * @param {string[]} words after `just`
 * @returns {Promise<string | null>} the error, or null
 */
export async function refuseCommand(words) {
  const program = await declareProgram();
  /** @param {Command} command */
  const disarm = (command) => {
    command.action(() => {}).exitOverride();
    command.commands.forEach(disarm);
  };
  program.commands.forEach(disarm);
  try {
    await program.parseAsync(words, { from: 'user' });
    return null;
  } catch (error) {
    return /** @type {Error} */ (error).message;
  }
}
