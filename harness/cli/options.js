/** How the values of options are read, and the options that several commands share. */

import { InvalidArgumentError } from 'commander';
import { didYouMean } from '../lib/words.js';
import { LIMITS, isWithin } from '../run/limits.js';
import { ASKED } from '../run/question-fields.js';
import { USUAL } from '../stats/usual.js';
import { PROGRAM } from '../lib/program.js';
import { RUNS } from '../lib/project.js';
import { EXPORT_FORMATS } from '../../reports/content/exports.js';

/** @import { OptionDeclaration, OptionSettings } from './types.ts' */

/**
 * @template Value
 * @template {OptionSettings} [const Settings={}]
 * @param {string} flags
 * @param {string} summary
 * @param {(text: string) => Value} parse
 * @param {Settings} [settings]
 * @returns {OptionDeclaration<Value> & Settings}
 */
export function option(flags, summary, parse, settings) {
  return /** @type {OptionDeclaration<Value> & Settings} */ ({
    flags,
    summary,
    parse,
    ...settings,
  });
}

/**
 * @template {OptionSettings} [const Settings={}]
 * @param {string} flags
 * @param {string} summary
 * @param {Settings} [settings]
 * @returns {OptionDeclaration<boolean> & Settings}
 */
export function flag(flags, summary, settings) {
  return /** @type {OptionDeclaration<boolean> & Settings} */ ({ flags, summary, ...settings });
}

/**
 * An option that may be given several times.
 * @type {(flags: string, summary: string, settings?: OptionSettings) => OptionDeclaration<string[]>}
 */
export function repeatable(flags, summary, settings) {
  return { flags, summary, ...settings, repeatable: true };
}

/**
 * An option that takes one of a few words, or several of them separated by commas.
 *
 * @template {string} Word
 * @template {OptionSettings} [const Settings={}]
 * @param {string} flags
 * @param {string} summary
 * @param {readonly Word[]} choices
 * @param {Settings} [settings]
 * @returns {OptionDeclaration<Word> & Settings}
 */
export function choice(flags, summary, choices, settings) {
  const parse = (/** @type {string} */ text) => requireWord(text, choices);
  return /** @type {OptionDeclaration<Word> & Settings} */ ({
    ...{ flags, summary, parse, choices },
    ...settings,
  });
}

/** @type {(text: string) => string} the same; an empty one is often a variable of a shell that is not set */
export function word(text) {
  if (text !== '') return text;
  throw new InvalidArgumentError('It must not be empty.');
}

/** @param {string} text `a,b` @returns {string[]} each name once */
export function list(text) {
  const names = text.split(',').map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ''))];
}

/** @param {string} text `a b` @returns {string[]} */
function words(text) {
  return text.split(/\s+/).filter((one) => one !== '');
}

/** @template {string} Word @param {readonly Word[]} choices @returns {(text: string) => Word[]} */
export function listOf(choices) {
  return (text) => {
    const words = list(text);
    if (words.length === 0) throw new InvalidArgumentError(`Choices: ${choices.join(', ')}.`);
    return words.map((one) => requireWord(one, choices));
  };
}

/**
 * @template {string} Word
 * @param {string} text
 * @param {readonly Word[]} choices
 * @returns {Word}
 */
function requireWord(text, choices) {
  const found = choices.find((one) => one === text);
  if (found !== undefined) return found;
  const hint = didYouMean(text, choices);
  throw new InvalidArgumentError(
    `There is no '${text}'${hint || '.'} Choices: ${choices.join(', ')}.`,
  );
}

/** @param {{ from: number, to: number }} range both included @returns {(text: string) => number} */
export function wholeNumber({ from, to }) {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= from && number <= to) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${from} to ${to}.`);
  };
}

/** @param {string} text `3` or `3%` @returns {number} share, 0.03 */
function percentage(text) {
  const percent = Number(text.replace(/%$/, ''));
  if (text.trim() !== '' && isWithin(percent / 100, LIMITS.minimumEffect)) return percent / 100;
  throw new InvalidArgumentError('It must be a number above 0, and at most 100.');
}

/** @type {Record<string, number>} */
const UNIT_SECONDS = { s: 1, m: 60, h: 3_600 };

/**
 * @param {string} text `60s`, `60`, `5m` or `1h`
 * @param {number} [most] seconds
 * @returns {number} seconds
 */
export function duration(text, most = LIMITS.budgetSeconds.to) {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\s*(s|m|h)?$/.exec(text.trim()) ?? [];
  const seconds = Number(amount) * UNIT_SECONDS[unit ?? 's'];
  if (seconds > 0 && seconds <= most) return seconds;
  const limit = most === LIMITS.budgetSeconds.to ? 'a day' : `${most / 60}m`;
  throw new InvalidArgumentError(`It must be a time such as 60s, 5m or 1h, at most ${limit}.`);
}

/** @param {string} text `2/3` @returns {{ index: number, count: number }} counted from 1 */
function shardNumber(text) {
  const [, index, count] = /^(\d{1,6})\/(\d{1,6})$/.exec(text)?.map(Number) ?? [];
  if (index >= 1 && index <= count) return { index, count };
  throw new InvalidArgumentError('It must be a part of a number of parts, such as 2/3.');
}

/** @param {string} text `2026-01-31` @returns {string} the same */
export function day(text) {
  if (endOfDay(text) > 0) return text;
  throw new InvalidArgumentError('It must be a day such as 2026-01-31.');
}

/** @param {string} text `2026-01-31` @returns {string} the same: a day that is over everywhere */
function pastDay(text) {
  if (endOfDay(text) < Date.now()) return text;
  throw new InvalidArgumentError('It must be a day before today, such as 2026-01-31.');
}

/** @type {(text: string) => number} milliseconds since 1970; NaN where the calendar has no such day */
function endOfDay(text) {
  const end = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T23:59:59.999Z`) : NaN;
  return new Date(end || 0).toISOString().startsWith(text) ? end : NaN;
}

