import { spawn } from 'node:child_process';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { EXIT } from '../lib/errors.js';
import { prepareThenLock, withHostLock } from './lock.js';
import { readStartTicks } from './processes.js';
import { makeTestDirectory } from '../testing/support/directories.js';
import { testLong } from '../testing/support/gates.js';

const HOLD = fileURLToPath(new URL('../testing/support/hold-lock.js', import.meta.url));
const REQUEST = { command: 'just compare a b', where: '/runs', waits: false };
const root = makeTestDirectory('lock');

/** @type {string} */
let directory;
/** @type {string[]} */
let messages;
/** @type {AbortController} */
let interrupts;
/** @type {import('node:child_process').ChildProcess[]} */
let others;

beforeEach(() => {
  directory = mkdtempSync(join(root, 'locks-'));
  messages = [];
  interrupts = new AbortController();
  others = [];
});
afterEach(() => others.forEach((other) => other.kill('SIGKILL')));

/**
 * @param {{ waits?: boolean, timed?: boolean }} [request]
 * @param {() => Promise<unknown>} [work]
 */
function acquire({ waits = false, ...request } = {}, work = async () => 'done') {
  return withHostLock({ ...REQUEST, waits, ...request }, makeIo(), work);
}

function makeIo() {
  return {
    environment: { ASSAY_LOCK_DIRECTORY: directory },
    stderr: { write: (/** @type {string} */ text) => messages.push(text) },
    signal: interrupts.signal,
  };
}

/** @type {(args: string[], output?: number | 'pipe') => import('node:child_process').ChildProcess} `args` of hold-lock.js */
function startOther(args, output = 'pipe') {
  const env = { ...process.env, ASSAY_LOCK_DIRECTORY: directory };
  const other = spawn(process.execPath, [HOLD, ...args], {
    env,
    stdio: ['ignore', output, 'ignore'],
  });
  others.push(other);
  return other;
}

/** Another process that holds the lock. @param {string[]} args */
async function holdLock(args) {
  const other = startOther(args);
  await new Promise((resolve) => other.stdout?.once('data', resolve));
  return other;
}

/** What another process leaves that holds the lock: the one that started this. @param {'measures' | 'loads'} [kind] */
function leaveLock(kind = 'measures') {
  const name = `assay-${kind}-${process.ppid}-${readStartTicks(process.ppid) ?? 0}.json`;
  const content = { since: new Date().toISOString(), command: 'just hold', where: '/somewhere' };
  writeFileSync(join(directory, name), JSON.stringify(content));
}

/** @param {import('node:child_process').ChildProcess} other */
function waitForEnd(other) {
  return new Promise((resolve) => other.on('close', resolve));
}

test('a second run is refused, with the holder of the lock', async () => {
  await holdLock(['60000']);
  await expect(acquire()).rejects.toMatchObject({
    message: expect.stringMatching(
      /^another run is measuring on this host, since \d\d:\d\d \(just hold, in \/somewhere\)$/,
    ),
    remedy: 'wait for it with --wait',
    exitStatus: EXIT.failed,
  });
});

testLong('with --wait it runs next, and names the holder once', async () => {
  const other = await holdLock(['60000']);
  const waiting = acquire({ waits: true });
  while (messages.length === 0) await sleep(20);
  other.kill();
  expect(await waiting).toBe('done');
  expect(messages).toEqual([
    expect.stringMatching(/^waiting: another run is measuring on this host, since .*\n$/),
  ]);
});

test('Ctrl-C ends waiting', async () => {
  leaveLock();
  const waiting = acquire({ waits: true });
  interrupts.abort();
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
});

test('the lock is released after the work, even if it fails', async () => {
  await acquire({}, async () => expect(readdirSync(directory)).toHaveLength(1));
  expect(readdirSync(directory)).toEqual([]);
  await expect(acquire({}, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(readdirSync(directory)).toEqual([]);
});

test('preparation runs without the lock, and passes its result on', async () => {
  const prepare = async () => readdirSync(directory);
  const [before, during] = await prepareThenLock(REQUEST, makeIo(), prepare, async (prepared) => [
    prepared,
    readdirSync(directory),
  ]);
  expect(before).toEqual([]);
  expect(during).toHaveLength(1);
});

test('nothing is prepared while another process measures', async () => {
  leaveLock();
  const prepare = () => Promise.reject(new Error('prepared'));
  const refused = prepareThenLock(REQUEST, makeIo(), prepare, async () => {});
  await expect(refused).rejects.toThrow(/^another run is measuring on this host/);
});

test('the lock is reentrant within a process', async () => {
  expect(await acquire({}, () => acquire())).toBe('done');
  expect(messages).toEqual([]);
});

test('the lock of a killed process is ignored, and its file removed', async () => {
  const other = await holdLock(['60000']);
  other.kill('SIGKILL');
  await waitForEnd(other);
  expect(readdirSync(directory)).toHaveLength(1);
  expect(await acquire()).toBe('done');
  expect(readdirSync(directory)).toEqual([]);
});

test('the lock of a process whose id was reused is ignored', async () => {
  writeFileSync(join(directory, `assay-measures-${process.ppid}-1.json`), '{}');
  expect(await acquire()).toBe('done');
});

test('commands that only keep cores busy exclude runs, not each other', async () => {
  leaveLock('loads');
  const own = expect.stringMatching(`^assay-loads-${process.pid}-`);
  await acquire({ timed: false }, async () => expect(readdirSync(directory)).toContainEqual(own));
  await expect(acquire()).rejects.toThrow(/^another command is using this host, since/);
});

testLong('processes that start at the same time run one at a time', async () => {
  const path = join(root, 'seen');
  const output = openSync(path, 'a');
  await Promise.all([1, 2, 3].map(() => waitForEnd(startOther(['30', '--wait'], output))));
  closeSync(output);
  expect(readFileSync(path, 'utf8').trim().split('\n')).toEqual(
    Array(3).fill(['begin', 'end']).flat(),
  );
});

test('an unreadable lock excludes as well, and cannot control a terminal', async () => {
  const other = await holdLock(['60000']);
  const [name] = readdirSync(directory);
  const file = join(directory, name ?? '');
  for (const content of ['{', 'x'.repeat(10_000), '{"since":"soon"}']) {
    writeFileSync(file, content);
    await expect(acquire()).rejects.toThrow(/^another run is measuring on this host$/);
  }
  const since = new Date().toISOString();
  writeFileSync(file, JSON.stringify({ since, command: '\u001b[2J', where: 'a\nb' }));
  const waiting = acquire({ waits: true });
  other.kill('SIGKILL');
  expect(await waiting).toBe('done');
  expect(messages).toEqual([expect.not.stringContaining('\u001b')]);
  expect(messages[0]).not.toContain('a\nb');
});

test('without a writable directory it measures, with a note', async () => {
  rmSync(directory, { recursive: true });
  writeFileSync(directory, '');
  expect(await acquire()).toBe('done');
  expect(messages).toEqual([
    expect.stringMatching(/^note: a second run will not notice this one \(/),
  ]);
});

test('a missing directory is created', async () => {
  directory = join(directory, 'new', 'place');
  await acquire({}, async () => {
    const [name = ''] = readdirSync(directory);
    expect(JSON.parse(readFileSync(join(directory, name), 'utf8'))).toMatchObject({
      command: 'just compare a b',
      where: '/runs',
    });
  });
  expect(readdirSync(directory)).toEqual([]);
});
