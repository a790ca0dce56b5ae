import { UsageError } from '../lib/errors.js';
import { PROJECT } from '../lib/project.js';
import { listFamilies } from '../variants/families.js';

/** @import { Command } from 'commander' */

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
