import { existsSync } from 'node:fs';
import { killAndResume } from './kill-and-resume.js';
import { testLong } from '../support/gates.js';
import { makeTestDirectory } from '../support/directories.js';

const directory = makeTestDirectory('kills');

// Remaining processes are found in /proc.
const testWhereSeen = existsSync('/proc/self/cmdline') ? testLong : test.skip;

// More of them: node scripts/kill-and-resume.js
testWhereSeen(
  'kills at writes and in between do not change the results of a resumed run, and leave no file or process',
  async () => {
    const { kills, atWrites, runs, problems } = await killAndResume({
      kills: 8,
      seed: 1,
      questions: 1,
      directory,
    });
    expect(problems).toEqual([]);
    expect(kills).toBe(8);
    expect(Math.min(atWrites, runs)).toBeGreaterThan(1);
  },
);
