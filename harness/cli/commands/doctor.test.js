import { delimiter } from 'node:path';
import { EXIT } from '../../lib/errors.js';
import { fakePrograms } from '../../profiling/recorders/test-support/fake-programs.js';
import { callAssay } from '../../testing/support/project.js';

/** @type {ReturnType<typeof fakePrograms>} */
let fakes;
/** On a host with some programs. @type {Awaited<ReturnType<typeof runDoctor>>} */
let equipped;
/** On a host with none, whose user sets a variable. @type {Awaited<ReturnType<typeof runDoctor>>} */
let bare;
// Each run watches the processor for half a second.
beforeAll(async () => {
  fakes = fakePrograms({ valgrind: 'echo valgrind-3.19.0', chromium: 'true' });
  equipped = await runDoctor({ PATH: ['/nowhere', fakes.path].join(delimiter) }, ['--full']);
  bare = await runDoctor({ PATH: '', NODE_OPTIONS: '--no-warnings' });
}, 60_000);
afterAll(() => fakes.remove());

/**
 * @param {Record<string, string>} environment
 * @param {string[]} [options]
 */
const runDoctor = (environment, options = []) =>
  callAssay(['doctor', ...options], { workingPath: fakes.path, environment });

test.each([
  [
    'what is missing',
    /✗ perf [^✓✗]*missing: perf is not installed\n\s+apt-get install linux-perf\n/,
  ],
  ['what is missing', /✗ npm [^✓✗]*apt-get install npm\n/],
  ['what is missing', /✗ gh [^✓✗]*apt-get install gh\n/],
  ['a sandbox that does not work', /✗ sandbox [^✓✗]*: there is no\s+bwrap[^✓✗]*install bubblewrap/],
  ['the version of a tool', /✓ instructions [^✓✗]*valgrind 3\.19\.0\n/],
  ['a recorder without a tool', /✓ cpu-profile /],
  ['a program under one of its names', /✓ chromium [^✓✗]*\/chromium\n/],
  ['the host first', /^This host\n\S Node /],
  ['the noise of the host', /\n\S shared core +\d/],
  ['no variables that workers do not get', /\n✓ variables +none\n/],
])('shows %s: %p', (_, shown) => {
  expect(equipped.status).toBe(EXIT.done);
  expect(equipped.stdout).toMatch(shown);
});

test.each([
  [
    'a conclusion',
    /^This host can measure; \d+ of \d+ checks, \d+ of \d+ tools and the calibration\s/,
  ],
  ['variables of the user that workers do not get', /\n! variables +NODE_OPTIONS\n/],
  [
    'what is missing, what it is for and how to install it',
    /\n✗ npm +variants such as [^✗]*apt-get install npm\n/,
  ],
  ['nothing else', /^(?!.*[✓?] )/s],
])('without --full it shows %s: %p', (_, shown) => {
  expect(bare.stdout).toMatch(shown);
});

test('through a pipe it keeps to 80 columns and has no colour', () => {
  const lines = bare.stdout.split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(bare.stdout).not.toContain('\u001b');
});

test('--json has the same host and tools', async () => {
  const { stdout } = await runDoctor({ PATH: '', NODE_OPTIONS: '--no-warnings' }, ['--json']);
  const { environment, diagnoses, tools } = JSON.parse(stdout);
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
