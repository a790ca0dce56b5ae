import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killAndResume } from './kill-and-resume.js';
import { testLong } from '../support/gates.js';

const root = mkdtempSync(join(tmpdir(), 'assay-kills-'));
afterAll(() => rmSync(root, { recursive: true }));

/** @type {string} */
let directory;
beforeEach(() => {
  directory = mkdtempSync(join(root, 'kills-'));
});

// Remaining processes are found in /proc.
const testWhereSeen = existsSync('/proc/self/cmdline') ? testLong : test.skip;

// More of them: node scripts/kill-and-resume.js
testWhereSeen(
  'kills at writes and in between do not change the results of a resumed run, and leave no file or process',
  async () => {
    const { kills, atWrites, runs, problems } = await killAndResume({
      kills: 15,
      seed: 1,
      directory,
    });
    expect(problems).toEqual([]);
    expect(kills).toBe(15);
    expect(Math.min(atWrites, runs)).toBeGreaterThan(1);
  },
);
