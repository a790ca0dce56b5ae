import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { UsageError } from '../lib/errors.js';
import { IS_INSTALLED, PROGRAM } from '../lib/program.js';
import { PROJECT } from '../lib/project.js';
import { didYouMean } from '../lib/words.js';

/** @import { Io, TextSink } from './cli.js' */
/** @import { CommandDeclaration, Invocation, OptionDeclaration } from './types.ts' */

/**
 * What starts a command.
 *
 * @typedef {(command: CommandDeclaration, args: unknown[], options: object, invocation: Invocation) => Promise<void>} Start
 */

/** @returns {string[]} names of the files in `commands/` */
export function listCommands() {
  return readdirSync(new URL('commands/', import.meta.url))
    .filter((file) => file.endsWith('.js') && !file.endsWith('.test.js'))
    .map((file) => file.slice(0, -'.js'.length))
    .sort();
}

/** The declaration of a command. @type {(name: string) => Promise<CommandDeclaration>} */
async function loadCommand(name) {
  return (await import(`./commands/${name}.js`)).command;
}

/**
 * Builds the program from the declarations of its commands.
 *
 * @param {Pick<Io, 'stdout' | 'stderr'>} io
 * @param {Start} start
 * @param {string[]} [names] of the commands that are needed; of none, all are there with their summaries alone
 * @returns {Promise<Command>} whose errors are `UsageError`s
 */
export async function makeProgram(io, start, names = listCommands()) {
  const program = new Program(PROGRAM)
    .description('Assay proves or refutes performance claims about serializers.')
    .usage('COMMAND [OPTIONS]')
    .helpCommand(false)
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      getOutHelpWidth: () => helpWidth(io.stdout),
      getErrHelpWidth: () => helpWidth(io.stderr),
    });
  program.version(`assay ${readVersion()}`, '--version', 'show the version of Assay');
  for (const name of names) addCommand(program, name, await loadCommand(name), start);
  if (names.length > 0) return program;
  for (const name of listCommands()) program.command(name).description(readSummary(name));
  return program;
}

