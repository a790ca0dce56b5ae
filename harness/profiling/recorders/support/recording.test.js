import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countPasses, recordLog } from './recording.js';
import { makeTestDirectory } from '../../../testing/support/directories.js';

/** @import { Exercise } from '../../../formats/types.ts' */

const directory = makeTestDirectory('record-log');

/** @type {Exercise} */
const EXERCISE = {
  documents: 1,
  wallMs: 1,
  window: { startMs: 0, endMs: 1 },
  collections: {},
};
const artefactBase = join(directory, 'cell');
const logPath = `${artefactBase}.v8.log`;

/** @param {string | null} log written by the worker */
function contextLeaving(log) {
  return {
    artefactBase,
    exercise: async () => {
      if (log !== null) writeFileSync(logPath, log);
      return EXERCISE;
    },
  };
}

test('the log is returned and deleted', async () => {
  expect(await recordLog(contextLeaving('v8-version,11'))).toEqual({
    exercise: EXERCISE,
    text: 'v8-version,11',
  });
  expect(existsSync(logPath)).toBe(false);
});

test.each([
  ['too large', 'x'.repeat(2_000_001), 'the V8 log has 2 MB; the limit is 1 MB'],
  ['missing', null, 'V8 wrote no log'],
])('a log that is %s is refused', async (_, log, message) => {
  const recording = recordLog(contextLeaving(log), 1_000_000);
  await expect(recording).rejects.toMatchObject({ name: 'MachineError', message });
  expect(existsSync(logPath)).toBe(false);
});

test.each([
  ['one document of 6 kB', { documentCount: 1, sizeBytes: 6_046 }, 2_983],
  ['many documents', { documentCount: 1_000, sizeBytes: 285_000 }, 11],
  ['a huge corpus, since a slope needs two', { documentCount: 1, sizeBytes: 500_000_000 }, 2],
])('the number of passes for %s', (_, corpus, passes) => {
  expect(countPasses(corpus)).toBe(passes);
});
