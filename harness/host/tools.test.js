import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { MachineError } from '../lib/errors.js';
import { fakePrograms } from '../profiling/recorders/test-support/fake-programs.js';
import { findReason } from '../lib/failures.js';
import { findTool, runTool, tryTool } from './tools.js';
import { testLong } from '../testing/support/gates.js';

const SETTINGS = { environment: { PATH: process.env.PATH }, timeoutMs: 100_000 };

/** Longer than a test may take. */
const DAEMON_SECONDS = 8;

/** @type {ReturnType<typeof fakePrograms>} */
let fakes;
beforeAll(() => {
  fakes = fakePrograms({
    speaks: 'echo out; echo err >&2; exit 3',
    waits: 'sleep 60',
    shows: '/usr/bin/env',
    // In a separate session, with the pipes of the process that started it.
    daemon: `echo started; setsid sleep ${DAEMON_SECONDS} & sleep 0.1`,
  });
});
afterAll(() => fakes.remove());

describe('tryTool', () => {
  test('gives status and both outputs', async () => {
    const outcome = await tryTool(`${fakes.path}/speaks`, [], SETTINGS);
    expect(outcome).toEqual({ status: 3, stdout: 'out\n', stderr: 'err\n' });
  });

  testLong('does not wait for a daemon that holds the pipes of the tool', async () => {
    const { status, stdout } = await tryTool(`${fakes.path}/daemon`, [], SETTINGS);
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'started\n' });
  });

  test('reports a tool that does not exist', async () => {
    const { status, stderr } = await tryTool(`${fakes.path}/absent`, [], SETTINGS);
    expect(status).toBeNull();
    expect(stderr).toMatch('ENOENT');
  });

  test('passes only the given variables and those that are safe', async () => {
    const { stdout } = await tryTool(`${fakes.path}/shows`, [], {
      ...SETTINGS,
      environment: { ...SETTINGS.environment, NODE_OPTIONS: '--prof', TOKEN: 'x', LC_ALL: 'de_DE' },
      variables: { NO_INSIGHT: '1' },
    });
    expect(stdout).toMatch(/^NO_INSIGHT=1$/m);
    expect(stdout).toMatch(/^LC_ALL=C\.UTF-8$/m);
    expect(stdout).not.toMatch(/NODE_OPTIONS|TOKEN/);
  });
});

describe('runTool', () => {
  test('fails with the last line of the tool', async () => {
    const run = runTool(`${fakes.path}/speaks`, [], SETTINGS);
    await expect(run).rejects.toThrow(new MachineError('speaks failed: err'));
  });

  test('kills the group of the tool at the time limit', async () => {
    const run = runTool(`${fakes.path}/waits`, [], {
      ...SETTINGS,
      timeoutMs: 50,
      name: 'the tool',
    });
    await expect(run).rejects.toThrow('the tool failed: did not end within 0.05 s');
  });

  test('kills it when the run is interrupted', async () => {
    const signal = AbortSignal.abort();
    const run = runTool(`${fakes.path}/waits`, [], { ...SETTINGS, signal });
    await expect(run).rejects.toThrow(MachineError);
  });
});

describe('the reason of a failure', () => {
  test('is the line that names the error, not the stack or the version below it', () => {
    const said = 'at work\n\nTypeError: no documents\n    at run (a.js:1:2)\n\nNode.js v20.20.2\n';
    expect(findReason(said)).toBe('TypeError: no documents');
  });

  test('is given even without any output', () => {
    expect(findReason(' \n')).toBe('it gave no reason');
  });
});

/** @type {ReturnType<typeof fakePrograms>} */
let first;
/** @type {ReturnType<typeof fakePrograms>} */
let second;
beforeAll(() => {
  first = fakePrograms({});
  second = fakePrograms({ gauge: 'true' });
});
afterAll(() => {
  first.remove();
  second.remove();
});

test('the first directory with the program wins', () => {
  writeFileSync(join(first.path, 'gauge'), 'text that nobody may run', { mode: 0o644 });
  mkdirSync(join(first.path, 'folder'));
  const environment = { PATH: ['', '/nowhere', first.path, second.path].join(delimiter) };
  expect(findTool('gauge', environment)).toBe(join(second.path, 'gauge'));
  expect(findTool('folder', environment)).toBeNull();
});

test('without a PATH nothing is found', () => {
  expect(findTool('gauge', {})).toBeNull();
});
