import { versions } from 'node:process';
import { listVariants } from '../stats/plan.js';
import { splitWords } from '../testing/matrix/checks.js';
import { askComparison } from './comparison.js';
import { asCommand, formatInvocation, formatQuestion } from './invocation.js';
import { listCommands, makeProgram } from './program.js';

/** @import { CommandDeclaration, Invocation, OptionDeclaration } from './types.ts' */

/** Options that the repeated command leaves out, with the reason. */
const TRANSIENT = {
  format: 'says how results are printed, not what is measured',
  full: 'says how much of a report is printed',
  out: 'says where results go, not what is measured',
  wait: 'says when to measure, not what',
  fleet: 'says where to measure, not what',
  quiet: 'says what is shown meanwhile',
  check: 'changes the exit status alone',
  resume: 'a repetition measures everything anew',
  reuse: 'likewise',
  record: 'says where results go, too',
  node: 'is part of --runtime by then',
  set: 'is part of the variant specs by then',
  pr: 'is part of the variant specs by then',
  base: 'likewise',
};

const SILENT = { stdout: { write: () => true }, stderr: { write: () => true } };
const IO = {
  ...SILENT,
  environment: {},
  workingPath: process.cwd(),
  signal: new AbortController().signal,
};

/**
 * @typedef {object} Parsed
 * @property {CommandDeclaration} declaration
 * @property {any} args
 * @property {any} options
 * @property {Invocation} invocation
 */

/** @type {(argv: string[]) => Promise<Parsed>} */
async function parse(argv) {
  /** @type {Parsed[]} */
  const parsed = [];
  const program = await makeProgram(SILENT, async (declaration, args, options, invocation) => {
    parsed.push({ declaration, args, options, invocation });
  });
  await program.parseAsync(argv, { from: 'user' });
  return parsed[0];
}

/** @param {string} command as it is printed */
const parseAgain = (command) => parse(splitWords(command).slice(1));

/** Everything that a command was given, but for what is transient. @param {Parsed} parsed */
function listGiven({ declaration, args, options }) {
  const lasting = Object.entries(options).filter(
    ([key]) => declaration.options?.[key].transient !== true,
  );
  return { args, options: Object.fromEntries(lasting) };
}

/** @type {{ name: string, command: CommandDeclaration }[]} */
const MEASURING = [];
for (const name of listCommands()) {
  /** @type {{ command: CommandDeclaration }} */
  const { command } = await import(`./commands/${name}.js`);
  // Commands that measure wait for the host; `plan` prints such commands.
  if ('wait' in (command.options ?? {}) || name === 'plan') MEASURING.push({ name, command });
}

/** One word for each argument. @param {CommandDeclaration} command */
const listArguments = ({ arguments: declared = [] }) =>
  declared.flatMap(([flags], index) => (flags.includes('...') ? [`a${index}`, 'b'] : `a${index}`));

/** Values of options that have a meaning for `compare generator linked-list`. */
const MEANINGFUL = new Map([
  ['op', 'deserialize'],
  ['corpus', 'deep,flat'],
  ['node', versions.node],
  ['runtime', 'node'],
  ['with', 'cpu-profile'],
  ['family', 'js-bson'],
  ['nodeFlag', '--max-old-space-size=512'],
  ['accept', 'json'],
  ['reference', 'recursive'],
  ['shard', '1/2'],
  ['asOf', '2026-01-31'],
]);

/**
 * @param {string} key
 * @param {OptionDeclaration<any>} option
 * @returns {string[]} the option with a value that it takes
 */
function giveOption(key, { flags, choices, parse: read }) {
  const [long, placeholder] = flags.split(' ');
  if (placeholder === undefined) return [long];
  const values = [MEANINGFUL.get(key), choices?.at(-1), "a 'quoted' word", '20'];
  const value = values.find((text) => {
    try {
      return text !== undefined && (read?.(text), true);
    } catch {
      return false;
    }
  });
  return [`${long}=${value}`];
}

test('commands that measure are found', () => {
  expect(MEASURING.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['bisect', 'calibrate', 'compare', 'plan', 'replay', 'reproduce']),
  );
});

test('nothing is transient without a reason', () => {
  const keys = MEASURING.flatMap(({ command: { options = {} } }) =>
    Object.keys(options).filter((key) => options[key].transient),
  );
  expect(new Set(keys)).toEqual(new Set(Object.keys(TRANSIENT)));
});

