import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { makeMemoryRun } from '../../reports/support/memory-fixtures.js';
import { appendMemoryObservation, dropTornLine, readMemoryObservations } from './run-store.js';

const { observations } = makeMemoryRun();
let path = '';

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'assay-run-'));
});
afterEach(() => rmSync(path, { recursive: true }));

test('memory observations are read as they were appended', async () => {
  for (const observation of observations) appendMemoryObservation(path, observation);
  await expect(readMemoryObservations(path)).resolves.toEqual(observations);
});

test('a run without memory has none', async () => {
  await expect(readMemoryObservations(path)).resolves.toEqual([]);
});

test('a torn last line is cut off', async () => {
  appendMemoryObservation(path, observations[0]);
  appendFileSync(join(path, 'memory.ndjson'), '{"formatVersion":1,"id":"all');
  dropTornLine(path);
  appendMemoryObservation(path, observations[1]);
  await expect(readMemoryObservations(path)).resolves.toEqual(observations.slice(0, 2));
});

test('a line that is no observation is refused by name', async () => {
  appendFileSync(join(path, 'memory.ndjson'), '{"formatVersion":1,"outcome":"done"}\n');
  await expect(readMemoryObservations(path)).rejects.toThrow(/memory.ndjson line 1 of/);
});
