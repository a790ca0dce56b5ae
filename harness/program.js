import { Command } from 'commander';
import { didYouMean } from './did-you-mean.js';

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
  program
    .command('claims')
    .description('list what others reported, and the last result here')
    .argument('[names...]', 'of these sources or claims')
    .action(run('claims'));
  addReproduce(program.command('reproduce')).action(run('reproduce'));
  addOpen(program.command('open')).action(run('open'));
  addProfile(program.command('profile')).action(run('profile'));
  program
    .command('convert')
    .description('write a profile in another format to standard output')
    .argument('<file>', '.cpuprofile, .heapprofile, .speedscope.json or .folded')
    .option('--to <format>', 'folded or speedscope', 'folded')
    .action(run('convert'));
  program
    .command('doctor')
    .description('say which recorders and tools are there, and what to install')
    .action(run('doctor'));
  program.on('command:*', ([word]) => {
    const names = program.commands.map((command) => command.name());
    program.error(`error: no command '${word}'${didYouMean(word, names)}`);
  });
  return program;
}

/** @param {Command} command */
function addCompare(command) {
  return command
    .description('say which of two variants is faster, by how much, and how sure that is')
    .argument('[baseline]', 'what is, as a variant spec')
    .argument('[candidate]', 'what might replace it')
    .option('--op <names>', 'operations, separated by commas')
    .option(
      '--corpus <names>',
      'corpora, separated by commas; NAME:COUNT for a number of documents',
    )
    .option('--mei <percent>', 'minimum effect of interest: smaller ones count as none', '3')
    .option('--budget <seconds>', 'stop measuring after this long')
    .option('--processes <number>', 'most processes a side, for small effects', '96')
    .option('--memory', 'after the time: bytes allocated, garbage collections, bytes retained')
    .option('--memory-only', 'the same without the time')
    .option(
      '--screen',
      'faster and steadier under node --predictable; not the operating point of a claim',
    )
    .option('--seed <number>', 'repeat the order of a run')
    .option(
      '--node-flag <flag>',
      'flag for the node of every timed job; may be repeated',
      collect,
      [],
    )
    .option('--accept <rows>', 'rows of the behaviour contract that may fail, by name')
    .option('--explain <cells>', 'profile cells that are differing, all, or none', 'differing')
    .option('--with <recorders>', 'record every cell with these too, by name (see just doctor)')
    .option('--instructions', 'instructions per document, counted under valgrind')
    .option('--whole-process', 'start-up plus work, timed by hyperfine')
    .option('--family <name>', 'where the specs do not tell')
    .option('--out <directory>', 'where the directory of the run is made (default: reports/runs)')
    .option('--check', 'exit with status 1 when the candidate is slower anywhere')
    .option('--resume <run>', 'go on with a run that was cut off')
    .addHelpText(
      'after',
      `
A variant spec is a built-in name (see just variants), npm:PACKAGE@1.2.3 or
path:DIRECTORY. A built-in name may set axes: linked-list+object-id=packed.
A corpus may give a count and where its documents come from: comments:100,
flat@deserialized, flat@literal.

Examples:
  just compare generator linked-list
  just compare npm:bson@7.2.0 npm:bson@7.3.1 --op serialize
  just compare npm:bson@7.3.1 path:../js-bson --corpus flat,deep@literal --mei 2
  just compare linked-list string-backed --corpus comments:1000 --memory
  just compare recursive recursive       the same twice: does the machine lie?
  just compare --resume reports/runs/RUN

Exit status: 0 done, 1 slower (with --check), 2 usage, 3 wrong bytes,
4 a worker failed, 130 interrupted.`,
    );
}

/** @param {Command} command */
function addVariants(command) {
  return command
    .description('list variants, axes and operations of each family')
    .argument('[names...]', 'tell all that is known of these variants');
}

/** @param {Command} command */
function addImport(command) {
  return command
    .description("take a user's own documents: Extended JSON, JSON lines or raw BSON")
    .argument('<name>', 'how it will be called on the command line')
    .argument('<file>')
    .option('--replace', 'when there is one of that name');
}

/** @param {Command} command */
function addCheck(command) {
  return command
    .description(
      'hold variants against the reference without timing: corpora, contract, vectors, limits',
    )
    .argument('<variants...>', 'variant specs')
    .option('--corpus <names>', 'corpora, separated by commas')
    .option('--family <name>', 'where the specs do not tell');
}

/** @param {Command} command */
function addFuzz(command) {
  return command
    .description('hold variants against the reference on mutated documents')
    .argument('<variants...>', 'variant specs')
    .option('--for <time>', 'how long for each variant: 60s, 5m (default: 60s)')
    .option('--documents <number>', 'how many for each variant, however long that takes')
    .option('--seed <number>', 'make the same documents again')
    .option(
      '--corpus-dir <directory>',
      "where cases are kept and taken from (default: the family's fuzz/cases, which tests replay)",
    )
    .option('--family <name>', 'where the specs do not tell')
    .addHelpText(
      'after',
      `
Examples:
  just fuzz linked-list --for 60s
  just fuzz linked-list recursive --documents 2000000 --seed 7
  just fuzz path:../js-bson --corpus-dir fuzz-cases

Exit status: 0 no difference, 2 usage, 3 a document on which they part, 4 the
worker failed, 130 interrupted.`,
    );
}

/** @param {Command} command */
function addReport(command) {
  return command
    .description('judge and render a run again, without measuring')
    .argument('<run>', 'directory of the run')
    .option('--format <name>', 'terminal, markdown, html or json', 'terminal');
}

/** @param {Command} command */
function addReproduce(command) {
  return command
    .description('measure what claims need, and say which hold here')
    .argument('[names...]', 'sources or claims, as NODE-7606 or NODE-7606/flat-serialize')
    .option('--all', 'every claim')
    .option('--budget <time>', 'for all of it: 90s, 9m, 1h', '9m')
    .option('--seed <number>', 'repeat the order of a run')
    .option('--out <directory>', 'where the directory is made (default: reports/runs)');
}

/** @param {Command} command */
function addOpen(command) {
  return command
    .description('open the report of a run in the browser')
    .argument('[run]', 'directory of the run (default: the last one)');
}

/** @param {Command} command */
function addProfile(command) {
  return command
    .description('record where a variant spends its time, without comparing')
    .argument('<variant>', 'as a variant spec')
    .option('--op <names>', 'operations, separated by commas', 'serialize')
    .option('--corpus <names>', 'corpora, separated by commas', 'flat')
    .option('--with <recorders>', 'which recorders, by name (see just doctor)')
    .option(
      '--node-flag <flag>',
      'flag for the node that is recorded; may be repeated',
      collect,
      [],
    )
    .option('--family <name>', 'where the spec does not tell')
    .option('--out <directory>', 'where the directory is made (default: reports/runs)');
}

/**
 * @param {string} value
 * @param {string[]} [previous]
 */
function collect(value, previous = []) {
  return [...previous, value];
}

/** @param {TextSink} sink */
function helpWidth(sink) {
  return Math.min(sink.columns ?? 80, 100);
}