/** The summary of a command, from its source: loading all commands would take longer than Node. @type {(name: string) => string} */
function readSummary(name) {
  const source = readFileSync(new URL(`commands/${name}.js`, import.meta.url), 'utf8');
  const [, , summary = ''] = /^ {2}summary:\s*(['"])(.*)\1,$/m.exec(source) ?? [];
  return summary;
}

/** @returns {string} */
function readVersion() {
  return JSON.parse(readFileSync(join(PROJECT.assayPath, 'package.json'), 'utf8')).version;
}

/**
 * @param {string | undefined} word the first one that was typed
 * @returns {string[]} names of the commands whose declarations are needed: none for the list of all
 * @throws {UsageError} when it is neither an option nor a command
 */
export function chooseCommands(word) {
  const names = listCommands();
  if (word === undefined || word.startsWith('-')) return [];
  // One command needs no declarations of the others.
  if (names.includes(word)) return [word];
  throw new UsageError(`no command '${word}'${didYouMean(word, names)}`, {
    remedy: `'${PROGRAM} ${IS_INSTALLED ? '--help' : '--list'}' shows all commands`,
  });
}

/** Throws where commander would print. */
class Program extends Command {
  /**
   * @override
   * @param {string} name
   */
  createCommand(name) {
    return new Program(name);
  }

  /**
   * @override
   * @param {string} message
   * @returns {never}
   */
  error(message) {
    throw new UsageError(message.replace(/^error: /, '').replaceAll('\n', ' '), {
      remedy: `see '${[PROGRAM, nameOf(this), '--help'].filter(Boolean).join(' ')}'`,
    });
  }
}

/** @type {(command: Command) => string} `corpora import`; empty for the program */
function nameOf(command) {
  const { parent } = command;
  return parent === null ? '' : `${nameOf(parent)} ${command.name()}`.trim();
}

/**
 * @param {Command} parent
 * @param {string} name
 * @param {CommandDeclaration} declaration
 * @param {Start} start
 * @param {boolean} [isDefault] whether it is meant where no subcommand is named
 */
function addCommand(parent, name, declaration, start, isDefault = false) {
  const { summary, notes, options = {}, subcommands = {} } = declaration;
  const command = parent.command(name, { isDefault }).description(summary);
  for (const [flags, text] of declaration.arguments ?? []) command.argument(flags, text);
  /** @type {Record<string, string | string[] | true>} */
  const texts = {};
  for (const [key, option] of Object.entries(options)) {
    command.addOption(makeOption(key, option));
    command.on(
      `option:${longOf(option).slice('--'.length)}`,
      (/** @type {string | null} */ text) => {
        texts[key] = option.repeatable
          ? /** @type {string[]} */ ([texts[key] ?? [], text].flat())
          : (text ?? true);
      },
    );
  }
  if (notes !== undefined) command.addHelpText('after', `\n${notes.trim()}`);
  for (const [index, [word, one]] of Object.entries(subcommands).entries()) {
    addCommand(command, word, one, start, index === 0);
  }
  if (declaration.run === undefined) return;
  command.action((...given) => {
    // Commander adds the values of the options and the command itself.
    const args = given.slice(0, -2);
    const invocation = { name: nameOf(command), options, args: command.args, texts };
    requireAlone(invocation);
    return start(declaration, args, command.opts(), invocation);
  });
}

/**
 * @param {string} key attribute name
 * @param {OptionDeclaration<any>} declaration
 * @returns {Option}
 */
function makeOption(key, declaration) {
  const { flags, summary, parse, choices, default: usual, repeatable, conflicts } = declaration;
  const option = new Option(flags, summary);
  if (option.attributeName() !== key) throw new Error(`'${flags}' is declared as '${key}'`);
  if (choices !== undefined) option.choices(choices);
  if (conflicts !== undefined) option.conflicts([...conflicts]);
  if (repeatable) option.argParser((text, before = []) => [...before, text]);
  else if (parse !== undefined) option.argParser((text) => parse(text));
  if (usual !== undefined) option.default(parse?.(usual), usual);
  return option;
}

/** @param {OptionDeclaration<any>} declaration */
function longOf({ flags }) {
  return flags.replace(/ .*/, '');
}

/**
 * @param {Invocation} invocation
 * @throws {UsageError} when something is given beside an option that stands alone
 */
function requireAlone({ options, args, texts }) {
  const given = Object.keys(options).filter((key) => key in texts);
  for (const key of given) {
    const { alone } = options[key];
    if (alone === undefined) continue;
    const other = given.find((name) => name !== key && !alone.but.includes(name));
    const foreign = args.length > 0 ? `'${args[0]}'` : other && longOf(options[other]);
    if (foreign === undefined) continue;
    const allowed = alone.but.map((name) => longOf(options[name])).join(', ');
    throw new UsageError(
      `${longOf(options[key])} cannot be combined with ${foreign}: ${alone.because}`,
      { remedy: `it can be combined with ${allowed.replace(/, (?=[^,]*$)/, ' and ')}` },
    );
  }
}

/** @param {TextSink} sink */
function helpWidth(sink) {
  return Math.min(sink.columns ?? 80, 100);
}

/** Sets an axis by its name and value together. */
const SET = '--set';
const OPTION = /^(--[a-z][a-z0-9-]*)(?:=(.*))?$/s;

/**
 * Lets an axis of a family be set like an option: `--buffer direct` becomes `--set buffer=direct`.
 * Families are only loaded if a command that sets axes is given an option that it does not have.
 *
 * @param {string[]} argv
 * @param {Command} program
 * @returns {Promise<string[]>}
 * @throws {UsageError} when an axis has no value
 */
export async function expandAxisOptions(argv, program) {
  const command = program.commands.find((candidate) => candidate.name() === argv[0]);
  const known = new Set(command?.options.map(({ long }) => long)).add('--help');
  if (!known.has(SET)) return argv;
  const isUnknown = (/** @type {string} */ word) => {
    const name = OPTION.exec(word)?.[1];
    return name !== undefined && !known.has(name);
  };
  if (!argv.some(isUnknown)) return argv;
  const { listFamilies } = await import('../variants/families.js');
  const families = await listFamilies(PROJECT.experimentsPath);
  const axes = new Set(families.flatMap((family) => family.axes.map(({ name }) => `--${name}`)));
  const expanded = [];
  for (let index = 0; index < argv.length; index++) {
    const [, name, given] = OPTION.exec(argv[index]) ?? [];
    const value = given ?? argv[index + 1];
    if (name === undefined || known.has(name) || !axes.has(name)) {
      expanded.push(argv[index]);
      continue;
    }
    if (value === undefined || value === '' || value.startsWith('--')) {
      throw new UsageError(`the axis ${name} needs a value`, {
        remedy: `write ${name} VALUE; '${PROGRAM} variants' lists the values`,
      });
    }
    expanded.push(SET, `${name.slice('--'.length)}=${value}`);
    if (given === undefined) index++;
  }
  return expanded;
}
