import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { totalmem } from 'node:os';
import { expect, test } from '@jest/globals';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { runWorker } from '../run-worker.js';
import { limitResidentBytes, sumResidentBytes } from './watch-memory.js';

/** @import { Job } from '../../formats/types.ts' */

const MIB = 2 ** 20;
const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux(
  'memory that a process has filled is seen, and that of children of its threads',
  async () => {
    const fill = `const held = Buffer.alloc(${64 * MIB}, 1); console.log(held.length);`;
    const inner = `${fill} setInterval(() => held, 1000)`;
    const thread = `const { spawn } = require('node:child_process');
    spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio: ['ignore', 1, 2] });`;
    const outer = `const { Worker } = require('node:worker_threads');
    new Worker(${JSON.stringify(thread)}, { eval: true });`;
    const child = spawn(process.execPath, ['-e', outer], { detached: true });
    try {
      await once(child.stdout, 'data');
      const pid = child.pid ?? 0;
      // Two processes of node have some 80 MiB before they do anything.
      expect(sumResidentBytes(pid)).toBeGreaterThan(64 * MIB + 40 * MIB);
      expect(sumResidentBytes(pid)).toBeLessThan(400 * MIB);
    } finally {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    }
  },
);

test('a process that is gone has none', () => {
  expect(sumResidentBytes(2 ** 30)).toBe(0);
});

onLinux('a worker that allocates without end is ended, and the failure says why', async () => {
  const code = `const held = []; setInterval(() => held.push(Buffer.alloc(${8 * MIB}, 1)), 1)`;
  const job = { formatVersion: FORMAT_VERSION, id: 'hog', kind: 'conformance' };
  const outcome = await runWorker(/** @type {Job} */ (/** @type {unknown} */ (job)), {
    executable: process.execPath,
    args: ['-e', code],
    environment: process.env,
    timeoutMs: 20_000,
    limitBytes: 150 * MIB,
  });
  expect(outcome).toMatchObject({
    failure: {
      reason: 'memory-limit',
      detail: 'kept more than 150 MiB of memory and was killed',
    },
  });
});

test('jobs that hold documents may have more than others, and none all there is', () => {
  const holding = limitResidentBytes({ kind: 'retained-slope' });
  const timing = limitResidentBytes({ kind: 'measure' });
  expect(timing).toBeLessThan(holding);
  expect(holding).toBeLessThan(totalmem());
});
