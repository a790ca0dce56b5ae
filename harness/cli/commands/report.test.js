import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { makePeers } from '../../../reports/content/test-support/make-peers.js';
import { makeReproduction } from '../../../reports/content/test-support/make-reproduction.js';
import { main } from '../cli.js';
import { EXIT } from '../../lib/exit-status.js';
import { writeProfileText } from '../../run/store.js';

const directory = mkdtempSync(join(tmpdir(), 'assay-report-'));
const file = join(directory, 'reproduction.json');
beforeEach(() => writeFileSync(file, JSON.stringify(makeReproduction())));
afterAll(() => rmSync(directory, { recursive: true }));

/** @param {string[]} argv */
async function run(...argv) {
  const written = { stdout: '', stderr: '' };
  const status = await main(argv, {
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { columns: 200, write: (text) => (written.stderr += text) },
    environment: {},
    workingPath: directory,
    signal: new AbortController().signal,
  });
  return { status, ...written };
}

test.each([
  ['terminal', /^5 claims: 1 reproduced/],
  ['markdown', /^<!-- assay:run /],
  ['html', /^<!doctype html>[^]*<style>/],
  ['json', /^\{\n {2}"formatVersion"/],
])('a reproduction is rendered again as %s', async (format, beginning) => {
  const { status, stdout, stderr } = await run('report', '.', '--format', format);
  expect([status, stderr]).toEqual([EXIT.done, '']);
  expect(stdout).toMatch(beginning);
});

test.each([
  ['terminal', /^The same code under two names /],
  ['markdown', /^<!-- assay:run /],
  ['html', /^<!doctype html>[^]*<style>/],
  ['json', /^\{\n {2}"formatVersion"/],
])('a comparison of benchmark tools is rendered again as %s', async (format, beginning) => {
  const path = join(directory, 'peers');
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'peers.json'), JSON.stringify(makePeers()));
  const { status, stdout, stderr } = await run('report', 'peers', '--format', format);
  expect([status, stderr]).toEqual([EXIT.done, '']);
  expect(stdout).toMatch(beginning);
});

test('a directory that is not a run of compare is named for what it is', async () => {
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

  test('prints again what was printed', async () => {
    const { status, stdout, stderr } = await run('report', 'profiled');
    expect({ status, stdout, stderr }).toEqual({
      status: EXIT.done,
      stdout: 'serialize flat\n',
      stderr: '',
    });
  });

  test.each([['pr'], ['open'], ['merge']])(
    'is named as one by %s, with how to see it',
    async (command) => {
      const { status, stderr } = await run(command, 'profiled');
      expect(status).toBe(EXIT.usage);
      expect(stderr).toMatch(/is a profile, and/);
      expect(stderr).toContain(`see it with: just report ${path}`);
      expect(stderr).not.toMatch(/cut off|remove/);
    },
  );

  test('has no other format', async () => {
    const { status, stderr } = await run('report', 'profiled', '--format', 'html');
    expect(status).toBe(EXIT.usage);
    expect(stderr).toMatch(/no format 'html'\n {2}it has terminal/);
  });

  test('without what was printed is a profile all the same', async () => {
    rmSync(join(path, 'profile.txt'));
    const { status, stderr } = await run('report', 'profiled');
    expect(status).toBe(EXIT.usage);
    expect(stderr).toContain(`its files are in '${join(path, 'artefacts', 'profiles')}'`);
  });
});

test.each([
  ['manifest.json', '{', 'restore the file from a copy, or measure again'],
  ['manifest.json', '{"formatVersion":', 'restore the file from a copy, or measure again'],
])('a damaged %s is not said to have lines that could be removed', async (name, text, remedy) => {
  const path = join(directory, 'damaged');
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, name), text);
  const { status, stderr } = await run('report', 'damaged');
  expect(status).toBe(EXIT.usage);
  expect(stderr).toContain(`  ${remedy}\n`);
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
    'not whole',
    JSON.stringify({ ...makeReproduction(), told: [{}] }),
    /reproduction\.json' is not/,
  ],
])('a file that is %s is refused by name', async (_what, text, message) => {
  writeFileSync(file, text);
  const { status, stdout, stderr } = await run('report', '.');
  expect([status, stdout]).toEqual([EXIT.usage, '']);
  expect(stderr).toMatch(message);
});

test('what a message quotes of a file does not steer the terminal', async () => {
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
