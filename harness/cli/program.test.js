import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { PROJECT } from '../lib/project.js';
import { expandAxisOptions, listCommands, makeProgram } from './program.js';

test('every command has a recipe in the Justfile', () => {
  const justfile = readFileSync(join(PROJECT.projectPath, 'Justfile'), 'utf8');
  for (const name of listCommands()) expect(justfile).toMatch(new RegExp(`^${name}\\b.*:`, 'm'));
});

test('the list of all commands has the summaries that they declare', async () => {
  const sink = { write: () => true };
  const [list, whole] = await Promise.all(
    [[], undefined].map((names) =>
      makeProgram({ stdout: sink, stderr: sink }, async () => {}, names),
    ),
  );
  const summarize = (/** @type {Command} */ { commands }) =>
    commands.map((command) => [command.name(), command.description()]);
  expect(summarize(list)).toEqual(summarize(whole));
});

const program = new Command();
program.command('measures').option('--set <axis=value>').option('--corpus <names>');
program.command('reads').option('--format <name>');

/** @param {string} line */
const expand = (line) => expandAxisOptions(line.split(' '), program);

test('an axis of a family can be set like an option', async () => {
  expect(await expand('measures a b --object-id packed --corpus flat')).toEqual(
    'measures a b --set object-id=packed --corpus flat'.split(' '),
  );
  expect(await expand('measures a b --object-id=packed')).toEqual(
    'measures a b --set object-id=packed'.split(' '),
  );
});

test.each(['measures a b --nonsense x', 'reads a --object-id packed'])(
  '%s is left for the command to refuse',
  async (line) => {
    expect(await expand(line)).toEqual(line.split(' '));
  },
);

test.each(['measures a b --object-id', 'measures a b --object-id --corpus flat'])(
  '%s is refused, since the axis has no value',
  async (line) => {
    await expect(expand(line)).rejects.toMatchObject({
      name: 'UsageError',
      message: 'the axis --object-id needs a value',
    });
  },
);
