import { Command } from 'commander';
import { didYouMean } from '../lib/words.js';
import { addCalibrate } from './program/calibrating.js';
import {
  addBisect,
  addCheck,
  addCompare,
  addFuzz,
  addPlan,
  addProfile,
  addReplay,
  addReproduce,
} from './program/measuring.js';
import {
  addClaims,
  addConvert,
  addImport,
  addMerge,
  addOpen,
  addPr,
  addReport,
  addSetup,
  addVariants,
} from './program/reading.js';

/** @import { Io, TextSink } from './cli.js' */

/**
 * The commands, their arguments and options. A command's module in `commands/` is loaded when it runs.
 *
 * @param {Io} io
 * @param {(status: number) => void} setStatus told the exit status of the command
 * @returns {Command}
 */
export function makeProgram(io, setStatus) {
  const program = new Command('just')
    .description('Assay proves or refutes performance claims about serializers.')
    .usage('COMMAND [OPTIONS]')
    .helpCommand(false)
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .showHelpAfterError("(add --help to see how it is used, or read 'just --list')")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      getOutHelpWidth: () => helpWidth(io.stdout),
      getErrHelpWidth: () => helpWidth(io.stderr),
    });

  /**
   * @param {string} name of a module in `commands/`, loaded only when it runs
   * @returns {(...args: unknown[]) => Promise<void>}
   */
  const run = (name) =>
    async function runCommand(...args) {
      const command = /** @type {Command} */ (args.pop());
      const options = args.pop();
      const { runCommand: start } = await import(`./commands/${name}.js`);
      setStatus(await start(args, options, io, command));
    };

  addCompare(program.command('compare')).action(run('compare'));
  addVariants(program.command('variants')).action(run('variants'));
  const corpora = program.command('corpora').description('list the corpora, or import documents');
  corpora
    .command('list', { isDefault: true })
    .description('list them')
    .argument('[names...]', 'tell more of these')
    .action(run('corpora-list'));
  addImport(corpora.command('import')).action(run('corpora-import'));
  addCheck(program.command('check')).action(run('check'));
  addFuzz(program.command('fuzz')).action(run('fuzz'));
  addReport(program.command('report')).action(run('report'));
  addOpen(program.command('open')).action(run('open'));
  addPr(program.command('pr')).action(run('pr'));
  addReplay(program.command('replay')).action(run('replay'));
  addClaims(program.command('claims')).action(run('claims'));
  addReproduce(program.command('reproduce')).action(run('reproduce'));
  addCalibrate(program.command('calibrate')).action(run('calibrate'));
  addBisect(program.command('bisect')).action(run('bisect'));
  addPlan(program.command('plan')).action(run('plan'));
  addMerge(program.command('merge')).action(run('merge'));
  addSetup(program.command('setup')).action(run('setup'));
  addProfile(program.command('profile')).action(run('profile'));
  addConvert(program.command('convert')).action(run('convert'));
  program
    .command('doctor')
    .description('say what this host does to figures, which tools are there, and what to do')
    .option('--json', 'as data')
    .action(run('doctor'));
  program.on('command:*', ([word]) => {
    const names = program.commands.map((command) => command.name());
    program.error(`error: no command '${word}'${didYouMean(word, names)}`);
  });
  return program;
}

/** @param {TextSink} sink */
function helpWidth(sink) {
  return Math.min(sink.columns ?? 80, 100);
}
