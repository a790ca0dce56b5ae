import { existsSync } from 'node:fs';
import { killAt } from './kill-and-resume.js';
import { testLong } from '../support/gates.js';
import { makeTestDirectory } from '../support/directories.js';

const directory = makeTestDirectory('kills');

// Remaining processes are found in /proc.
const testWhereSeen = existsSync('/proc/self/cmdline') ? testLong : test.skip;

// At random moments, and more of them: node scripts/kill-and-resume.js
testWhereSeen(
  'kills at writes and in between do not change the results of a resumed run, and leave no file or process',
  async () => {
    const { kills, beforeManifest, interimLooks, problems } = await killAt(
      [
        { signal: 'SIGKILL', file: 'manifest.json', nth: 1, how: 'torn' },
        // During the sixth job or so; the first ones check the outputs.
        { signal: 'SIGKILL', file: 'spawn', nth: 12, how: 'after' },
        { signal: 'SIGKILL', file: 'observations.ndjson', nth: 5, how: 'torn' },
        { signal: 'SIGINT', file: 'observations.ndjson', nth: 28, how: 'after' },
        { signal: 'SIGKILL', file: 'verdict.json', nth: 1, how: 'before' },
      ],
      directory,
    );
    expect(problems).toEqual([]);
    expect({ kills, beforeManifest }).toEqual({ kills: 5, beforeManifest: 1 });
    expect(interimLooks).toBeGreaterThan(0);
  },
);