/** Variants, and how they are found and built. */
export const VARIANT_OPTIONS = {
  build: option(
    '--build <command>',
    'builds a git: revision (default: found in its package.json)',
    word,
    { ofQuestion: ASKED.build },
  ),
  family: option('--family <name>', 'family of the variants, if it is ambiguous', word, {
    ofQuestion: ASKED.family,
  }),
  sandbox: flag(
    '--sandbox',
    'run workers without network, home directory and sight of other processes',
    { ofQuestion: ASKED.sandbox },
  ),
};

/** Options of commands that need the host for themselves, make a directory and show progress. */
export const HOST_OPTIONS = {
  out: option(
    '--out <directory>',
    `where to make the directory of the run (default: ${RUNS})`,
    word,
    { transient: true },
  ),
  wait: flag('--wait', 'wait for another run on this host to end, instead of failing', {
    transient: true,
  }),
  quiet: flag('--quiet', 'do not show progress', { transient: true }),
};

export const CHECK = flag('--check', 'exit with status 1 if a candidate is slower anywhere', {
  transient: true,
});

const DOCUMENT_FORMATS = /** @type {const} */ (['terminal', 'markdown', 'html', 'json']);
export const FORMAT = choice('--format <name>', 'format of the output', DOCUMENT_FORMATS, {
  default: 'terminal',
  transient: true,
});
/** Of a comparison, which is also written in formats of other tools. */
export const COMPARISON_FORMAT = choice(
  '--format <name>',
  'format of the output',
  [...DOCUMENT_FORMATS, ...EXPORT_FORMATS],
  { default: 'terminal', transient: true },
);
export const FULL = flag('--full', 'print all there is, not only what fits on a screen', {
  transient: true,
  conflicts: ['format'],
});

/** @type {(options: { format: string, full?: boolean | undefined }) => string} the format that a command prints */
export function printedFormat({ format, full = false }) {
  return full ? 'full' : format;
}

/** @type {(format: string) => boolean} whether it is text for people */
export function isForTerminal(format) {
  return format === 'terminal' || format === 'full';
}

/** A seed is part of what repeats a command, typed or not. */
export const SEED = option(
  '--seed <number>',
  'seed of every random choice, to repeat a run (default: random)',
  wholeNumber(LIMITS.seed),
  { ofQuestion: ASKED.seed, settled: true },
);

export const MAX_PROCESSES = option(
  '--processes <number>',
  'maximum number of processes per variant',
  wholeNumber(LIMITS.processes),
  {
    default: String(USUAL.processes),
    ofQuestion: ASKED.processes,
  },
);

/** What outputs must equal; other than that of the family, where that one is wrong. */
export const REFERENCE = option(
  '--reference <variant>',
  'what outputs must be equal to (default: the reference of the family)',
  word,
  { ofQuestion: ASKED.reference },
);

export const ACCEPT = option(
  '--accept <rows>',
  'rows of the behaviour contract that may fail, by name, or all',
  list,
  { ofQuestion: ASKED.accept },
);

/** What the JavaScript worker runs on. Exact versions are those that the question found. */
export const RUNTIME_OPTIONS = {
  runtime: option(
    '--runtime <names>',
    'other runtimes, separated by commas: node@24,bun@1.4,deno',
    list,
    {
      ofQuestion: ASKED.runtime,
      settled: true,
    },
  ),
  node: option('--node <versions>', 'short for --runtime: 20,22 for node@20,node@22', list, {
    transient: true,
  }),
};

/** Where the two variants come from, besides being named; part of their specs afterwards. */
export const PAIR_OPTIONS = {
  set: repeatable(
    '--set <axis=value>',
    `set an axis of all variants (see ${PROGRAM} variants); --AXIS VALUE for short`,
    { transient: true },
  ),
  pr: option(
    '--pr <directory>',
    'instead of two variants: HEAD of a checkout, and where it branched off',
    word,
    { transient: true },
  ),
  base: option(
    '--base <revision>',
    'with --pr: what it branched off from (default: the main branch)',
    word,
    { transient: true },
  ),
};

