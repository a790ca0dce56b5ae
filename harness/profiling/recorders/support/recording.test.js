import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { MachineError } from '../../../lib/errors.js';
import { countPasses, recordLog } from './recording.js';

/** @import { Exercise } from '../../../formats/types.ts' */

const directory = mkdtempSync(join(tmpdir(), 'assay-record-log-'));
afterAll(() => rmSync(directory, { recursive: true }));

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

test('a log that is too large is refused and deleted', async () => {
  const recording = recordLog(contextLeaving('x'.repeat(2_000_001)), 1_000_000);
  await expect(recording).rejects.toThrow(MachineError);
  await expect(recording).rejects.toThrow('the V8 log has 2 MB; the limit is 1 MB');
  expect(existsSync(logPath)).toBe(false);
});

test('a missing log is an error of the machine', async () => {
  const recording = recordLog(contextLeaving(null));
  await expect(recording).rejects.toThrow(MachineError);
  await expect(recording).rejects.toThrow('V8 wrote no log');
});

test('documents of some kilobytes get some thousand passes', () => {
  expect(countPasses({ documentCount: 1, sizeBytes: 6_046 })).toBe(2_983);
});

test('a corpus of many documents gets fewer passes', () => {
  expect(countPasses({ documentCount: 1_000, sizeBytes: 285_000 })).toBe(11);
});

test('a huge corpus gets the two passes that a slope needs', () => {
  expect(countPasses({ documentCount: 1, sizeBytes: 500_000_000 })).toBe(2);
});
