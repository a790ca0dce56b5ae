import { UsageError } from '../lib/errors.js';
import { PROJECT } from '../lib/project.js';
import { quoteWords } from '../lib/words.js';
import { listFamilies } from '../variants/families.js';

/** @import { Question } from '../formats/types.ts' */
/** @import { Command } from 'commander' */

/**
 * The command that asks the same question again, for a shell: what was typed plus the seed, and
 * versions of Node as they were found.
 *
 * @param {Question} question
 * @param {import('./commands/compare.js').CompareOptions} options
 * @returns {string}
 */
export function formatCommand({ baseline, candidate, cells, shard, seed }, options) {
  const words = ['just', 'compare', baseline, candidate];
  if (options.family !== undefined) words.push('--family', options.family);
  if (options.op !== undefined) words.push('--op', options.op);
  if (options.corpus !== undefined) words.push('--corpus', options.corpus);
  if (options.mei !== '3') words.push('--mei', options.mei);
  if (options.processes !== '96') words.push('--processes', options.processes);
  if (options.layouts !== undefined && options.layouts !== '4') {
    words.push('--layouts', options.layouts);
  }
  if (options.budget !== undefined) words.push('--budget', options.budget);
  if (options.screen === true) words.push('--screen');
  if (options.memory === true) words.push('--memory');
  if (options.memoryOnly === true) words.push('--memory-only');
  if (options.accept !== undefined) words.push('--accept', options.accept);
  if (options.explain !== undefined && options.explain !== 'differing') {
    words.push('--explain', options.explain);
  }
  if (options.with !== undefined) words.push('--with', options.with);
  if (options.wholeProcess === true) words.push('--whole-process');
  if (options.instructions === true) words.push('--instructions');
  const nodes = new Set((shard?.cells ?? cells).flatMap(({ node }) => node ?? []));
  if (nodes.size > 0) words.push('--node', [...nodes].join(','));
  if (options.build !== undefined) words.push('--build', options.build);
  if (options.sandbox === true) words.push('--sandbox');
  if (options.shard !== undefined) words.push('--shard', options.shard);
  for (const flag of options.nodeFlag ?? []) words.push(`--node-flag=${flag}`);
  words.push('--seed', String(seed));
  return quoteWords(words);
}

/** What sets an axis by its name and value together. */
const SET = '--set';
const OPTION = /^(--[a-z][a-z0-9-]*)(?:=(.*))?$/s;

/**
 * Lets an axis of a family be set like an option: `--buffer direct` for `--set buffer=direct`. Families
 * are looked at only where a command that sets axes is given a word that is none of its options.
 *
 * @param {string[]} argv
 * @param {Command} program
 * @returns {Promise<string[]>}
 * @throws {UsageError} when an axis is named without a value
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
      throw new UsageError(`${name} is an axis, and is set to nothing`, {
        remedy: `write ${name} VALUE; 'just variants' lists what the values are`,
      });
    }
    expanded.push(SET, `${name.slice('--'.length)}=${value}`);
    if (given === undefined) index++;
  }
  return expanded;
}