/** The question of a comparison, for `compare` and `plan`. */
export const COMPARISON_OPTIONS = {
  bench: repeatable(
    '--bench [file]',
    'measure the cases of a benchmark file; without a file: say which there are',
    { ofQuestion: ASKED.bench, conflicts: ['family', 'rank', 'fleet', 'shard', 'corpus', 'sweep'] },
  ),
  benchArgs: option('--bench-args <words>', 'arguments that the benchmark files are given', words, {
    ofQuestion: ASKED.benchArgs,
  }),
  op: option('--op <names>', 'operations, separated by commas', list, {
    ofQuestion: ASKED.op,
  }),
  corpus: option(
    '--corpus <names>',
    'corpora, separated by commas; NAME:COUNT for a number of documents',
    list,
    {
      ofQuestion: ASKED.corpus,
    },
  ),
  sweep: flag(
    '--sweep',
    'each corpus also with documents 2, 4, 8 and 16 times as large: how time grows with size',
    { conflicts: ['cold', 'load', 'rank'] },
  ),
  mei: option(
    '--mei <percent>',
    'minimum effect of interest: smaller effects count as none',
    percentage,
    {
      default: String(USUAL.minimumEffect * 100),
      ofQuestion: ASKED.mei,
    },
  ),
  budget: option(
    '--budget <time>',
    'measure for at most this long after the correctness check: 90s, 5m',
    duration,
    {
      ofQuestion: ASKED.budget,
      // A ranking of a whole family has one without asking.
      settled: true,
    },
  ),
  processes: MAX_PROCESSES,
  placements: option(
    '--placements <number>',
    'copies of each arm, placed elsewhere in memory, to check small differences on',
    wholeNumber(LIMITS.placements),
    {
      default: String(USUAL.placements),
      ofQuestion: ASKED.placements,
    },
  ),
  concurrency: option(
    '--concurrency <number>',
    'calls of asynchronous operations in flight at the same time (default: one after the other)',
    wholeNumber(LIMITS.concurrency),
    { ofQuestion: ASKED.concurrency },
  ),
  cold: flag('--cold', 'without warm-up: the first 1, 10 and 100 calls of fresh processes', {
    conflicts: ['memory', 'memoryOnly', 'with', 'instructions', 'wholeProcess'],
    ofQuestion: ASKED.cold,
  }),
  load: flag(
    '--load',
    'instead of calls: the time to load a variant in fresh processes, and the size of its code',
    {
      conflicts: ['cold', 'memory', 'memoryOnly', 'with', 'instructions', 'wholeProcess'],
      ofQuestion: ASKED.load,
    },
  ),
  memory: flag('--memory', 'after the time: bytes allocated, garbage collections, bytes retained', {
    ofQuestion: ASKED.memory,
  }),
  memoryOnly: flag('--memory-only', 'memory without the time', {
    ofQuestion: ASKED.memoryOnly,
  }),
  screen: flag(
    '--screen',
    'use node --predictable: faster and steadier, but not valid for a claim',
    { ofQuestion: ASKED.screen },
  ),
  schedule: choice(
    '--schedule <order>',
    'sequential: one job at a time; paired: two at the same time, each on its own core, or for CPU time on one (default: paired, if the host has two cores and only loops in JavaScript or CPU time are timed)',
    ['sequential', 'paired'],
    {
      ofQuestion: ASKED.schedule,
      // The default depends on the host, and shards of a plan must agree.
      settled: true,
    },
  ),
  asOf: option(
    '--as-of <day>',
    'resolve dependencies of npm: and git: variants as of the end of that day, in UTC',
    pastDay,
    { ofQuestion: ASKED.asOf },
  ),
  rank: flag('--rank', 'no baseline: find the fastest variants, and those as fast as the fastest', {
    ofQuestion: ASKED.rank,
  }),
  seed: SEED,
  nodeFlag: repeatable('--node-flag <flag>', 'flag for Node in every timed job; repeatable', {
    // The first flag in screen mode is that of the mode.
    ofQuestion: ASKED.nodeFlag,
  }),
  server: option(
    '--server <name>',
    `what operations talk to (default: their own server; see ${PROGRAM} setup)`,
    word,
    { ofQuestion: ASKED.server },
  ),
  accept: ACCEPT,
  reference: REFERENCE,
  explain: choice('--explain <cells>', 'cells to profile', ['differing', 'all', 'none'], {
    default: 'differing',
    ofQuestion: ASKED.explain,
  }),
  // The two options after it are short for recorders of these names.
  with: option(
    '--with <recorders>',
    `also use these recorders on every cell (see ${PROGRAM} doctor)`,
    list,
    { ofQuestion: ASKED.with },
  ),
  instructions: flag('--instructions', 'count instructions per document with valgrind'),
  wholeProcess: flag('--whole-process', 'time start-up plus work with hyperfine'),
  ...RUNTIME_OPTIONS,
  ...VARIANT_OPTIONS,
  ...PAIR_OPTIONS,
};

export const SHARD = option(
  '--shard <number/count>',
  `measure one part of the cells (see ${PROGRAM} plan)`,
  shardNumber,
);