describe.each(MEASURING)('just $name', ({ name, command }) => {
  const options = Object.entries(command.options ?? {});
  const repeated = options.filter(([, { transient }]) => transient !== true);

  test.each(repeated)('repeats --%s', async (key, option) => {
    const typed = await parse([name, ...listArguments(command), ...giveOption(key, option)]);
    expect(typed.invocation.texts).toHaveProperty(key);
    const again = await parseAgain(formatInvocation(typed.invocation));
    expect(again.invocation.texts).toHaveProperty(key);
    expect(listGiven(again)).toEqual(listGiven(typed));
  });

  test('repeats all options together, without those that are transient', async () => {
    const all = options.filter(
      ([, { alone, conflicts }]) => alone === undefined && conflicts === undefined,
    );
    const given = all.flatMap(([key, option]) => giveOption(key, option));
    const typed = await parse([name, ...listArguments(command), ...given]);
    const command_ = formatInvocation(typed.invocation);
    const again = await parseAgain(command_);
    expect(listGiven(again)).toEqual(listGiven(typed));
    expect(Object.keys(again.invocation.texts)).toEqual(
      repeated.filter((option) => all.includes(option)).map(([key]) => key),
    );
  });
});

describe('a repeated comparison asks the same question', () => {
  const compare = MEASURING.find(({ name }) => name === 'compare')?.command;
  const OPTIONS = compare?.options ?? {};
  const options = Object.entries(OPTIONS);
  const lasting = options.filter(
    ([key]) => !['out', 'wait', 'check', 'resume', 'reuse', 'record'].includes(key),
  );
  const USAGE = { command: 'compare', example: '' };

  /** @param {Parsed} parsed */
  const ask = async ({ args: [variants], options: values }) =>
    (await askComparison(variants, values, IO, USAGE)).question;

  // No family of Assay has an asynchronous operation: `testing/awaited.test.js` has one of --concurrency. Variants of a
  // family have no benchmark files.
  const others = ['pr', 'base', 'concurrency', 'bench', 'benchArgs'];
  test.each(lasting.filter(([key]) => !others.includes(key)))('with --%s', async (key, option) => {
    const needsRevision = key === 'build' || key === 'asOf';
    const pair = ['generator', needsRevision ? 'git:codec@main' : 'linked-list'];
    const family = needsRevision ? ['--family', 'js-bson'] : [];
    const given =
      key === 'set'
        ? ['--set', 'object-id=packed']
        : key === 'server'
          ? ['--server', 'mongod', '--op', 'find-many']
          : giveOption(key, option);
    const typed = await parse(['compare', ...pair, ...family, ...given]);
    const question = await ask(typed);
    const again = await parseAgain(
      formatInvocation(typed.invocation, { args: listVariants(question), question }),
    );
    expect(await ask(again)).toEqual(question);
    const asked = await parseAgain(
      formatQuestion({ name: 'compare', options: OPTIONS }, question, {
        args: listVariants(question),
      }),
    );
    expect(await ask(asked)).toEqual(question);
  });
});

test('a ranking of a whole family is repeated with its variants and its budget', async () => {
  const typed = await parse(['compare', '--rank', '--family', 'interchange']);
  const usage = { command: 'compare', example: '' };
  const { question } = await askComparison([], typed.options, IO, usage);
  expect(question).toMatchObject({ rank: true, budgetSeconds: 480, family: 'interchange' });
  expect(question.candidates).toEqual(expect.arrayContaining(['bson', 'json', 'avsc']));
  const args = listVariants(question);
  const again = await parseAgain(formatInvocation(typed.invocation, { args, question }));
  const { question: repeated } = await askComparison(again.args[0], again.options, IO, usage);
  expect(repeated).toEqual(question);
  const short = { ...typed.options, budget: 60 };
  expect((await askComparison([], short, IO, usage)).question.budgetSeconds).toBe(60);
  const compared = { ...typed.options, rank: undefined };
  await expect(askComparison([], compared, IO, usage)).rejects.toThrow('needs two variants');
});

test('what the question settled replaces what was typed, and changes replace both', async () => {
  const { invocation } = await parse(['plan', 'a', 'b', '--node', '20', '--shards', '3']);
  const measure = asCommand(invocation, {
    name: 'compare',
    options: MEASURING.find(({ name }) => name === 'compare')?.command.options ?? {},
  });
  const question = /** @type {any} */ ({
    seed: 7,
    schedule: 'paired',
    cells: [{ runtime: 'node@20.1.0' }, { runtime: 'node@20.1.0' }],
  });
  expect(formatInvocation(measure, { question, changes: { shard: '1/3' } })).toBe(
    'just compare a b --schedule paired --seed 7 --runtime node@20.1.0 --shard 1/3',
  );
  expect(formatInvocation(measure, { args: ['c d'], changes: { runtime: null } })).toBe(
    "just compare 'c d'",
  );
});
