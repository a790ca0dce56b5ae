import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { makeManifest } from '../../reports/support/fixtures.js';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { appendLayoutObservation, dropTornLine, readRun, writeManifest } from './run-store.js';

/** @import { LayoutObservation } from '../formats/types.ts' */

/** @type {LayoutObservation} */
const OBSERVATION = {
  formatVersion: FORMAT_VERSION,
  id: 'layout/deserialize deep/000/0/candidate-1',
  cellId: 'deserialize deep',
  arm: 'candidate',
  layout: 1,
  block: 0,
  position: 0,
  startedAtMs: 12,
  workerMs: 230,
  outcome: 'failed',
  failure: { reason: 'no-copy', detail: 'it cannot be parsed', lastLines: [] },
};
/** @type {string} */
let path;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'assay-run-store-'));
  writeManifest(path, makeManifest({ layouts: 4 }));
});

afterEach(() => rmSync(path, { recursive: true }));

test('what layouts brought is read again', async () => {
  appendLayoutObservation(path, OBSERVATION);
  expect((await readRun(path)).layoutObservations).toEqual([OBSERVATION]);
});

test('a line that was being written when the run was killed is cut off', async () => {
  appendLayoutObservation(path, OBSERVATION);
  appendFileSync(join(path, 'layouts.ndjson'), '{"formatVersion":6,"id":"lay');
  dropTornLine(path);
  appendLayoutObservation(path, { ...OBSERVATION, position: 1 });
  expect((await readRun(path)).layoutObservations.map(({ position }) => position)).toEqual([0, 1]);
});

test('a line of another shape is refused, with its place', async () => {
  appendFileSync(join(path, 'layouts.ndjson'), '{"formatVersion":6,"outcome":"done"}\n');
  await expect(readRun(path)).rejects.toThrow(/layouts\.ndjson/);
});
