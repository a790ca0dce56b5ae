import { delimiter } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { main } from '../cli.js';
import { fakePrograms } from '../../profiling/recorders/test-support/fake-programs.js';

/** @type {ReturnType<typeof fakePrograms>} */
let fakes;
/** Where some programs are there. @type {Awaited<ReturnType<typeof runDoctor>>} */
let equipped;
/** Where none is, and the user has settings. @type {Awaited<ReturnType<typeof runDoctor>>} */
let bare;
// The processor is watched for half a second each time.
beforeAll(async () => {
  fakes = fakePrograms({ valgrind: 'echo valgrind-3.19.0', chromium: 'true' });
  equipped = await runDoctor({ PATH: ['/nowhere', fakes.path].join(delimiter) });
  bare = await runDoctor({ PATH: '', NODE_OPTIONS: '--no-warnings' });
}, 60_000);
afterAll(() => fakes.remove());

/**
 * @param {Record<string, string>} environment
 * @param {string[]} [options]
 */
async function runDoctor(environment, options = []) {
  let text = '';
  const status = await main(['doctor', ...options], {
    stdout: { write: (part) => (text += part) },
    stderr: { write: () => {} },
    environment,
    workingPath: fakes.path,
    signal: new AbortController().signal,
  });
  return { status, text, lines: text.split('\n') };
}

test('what is missing is told with the command that installs it, and is no failure', () => {
  const { status, text } = equipped;
  expect(status).toBe(0);
  expect(text).toMatch(
    /✗ perf [^✓✗]*missing: perf is not installed\n\s+apt-get install linux-perf\n/,
  );
  expect(text).toMatch(/✓ instructions [^✓✗]*valgrind 3\.19\.0\n/);
  expect(text).toMatch(/✓ cpu-profile /);
  expect(text).toMatch(/✗ npm [^✓✗]*apt-get install npm\n/);
  expect(text).toMatch(/✗ gh [^✓✗]*apt-get install gh\n/);
  expect(text).toMatch(
    /✗ sandbox [^✓✗]*no sandbox works here: there is no\s+bwrap[^✓✗]*install bubblewrap/,
  );
});

test('what any name of a program is found by is enough', () => {
  expect(equipped.text).toMatch(/✓ chromium [^✓✗]*\/chromium\n/);
});

test('the host comes first: how it is, and what workers do not get of its user', () => {
  expect(equipped.text).toMatch(/^This host\n\S processor /);
  expect(equipped.text).toMatch(/\n\S shared core +\d/);
  expect(equipped.text).toMatch(/\n✓ variables +none\n/);
  expect(bare.text).toMatch(/\n! variables +NODE_OPTIONS\n/);
});

test('through a pipe it keeps to 80 columns and has no colour', () => {
  expect(Math.max(...bare.lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(bare.text).not.toContain('\u001b');
});

test('as data it says the same of host and tools', async () => {
  const { text } = await runDoctor({ PATH: '', NODE_OPTIONS: '--no-warnings' }, ['--json']);
  const { environment, diagnoses, tools } = JSON.parse(text);
  expect(environment.nodeVariables).toEqual(['NODE_OPTIONS']);
  expect(diagnoses).toContainEqual(
    expect.objectContaining({ name: 'variables', value: 'NODE_OPTIONS', state: 'note' }),
  );
  expect(tools).toContainEqual(
    expect.objectContaining({
      name: 'npm',
      probe: expect.objectContaining({ install: 'apt-get install npm' }),
    }),
  );
}, 30_000);
