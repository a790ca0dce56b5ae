import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findUnseen, POISON } from '../../reports/fixtures/hostile.js';
import { EXIT } from '../lib/errors.js';
import { main } from './cli.js';
import { makeTestDirectory } from '../testing/support/directories.js';

const directory = makeTestDirectory('cli');

/**
 * @param {string[]} argv
 * @param {{ columns?: number, isTTY?: boolean }} [terminal] a pipe by default
 * @returns {Promise<{ status: number, sent: string }>} everything that is written
 */
async function run(argv, terminal = {}) {
  let sent = '';
  const sink = { write: (/** @type {string} */ text) => void (sent += text), ...terminal };
  const status = await main(argv, {
    stdout: sink,
    stderr: sink,
    environment: {},
    workingPath: directory,
    signal: new AbortController().signal,
  });
  return { status, sent };
}

test.each([
  [{}, 80],
  [{ columns: 60 }, 60],
  [{ columns: 120 }, 120],
])(
  'errors fit a terminal of %j, except for paths, which are not broken',
  async (terminal, width) => {
    const path = `/nowhere/${'with a long name/'.repeat(6)}run`;
    const { status, sent } = await run(['report', path], terminal);
    expect(status).toBe(EXIT.usage);
    const lines = sent.trimEnd().split('\n');
    expect(lines.filter((line) => line.includes(`'${path}'`))).toHaveLength(1);
    const others = lines.filter((line) => !line.includes(path));
    expect(others.length).toBeGreaterThan(0);
    expect(Math.max(...others.map((line) => line.length))).toBeLessThanOrEqual(width);
  },
);

test.each([[['compare']], [['compare', 'generator']]])(
  '%j: names what is missing in a few lines, with a command that works',
  async (argv) => {
    const { status, sent } = await run(argv);
    expect(status).toBe(EXIT.usage);
    const lines = sent.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^error: compare needs /);
    expect(lines.length).toBeLessThanOrEqual(3);
    expect(lines.at(-1)).toMatch(/(^ *|: )just compare generator linked-list$/);
  },
);

// A file name holds neither a slash nor NUL.
const NAME = POISON.replaceAll(/[/\0]/g, '').slice(0, 60);
const callFrame = { functionName: POISON, url: POISON, lineNumber: 1, columnNumber: 1 };
const PROFILE = JSON.stringify({ head: { callFrame, selfSize: 8, children: [] } });

/** @type {(ending: string, text: string) => string} name of the file */
function write(ending, text) {
  writeFileSync(join(directory, NAME + ending), text);
  return NAME + ending;
}

test.each([
  ['a command', [POISON]],
  ['an option', ['report', `--${POISON}`]],
  ['a variant', ['check', POISON]],
  ['a run', ['report', POISON]],
  ['a format', ['report', 'x', '--format', POISON]],
  ['a claim', ['reproduce', POISON]],
  ['a corpus', ['corpora', 'import', POISON, 'x.json']],
  ['a report', ['replay', POISON]],
  ['a file of broken JSON', ['replay', write('.json', `{"${POISON}`)]],
  ['a file of another format', ['replay', write('v.json', JSON.stringify({ a: POISON }))]],
  ['a broken profile', ['convert', write('.cpuprofile', POISON), '--to', 'folded']],
  ['functions of a profile', ['convert', write('.heapprofile', PROFILE), '--to', 'folded']],
])('the hostile name of %s controls neither the terminal nor the lines', async (_, argv) => {
  const { status, sent } = await run(argv, { isTTY: true });
  expect(sent).toMatch(/\S/);
  expect(findUnseen(sent)).toBeNull();
  // What a message quotes begins no line of it.
  const lines = status === EXIT.done ? [] : sent.trimEnd().split('\n');
  for (const line of lines) expect(line).toMatch(/^(?:error: .|note: .| {2})/);
});

test('help of a command is the same in both words; a command that does not exist has none', async () => {
  expect(await run(['help', 'doctor'])).toEqual(await run(['doctor', '--help']));
  expect((await run(['help'])).sent).toContain('Usage: just COMMAND');
  const { status, sent } = await run(['help', 'compere']);
  expect(status).toBe(EXIT.usage);
  expect(sent).toMatch(/^error: no command 'compere'.*compare/);
});

test('the version is that of the package', async () => {
  const { status, sent } = await run(['--version']);
  expect(status).toBe(EXIT.done);
  expect(sent).toMatch(/^assay \d+\.\d+\.\d+\n$/);
});

test.each([
  [['compare', 'a', 'b', '--out', ''], 'must not be empty'],
  [['history', '--since', '2026-02-31'], 'must be a day'],
])('%j is refused', async (argv, reason) => {
  const { status, sent } = await run(argv);
  expect(status).toBe(EXIT.usage);
  expect(sent.replaceAll(/\s+/g, ' ')).toContain(reason);
});

test('a store without results is no failure', async () => {
  const { status, sent } = await run(['history', '--store', 'absent', '--format', 'json']);
  expect(status).toBe(EXIT.done);
  expect(sent).toMatch(/^note: the result store '.*absent' is empty; record .*\n\[\]\n/);
});
