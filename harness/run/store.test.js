import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeManifest } from '../../reports/fixtures/build.js';
import { makeMemoryRun } from '../../reports/fixtures/memory.js';
import { FORMAT_VERSION } from '../formats/format-version.js';
import {
  journal,
  makeEmptyJournals,
  readRun,
  removePartialWrites,
  writeManifest,
  writeObservations,
} from './store.js';

/** @import { PlacementObservation } from '../formats/types.ts' */

const { observations: MEMORY } = makeMemoryRun();
/** @type {PlacementObservation} */
const PLACEMENT = {
  formatVersion: FORMAT_VERSION,
  id: 'placement/deserialize deep/000/0/candidate-1',
  cellId: 'deserialize deep',
  arm: 'candidate',
  placement: 1,
  block: 0,
  position: 0,
  attempt: 1,
  startedAtMs: 12,
  workerMs: 230,
  outcome: 'failed',
  failure: { reason: 'no-copy', detail: 'it cannot be parsed', lastLines: [] },
};
const OBSERVED = {
  ...makeEmptyJournals(),
  memoryObservations: MEMORY,
  placementObservations: [PLACEMENT],
};
const GATE = { formatVersion: FORMAT_VERSION, workerMs: 5, differences: [] };
/** @type {string} */
let path;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'assay-store-'));
  writeManifest({ path, manifest: makeManifest({ placements: 4 }), gate: GATE });
});
afterEach(() => rmSync(path, { recursive: true }));

test('a run is read as it was written', async () => {
  writeObservations(path, OBSERVED);
  await expect(readRun(path)).resolves.toMatchObject({ path, gate: GATE, ...OBSERVED });
});

test('a pass that has not run has no file', async () => {
  writeObservations(path, { ...OBSERVED, memoryObservations: [] });
  expect(existsSync(join(path, 'memory.ndjson'))).toBe(false);
  expect((await readRun(path)).memoryObservations).toEqual([]);
});

describe.each([
  ['memory-observation', 'memory.ndjson', 'memoryObservations', MEMORY.slice(0, 2)],
  [
    'placement-observation',
    'placements.ndjson',
    'placementObservations',
    [PLACEMENT, { ...PLACEMENT, position: 1 }],
  ],
])('the journal %s', (kind, file, list, [first, second]) => {
  const append = (/** @type {any} */ line) => journal(path, /** @type {any} */ (kind)).append(line);

  test('is appended to after the partial line of a killed session is removed', async () => {
    append(first);
    appendFileSync(join(path, file), '{"formatVersion":8,"id":"lay');
    writeFileSync(join(path, 'verdict.json.123.tmp'), '{');
    removePartialWrites(path);
    append(second);
    expect(await readRun(path)).toMatchObject({ [list]: [first, second] });
    expect(existsSync(join(path, 'verdict.json.123.tmp'))).toBe(false);
  });

  test('with an invalid line is refused, and the line is named', async () => {
    appendFileSync(join(path, file), `{"formatVersion":${FORMAT_VERSION},"outcome":"done"}\n`);
    await expect(readRun(path)).rejects.toThrow(new RegExp(`${file} line 1 of`));
  });
});
