import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startWatchdog, superviseExit } from './processes.js';
import { makeTestDirectory } from '../testing/support/directories.js';
import { testLong } from '../testing/support/gates.js';

const SCRIPT = fileURLToPath(
  new URL('../testing/support/start-endless-worker.js', import.meta.url),
);
const directory = makeTestDirectory('guard');

/** @param {number} group @returns {boolean} whether a process of it is alive */
function isAlive(group) {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}

testLong(
  'an endless worker and its children end with the process that started it, even if that is killed',
  async () => {
    const file = join(directory, 'groups');
    const starter = spawn(process.execPath, [SCRIPT, file], { stdio: 'ignore' });
    while (!existsSync(file) || readFileSync(file, 'utf8') === '') await sleep(20);
    const groups = readFileSync(file, 'utf8').split(' ').map(Number);
    try {
      for (let waits = 0; waits < 3_000 && !groups.every(isAlive); waits++) await sleep(20);
      expect(groups.map(isAlive)).toEqual([true, true]);
      starter.kill('SIGKILL');
      for (let waits = 0; waits < 3_000 && groups.some(isAlive); waits++) await sleep(20);
      expect(groups.map(isAlive)).toEqual([false, false]);
    } finally {
      for (const group of groups.filter(isAlive)) process.kill(-group, 'SIGKILL');
    }
  },
);

testLong('a group that has ended is not killed', async () => {
  const source = `
    import { spawn } from 'node:child_process';
    import { startWatchdog } from ${JSON.stringify(new URL('./processes.js', import.meta.url).href)};
    const start = () => spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    const [kept, ended] = [start(), start()];
    const ends = [kept, ended].map(({ pid }) => startWatchdog(pid));
    ends[0]();
    console.log(kept.pid, ended.pid);
    process.kill(process.pid, 'SIGKILL');
  `;
  const starter = spawn(process.execPath, ['--input-type=module', '--eval', source]);
  let text = '';
  starter.stdout.on('data', (data) => (text += data));
  await new Promise((resolve) => starter.on('close', resolve));
  const [kept, ended] = text.split(' ').map(Number);
  // 0 would be the group of this process.
  expect(kept).toBeGreaterThan(0);
  try {
    for (let waits = 0; waits < 3_000 && isAlive(ended); waits++) await sleep(20);
    expect([isAlive(kept), isAlive(ended)]).toEqual([true, false]);
  } finally {
    process.kill(-kept, 'SIGKILL');
  }
});

test('a process that could not be started needs no watchdog', () => {
  expect(startWatchdog(undefined)).not.toThrow();
});

describe('pipes that another process holds open after the end of a worker', () => {
  const real = { setInterval, clearInterval };
  /** @type {(() => void) | null} what the one timer calls */
  let turn = null;
  beforeEach(() => {
    // Of a process that stands still a timer is late, and its pipes are read only between two calls.
    Object.assign(globalThis, {
      setInterval: (/** @type {() => void} */ call) => (turn = call),
      clearInterval: () => (turn = null),
    });
  });
  afterEach(() => {
    Object.assign(globalThis, real);
    turn = null;
  });

  function endWorker() {
    const closed = /** @type {string[]} */ ([]);
    const pipe = (/** @type {string} */ name) => ({ destroy: () => closed.push(name) });
    const child = Object.assign(new EventEmitter(), {
      ...{ pid: undefined, stdout: pipe('stdout'), stderr: pipe('stderr') },
    });
    superviseExit(/** @type {any} */ (child), () => closed.push('told'));
    child.emit('exit', 0, null);
    return { child, closed };
  }

  test('can be read nine times before they are closed', () => {
    const { closed } = endWorker();
    for (let turns = 0; turns < 9; turns++) turn?.();
    expect(closed).toEqual([]);
    turn?.();
    expect(closed).toEqual(['told', 'stdout', 'stderr']);
    expect(turn).toBeNull();
  });

  test('are left alone once they are closed', () => {
    const { child, closed } = endWorker();
    turn?.();
    child.emit('close', 0, null);
    expect(turn).toBeNull();
    expect(closed).toEqual([]);
  });
});
