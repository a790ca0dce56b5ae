import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { EXIT } from '../lib/errors.js';
import { makeTestDirectory } from '../testing/support/directories.js';
import { withRunLock } from './run-lock.js';
import { testLong } from '../testing/support/gates.js';

const root = makeTestDirectory('run-lock');
const { signal } = new AbortController();
const FILE = 'session-00000000-0000-4000-8000-000000000000.lock';
/** @type {string} */
let path;
beforeEach(() => {
  path = mkdtempSync(join(root, 'run-'));
});

/** The lock of this process, as another session would have it. @param {object} changed @param {number} [ageSeconds] */
async function leaveLock(changed, ageSeconds = 0) {
  rmSync(join(path, FILE), { force: true });
  await withRunLock(path, { signal }, async () => {
    const [name] = readdirSync(path);
    const own = JSON.parse(readFileSync(join(path, name), 'utf8'));
    writeFileSync(join(path, FILE), JSON.stringify({ ...own, ...changed }));
  });
  const moment = Date.now() / 1000 - ageSeconds;
  utimesSync(join(path, FILE), moment, moment);
}

const ELSEWHERE = { processes: 'another container', host: 'other' };
const work = () => withRunLock(path, { signal }, async () => readdirSync(path).length);

test('a session of a run has its lock in the directory of the run, until it ends', async () => {
  await expect(work()).resolves.toBe(1);
  expect(readdirSync(path)).toEqual([]);
});

test('a second session is refused, wherever the locks of its host are', async () => {
  const refused = {
    message: 'another session measures this run, on other',
    exitStatus: EXIT.failed,
  };
  await leaveLock({ host: 'other' });
  await expect(work()).rejects.toMatchObject(refused);
  await leaveLock(ELSEWHERE, 20);
  await expect(work()).rejects.toMatchObject(refused);
  expect(readdirSync(path)).toEqual([FILE]);
});

test('a session that has ended excludes nobody, and its file is removed', async () => {
  const { pid } = spawnSync('true');
  await leaveLock({ pid });
  await expect(work()).resolves.toBe(1);
  await leaveLock(ELSEWHERE, 60);
  await expect(work()).resolves.toBe(1);
  await leaveLock({ started: 1 });
  await expect(work()).resolves.toBe(1);
});

testLong('a session that waits runs next', async () => {
  /** @type {string[]} */
  const order = [];
  const first = withRunLock(path, { signal }, async () => {
    await pause(20);
    order.push('first');
  });
  await withRunLock(path, { signal, waits: true }, async () => void order.push('second'));
  await first;
  expect(order).toEqual(['first', 'second']);
});
