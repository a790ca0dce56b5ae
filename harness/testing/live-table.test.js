import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../lib/errors.js';
import { shareProject } from './support/comparisons.js';
import { testLong } from './support/gates.js';
import { callAssay } from './support/project.js';
import { openScreen } from './support/screen.js';
import { scriptFakeFamily } from './support/scripted-jobs.js';
import { makeTestDirectory } from './support/directories.js';

const COMPARE =
  'compare plain slower --family fake-program --op apart,alike --processes 16 --explain none --seed 7'.split(
    ' ',
  );
const ROW = /^(apart|alike) +deep .* [▲=] \d.*$/gm;

const directory = makeTestDirectory('table');
const projectPath = shareProject();

/**
 * @param {string} name of the folder for its run
 * @param {string[]} options
 * @param {Parameters<typeof callAssay>[1]} [place]
 */
function compare(name, options, place) {
  const args = [...COMPARE, ...options, '--out', name];
  const environment = { ...process.env, NO_COLOR: '1', CI: '', TERM: 'xterm' };
  const runJob = scriptFakeFamily();
  return callAssay(args, { workingPath: directory, projectPath, environment, runJob, ...place });
}

/** @param {string} name */
function readVerdictFile(name) {
  const [run = ''] = readdirSync(join(directory, name));
  return readFileSync(join(directory, name, run, 'verdict.json'), 'utf8');
}

describe('in a terminal', () => {
  test('a table fills with verdicts, and the report takes its place', async () => {
    const screen = openScreen({ columns: 100 });
    expect((await compare('whole', [], { screen })).status).toBe(EXIT.done);
    const tables = screen.writes.filter((text) => text.includes('time per document'));
    const frames = tables.filter((text) => !text.includes('How far to trust this'));
    expect(frames[0]).toMatch(/apart +deep .* · – /);
    expect(frames.at(-1)?.match(ROW)).toHaveLength(2);
    const [first] = screen
      .read()
      .replace(/^building .*\n|^note: .*\n/gm, '')
      .split('\n');
    expect(first).toMatch(/^slower\S* is slower than plain/);
    expect(screen.read()).not.toMatch(/[█░]|measuring/);
  });

  testLong('an interrupt leaves the table in place, and prints how to resume', async () => {
    const interrupts = new AbortController();
    const screen = openScreen({ columns: 120 });
    const write = screen.write;
    screen.write = (text) => {
      write(text);
      if (text.includes('▲ ')) interrupts.abort();
    };
    const { signal } = interrupts;
    const options = ['--op', 'apart,noisy', '--processes', '100'];
    const { status } = await compare('cut', options, { screen, signal });
    expect(status).toBe(EXIT.interrupted);
    const lines = screen.read().trimEnd().split('\n');
    // The early look takes one cell after the other.
    expect(
      lines.filter((line) => /^(apart +deep .* ▲ \d.*|noisy +deep .* · – .*)$/.test(line)),
    ).toHaveLength(2);
    const run = join('cut', readdirSync(join(directory, 'cut'))[0] ?? '');
    expect(lines.slice(-2)).toEqual([
      `interrupted; resume with: just compare --resume ${run}`,
      `show what is known: just report ${run}`,
    ]);
    expect(readdirSync(join(directory, run))).toContain('report.html');
  });
});

test('a pipe has a line for each settled cell', async () => {
  const { stderr } = await compare('pipe', []);
  const lines = stderr.split('\n').filter((line) => line.includes(' · '));
  expect(lines[0]).toBe('0 of 2 cells settled · correctness check');
  expect(
    lines
      .slice(1)
      .map((line) => line.replace(/ratio .*(?= · \d of)/, '…'))
      .sort(),
  ).toEqual([
    expect.stringMatching(/^alike deep · equivalent · … · \d of 2 cells settled$/),
    expect.stringMatching(/^apart deep · slower.* · … · \d of 2 cells settled$/),
  ]);
});

test('--format json prints verdict.json alone, and --quiet nothing else', async () => {
  const { status, stdout, stderr } = await compare('json', ['--format', 'json', '--quiet']);
  expect(status).toBe(EXIT.done);
  expect(stdout).toBe(readVerdictFile('json'));
  expect(JSON.parse(stdout).ended).toBe('complete');
  expect(stderr).not.toContain(' · ');
});
