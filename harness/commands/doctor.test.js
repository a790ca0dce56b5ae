import { delimiter } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { main } from '../cli.js';
import { fakePrograms } from '../recorders/test-support/fake-programs.js';

/** @type {ReturnType<typeof fakePrograms>} */
let fakes;
beforeAll(() => {
  fakes = fakePrograms({ valgrind: 'echo valgrind-3.19.0', chromium: 'true' });
});
afterAll(() => fakes.remove());

/**
 * @param {string} PATH
 * @param {Record<string, string>} [more] variables
 */
async function runDoctor(PATH, more = {}) {
  let text = '';
  const status = await main(['doctor'], {
    stdout: { write: (part) => (text += part) },
    stderr: { write: () => {} },
    environment: { PATH, ...more },
    workingPath: fakes.path,
    signal: new AbortController().signal,
  });
  return { status, text, lines: text.split('\n') };
}

test('what is missing is told with the command that installs it, and is no failure', async () => {
  const { status, text } = await runDoctor(fakes.path);
  expect(status).toBe(0);
  expect(text).toMatch(/✗ perf [^✓✗]*missing: there is no perf\n\s+apt-get install linux-perf\n/);
  expect(text).toMatch(/✓ instructions [^✓✗]*valgrind 3\.19\.0\n/);
  expect(text).toMatch(/✓ cpu-profile /);
  expect(text).toMatch(/✗ npm [^✓✗]*apt-get install npm\n/);
});

test('what any name of a program is found by is enough', async () => {
  const { text } = await runDoctor(['/nowhere', fakes.path].join(delimiter));
  expect(text).toMatch(/✓ chromium [^✓✗]*\/chromium\n/);
});

test('through a pipe it keeps to 80 columns and has no colour', async () => {
  const { lines, text } = await runDoctor('', { NODE_OPTIONS: '--no-warnings' });
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(text).not.toContain('\u001b');
  expect(text).toMatch(/^This host\n . processor /);
  expect(text).toMatch(/! variables +NODE_OPTIONS\n/);
  expect(text).toMatch(/\n . shared core +\d/);
});
