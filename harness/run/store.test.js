import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
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
import { recordEnd, recordStart, UNKNOWN_NOISE } from './sessions.js';

/** @import { PlacementObservation } from '../formats/types.ts' */
/** @import { StoredRun } from './store.js' */

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
    [PLACEMENT, { ...PLACEMENT, id: 'placement/deserialize deep/000/1/candidate-1', position: 1 }],
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

test.each([
  ['arm', 'baseline'],
  ['cellId', 'serialize flat'],
  ['block', 7],
  ['position', 3],
  ['placement', 2],
])('a line whose %s contradicts its id is refused, and the line is named', async (field, value) => {
  journal(path, 'placement-observation').append(PLACEMENT, { ...PLACEMENT, [field]: value });
  await expect(readRun(path)).rejects.toMatchObject({
    message: expect.stringMatching(
      /^placements\.ndjson line 2 of .* contradicts itself: its id is/,
    ),
    exitStatus: 2,
  });
});

test('a line of memory whose kind contradicts its id is refused', async () => {
  const [line] = MEMORY;
  journal(path, 'memory-observation').append({ ...line, process: 99 });
  await expect(readRun(path)).rejects.toThrow(/memory\.ndjson line 1 of .* contradicts itself/);
});

describe('the journals of a session', () => {
  const second = { ...PLACEMENT, id: 'placement/deserialize deep/000/1/candidate-1', position: 1 };
  const third = { ...PLACEMENT, id: 'placement/deserialize deep/000/2/candidate-1', position: 2 };
  const END = {
    ...{ startedAtMs: 0, ended: /** @type {const} */ ('complete'), wallMs: 5 },
    ...{ hostNoise: UNKNOWN_NOISE, interimLooks: {} },
  };
  const append = (/** @type {PlacementObservation} */ line) =>
    journal(path, 'placement-observation').append(line);
  const file = () => join(path, 'placements.ndjson');
  const readText = () => readFileSync(file(), 'utf8');
  /** @type {StoredRun} */
  let run;

  /** @type {(startedAtMs: number, lines: PlacementObservation[]) => void} */
  const begin = (startedAtMs, lines) => {
    recordStart(run, { startedAtMs, budgetSeconds: null });
    for (const line of lines) append(line);
  };
  beforeEach(async () => {
    run = await readRun(path);
    begin(0, [PLACEMENT, second]);
    recordEnd(run, END);
  });

  test('are read as they were written, by several sessions', async () => {
    begin(10, [third]);
    recordEnd(run, { ...END, startedAtMs: 10 });
    expect((await readRun(path)).placementObservations).toEqual([PLACEMENT, second, third]);
  });

  test.each(
    /** @type {[string, RegExp, () => void][]} */ ([
      ['changed', /were changed/, () => writeFileSync(file(), readText().replace('12', '13'))],
      ['added', /were added/, () => append(third)],
      ['removed', /were removed/, () => truncateSync(file(), readText().indexOf('\n') + 1)],
      ['all removed', /were removed/, () => rmSync(file())],
      ['added in another file', /'memory\.ndjson' of .* were added/, addMemory],
      ['of a session changed', /'sessions\.ndjson' of .* were changed/, changeSession],
    ]),
  )('that were %s afterwards are noticed', async (_, message, edit) => {
    edit();
    await expect(readRun(path)).rejects.toMatchObject({
      message: expect.stringMatching(message),
      exitStatus: 2,
    });
  });

  function addMemory() {
    journal(path, 'memory-observation').append(MEMORY[0]);
  }

  function changeSession() {
    const sessions = join(path, 'sessions.ndjson');
    writeFileSync(sessions, readFileSync(sessions, 'utf8').replace('null', '9999'));
  }

  test('may grow by a session that was killed, whose lines the next session takes as they are', async () => {
    begin(10, [third]);
    expect((await readRun(path)).placementObservations).toHaveLength(3);
    begin(20, []);
    recordEnd(run, { ...END, startedAtMs: 20 });
    writeFileSync(file(), readText().replace('"position":2', '"position":3'));
    await expect(readRun(path)).rejects.toThrow(/were changed/);
  });

  test('are not written by anything else meanwhile', async () => {
    begin(10, [third]);
    appendFileSync(file(), readText().split('\n')[0] + '\n');
    expect(() => recordEnd(run, { ...END, startedAtMs: 10 })).toThrow(
      /'placements\.ndjson' of .* was changed by something else than Assay/,
    );
    await expect(readRun(path)).rejects.toThrow(/were added/);
  });

  test('of an earlier version have no seal, and are read', async () => {
    const sessions = join(path, 'sessions.ndjson');
    const lines = readFileSync(sessions, 'utf8').trim().split('\n');
    const end = JSON.parse(lines[1]);
    delete end.journals;
    writeFileSync(sessions, `${lines[0]}\n${JSON.stringify(end)}\n`);
    append(third);
    expect((await readRun(path)).placementObservations).toHaveLength(3);
  });
});
