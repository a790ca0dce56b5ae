import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCalibration } from '../../../reports/content/test-support/make-calibration.js';
import { makePeers } from '../../../reports/content/test-support/make-peers.js';
import { makeReproduction } from '../../../reports/content/test-support/make-reproduction.js';
import { EXIT } from '../../lib/errors.js';
import { writeProfileText } from '../../run/store.js';
import { callAssay } from '../../testing/support/project.js';
import { DOCUMENTS } from '../../../reports/fixtures/documents.js';
import { makeTestDirectory } from '../../testing/support/directories.js';

const directory = makeTestDirectory('report');
const file = join(directory, 'reproduction.json');
beforeEach(() => writeFileSync(file, JSON.stringify(makeReproduction())));

/** @param {string[]} argv */
const run = (...argv) => callAssay(argv, { workingPath: directory });

const BEGINNINGS = {
  markdown: /^<!-- assay:run /,
  html: /^<!doctype html>[^]*<style>/,
  json: /^\{\n {2}"formatVersion"/,
};

describe.each([
  ['reproduction', makeReproduction, /^6 claims: 1 reproduced/],
  ['calibration', () => makeCalibration(), /^Comparisons on this host keep their error rate: /],
  ['peers', makePeers, /^The same code under two names /],
])('a directory with %s.json', (name, make, terminal) => {
  test.each(Object.entries({ terminal, ...BEGINNINGS }))(
    'is rendered again as %s',
    async (format, beginning) => {
      const path = join(directory, name);
      mkdirSync(path, { recursive: true });
      writeFileSync(join(path, `${name}.json`), JSON.stringify(make()));
      const { status, stdout, stderr } = await run('report', name, '--format', format);
      expect([status, stderr]).toEqual([EXIT.done, '']);
      expect(stdout).toMatch(beginning);
    },
  );
});

test('a bisection that is not settled names the command that searches on with more processes', async () => {
  const bisection = DOCUMENTS.bisection.variants['that was not settled'];
  const path = join(directory, 'bisection');
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'bisection.json'), JSON.stringify(bisection));
  const { status, stdout } = await run('report', 'bisection');
  expect(status).toBe(EXIT.done);
  expect(stdout).toMatch(/^Not settled: serialize flat became slower after 1\.0\.0 /);
  const processes = 2 * bisection.question.looks.at(-1);
  expect(stdout.replaceAll(/ \\\n +/g, ' ')).toContain(
    `just bisect npm:codec@1.0.0 npm:codec@1.4.0 serialize flat --processes ${processes}`,
  );
});

test('a reproduction is named as such where a run is needed', async () => {
  const { status, stderr } = await run('pr', '.');
  expect(status).toBe(EXIT.usage);
  expect(stderr).toMatch(/is a reproduction, not a run of compare\n {2}see it with: just report/);
});

describe('the directory of a profile', () => {
  const path = join(directory, 'profiled');
  beforeEach(() => {
    mkdirSync(join(path, 'artefacts', 'profiles'), { recursive: true });
    writeProfileText(path, 'serialize flat\n');
  });

  test('is printed again as its text', async () => {
    const { status, stdout, stderr } = await run('report', 'profiled');
    expect([status, stdout, stderr]).toEqual([EXIT.done, 'serialize flat\n', '']);
  });

  test.each([['pr'], ['open'], ['merge']])(
    'is called a profile by %s, with the command that shows it',
    async (command) => {
      const { status, stderr } = await run(command, 'profiled');
      expect(status).toBe(EXIT.usage);
      expect(stderr).toMatch(/is a profile, and/);
      expect(stderr).toContain(`see it with: just report ${path}`);
    },
  );

  test('can only be printed as text', async () => {
    const { status, stderr } = await run('report', 'profiled', '--format', 'html');
    expect(status).toBe(EXIT.usage);
    expect(stderr).toMatch(/no format 'html'\n {2}it has terminal/);
  });

  test('is called a profile even if what was printed is missing', async () => {
    rmSync(join(path, 'profile.txt'));
    const { status, stderr } = await run('report', 'profiled');
    expect(status).toBe(EXIT.usage);
    expect(stderr).toContain(`its files are in '${join(path, 'artefacts', 'profiles')}'`);
  });
});

test('the remedy for a damaged manifest is to restore it, not to remove a line', async () => {
  const path = join(directory, 'damaged');
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'manifest.json'), '{"formatVersion":');
  const { status, stderr } = await run('report', 'damaged');
  expect(status).toBe(EXIT.usage);
  expect(stderr).toContain('  restore the file from a copy, or measure again\n');
});

test('--full is of the terminal alone', async () => {
  const { status, stderr } = await run('report', '.', '--full', '--format', 'json');
  expect(status).toBe(EXIT.usage);
  expect(stderr).toMatch(/--full.*cannot be (?:used|combined) with.*--format/);
});

test('a study has no format of another tool', async () => {
  const { status, stdout, stderr } = await run('report', '.', '--format', 'csv');
  expect([status, stdout]).toEqual([EXIT.usage, '']);
  expect(stderr).toMatch(/no format 'csv'.*\n {2}it has terminal/);
});

test('an unknown format is refused, with those that exist', async () => {
  const { status, stderr } = await run('report', '.', '--format', 'htlm');
  expect(status).toBe(EXIT.usage);
  expect(stderr).toMatch(/no 'htlm'; did you mean 'html'\?\s+Choices/);
});

test.each([
  ['no JSON', '{', /reproduction\.json' is not valid JSON/],
  ['of an older format', JSON.stringify({ formatVersion: 3 }), /has format 3/],
  [
    'incomplete',
    JSON.stringify({ ...makeReproduction(), judged: [{}] }),
    /reproduction\.json' is not/,
  ],
])('a file that is %s is refused by name', async (_what, text, message) => {
  writeFileSync(file, text);
  const { status, stdout, stderr } = await run('report', '.');
  expect([status, stdout]).toEqual([EXIT.usage, '']);
  expect(stderr).toMatch(message);
});

test('what a message quotes from a file does not control the terminal', async () => {
  writeFileSync(file, '\u001b[2J');
  const { stderr } = await run('report', '.');
  expect(stderr).toContain('\\u{1b}[2J');
  expect(stderr).not.toContain('\u001b');
});

test('a directory without an HTML report cannot be opened', async () => {
  const { status, stderr } = await run('open', '.');
  expect(status).toBe(EXIT.usage);
  expect(stderr).toMatch(/has no HTML report/);
});
