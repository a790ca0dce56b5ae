import { expect, test } from '@jest/globals';
import { Command } from 'commander';
import { expandAxisOptions } from './program.js';

const program = new Command();
program.command('measures').option('--set <axis=value>').option('--corpus <names>');
program.command('reads').option('--format <name>');

/** @param {string} line */
const expand = (line) => expandAxisOptions(line.split(' '), program);

test('an axis of a family is set like an option', async () => {
  expect(await expand('measures a b --object-id packed --corpus flat')).toEqual(
    'measures a b --set object-id=packed --corpus flat'.split(' '),
  );
  expect(await expand('measures a b --object-id=packed')).toEqual(
    'measures a b --set object-id=packed'.split(' '),
  );
});

test.each(['measures a b --nonsense x', 'reads a --object-id packed'])(
  '%s stays as it is, to be refused by the command',
  async (line) => {
    expect(await expand(line)).toEqual(line.split(' '));
  },
);

test.each(['measures a b --object-id', 'measures a b --object-id --corpus flat'])(
  '%s is refused: an axis without a value',
  async (line) => {
    await expect(expand(line)).rejects.toMatchObject({
      name: 'UsageError',
      message: 'the axis --object-id needs a value',
    });
  },
);
