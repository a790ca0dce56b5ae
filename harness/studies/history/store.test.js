import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { recordedRun } from '../../../reports/fixtures/runs.js';
import { seedGenerator } from '../../stats/random.js';
import { simulateQuestion } from '../../testing/simulation/runs.js';
import { withCandidates } from '../../stats/plan.js';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { buildVerdict } from '../../run/verdict.js';
import { makeTestDirectory } from '../../testing/support/directories.js';
import { addRecord, makeRecord, readRecords } from './store.js';

const directory = makeTestDirectory('history');

const DIGEST = `sha256:${'0'.repeat(64)}`;

/** A run of two candidates on simulated times. @param {number} seed also of its identity */
function makeRun(seed) {
  const recorded = recordedRun('faster');
  const manifest = { ...recorded.manifest, runId: `run-${seed}` };
  const cells = withCandidates(manifest.question.cells.slice(0, 1), ['linked-list', 'indexed']);
  const [shared] = cells.map(({ sharedId = '' }) => sharedId);
  const [candidate] = manifest.variants.candidates;
  const question = {
    ...manifest.question,
    cells,
    candidates: ['linked-list', 'indexed'],
    looks: [16],
  };
  const ratios = new Map(cells.map(({ id }, index) => [id, 0.8 + index / 10]));
  const run = {
    manifest: {
      ...manifest,
      expectedDigests: { [shared]: DIGEST },
      variants: {
        ...manifest.variants,
        candidates: [candidate, { ...candidate, spec: 'indexed' }],
      },
      question,
    },
    observations: simulateQuestion(
      question,
      { from: 0, to: 16, cells },
      ({ cellId }) => 1000 * (ratios.get(cellId) ?? 1),
      { noise: 'normal', spread: 0.02, outputDigest: DIGEST },
      seedGenerator(seed),
    ),
    memoryObservations: [],
    profileObservations: [],
    placementObservations: [],
    ...{ path: '/run', sessions: [], hosts: [], loadedFiles: [] },
    gate: { formatVersion: FORMAT_VERSION, workerMs: 0, differences: [] },
  };
  const hostNoise = { stealShare: null, othersShare: null, throttledMs: null };
  const totals = { hostNoise, wallMs: 1000 + seed, interimLooks: {} };
  const verdict = buildVerdict({ ...run, totals: { ...totals, ended: 'complete' } });
  return { ...run, verdict };
}

/** @type {(name: string) => string} */
const storeAt = (name) => join(directory, name);

describe('a record', () => {
  const record = makeRecord(makeRun(1));

  test('has every cell with its standard error', () => {
    expect(record.cells).toMatchObject([
      { candidate: 'linked-list', baseline: 'generator', processes: 16 },
      { candidate: 'indexed', baseline: 'generator', processes: 16 },
    ]);
    expect(record.cells[0].logRatio).toBeCloseTo(Math.log(0.8), 1);
    // Two means of sixteen processes with a spread of 2 %; the control adds its disagreement.
    expect(record.cells[0].standardError).toBeGreaterThan(0.004);
    expect(record.cells[0].standardError).toBeLessThan(0.015);
  });

  test('has the processes of every arm once', () => {
    const counts = record.processes.map(({ arm, variant, figuresNs }) => [
      arm,
      variant,
      figuresNs.length,
    ]);
    expect(counts).toEqual([
      ['baseline', 'generator', 8],
      ['candidate', 'linked-list', 16],
      ['control', 'generator', 8],
      ['candidate', 'indexed', 16],
    ]);
  });
});

test('a record says that several hosts measured', () => {
  const run = makeRun(1);
  const isOfSeveral = (/** @type {Partial<typeof run.manifest>} */ changes) =>
    makeRecord({ ...run, manifest: { ...run.manifest, ...changes } }).severalHosts;
  expect([isOfSeveral({}), isOfSeveral({ fleet: 'id' }), isOfSeveral({ merged: true })]).toEqual([
    undefined,
    true,
    true,
  ]);
});

test('a record names what variants break of the contract without having declared it', () => {
  const run = makeRun(1);
  const row = (
    /** @type {string} */ name,
    /** @type {'fails' | 'differs' | 'holds'} */ outcome,
  ) => ({
    ...{ theme: 'Text', name, outcome, promise: 'a promise', detail: null },
  });
  const contracts = {
    generator: [row('cycles', 'holds'), row('json', 'differs')],
    indexed: [row('cycles', 'fails'), row('json', 'holds')],
  };
  const record = makeRecord({ ...run, manifest: { ...run.manifest, contracts } });
  expect(record.breaches).toEqual([{ variant: 'indexed', rows: ['cycles'] }]);
});

describe('the store', () => {
  test('keeps a record once, whatever the order of its keys', () => {
    const record = makeRecord(makeRun(1));
    const reversed = /** @type {typeof record} */ (
      Object.fromEntries(Object.entries(record).reverse())
    );
    const file = addRecord(storeAt('once'), record);
    expect(addRecord(storeAt('once'), reversed)).toBe(file);
    expect(readdirSync(storeAt('once'))).toEqual([basename(file)]);
    expect(readRecords(storeAt('once'))).toEqual({ records: [{ file, record }], notes: [] });
  });

  test('has one record of a run that was recorded again after it was resumed', () => {
    const store = storeAt('resumed');
    const record = makeRecord(makeRun(1));
    const early = { ...record, ended: /** @type {const} */ ('budget'), seconds: 0.5 };
    const last = { ...record, seconds: 2 };
    for (const one of [early, last, makeRecord(makeRun(2))]) addRecord(store, one);
    const { records } = readRecords(store);
    expect(records).toHaveLength(2);
    expect(records.map((stored) => stored.record)).toContainEqual(last);
  });

  test('is empty where there is no directory', () => {
    expect(readRecords(storeAt('absent'))).toEqual({ records: [], notes: [] });
  });

  test('is refused where it is a file', () => {
    writeFileSync(storeAt('file'), '');
    expect(() => readRecords(storeAt('file'))).toThrow('is not a directory');
  });

  test('is merged by copying files', () => {
    const [left, right] = ['left', 'right'].map(storeAt);
    for (const seed of [1, 2]) addRecord(left, makeRecord(makeRun(seed)));
    for (const seed of [2, 3]) addRecord(right, makeRecord(makeRun(seed)));
    for (const name of readdirSync(right)) copyFileSync(join(right, name), join(left, name));
    expect(readRecords(left).records).toHaveLength(3);
  });

  test('leaves out and notes what is damaged, and ignores what a killed writer left', () => {
    const store = storeAt('damaged');
    const files = [1, 2, 3].map((seed) => addRecord(store, makeRecord(makeRun(seed))));
    writeFileSync(files[0], readFileSync(files[0], 'utf8').replace('generator', 'generaTor'));
    writeFileSync(`${files[1]}.77.tmp`, '{"form');
    mkdirSync(join(store, 'a-directory'));
    const { records, notes } = readRecords(store);
    expect(records.map(({ file }) => file).sort()).toEqual([files[1], files[2]].sort());
    expect(notes).toEqual([expect.stringContaining(basename(files[0]))]);
  });

  test('loses nothing of several writers, and of one that is killed', async () => {
    const store = storeAt('writers');
    const program = `
      const { addRecord } = await import(process.argv[1]);
      const record = JSON.parse(process.argv[3]);
      for (let number = 0; number < 40; number++) {
        const runId = String(Number(process.argv[4]) + number);
        console.log(addRecord(process.argv[2], { ...record, identity: { ...record.identity, runId } }));
      }
      if (process.argv[4] === '1000') process.kill(process.pid, 'SIGKILL');`;
    const module = new URL('store.js', import.meta.url).href;
    const record = JSON.stringify(makeRecord(makeRun(1)));
    const writers = ['0', '20', '1000'].map((from) =>
      spawn(process.execPath, ['--input-type=module', '-e', program, module, store, record, from]),
    );
    const outputs = writers.map(async (child) => {
      let text = '';
      child.stdout.on('data', (chunk) => (text += chunk));
      await once(child, 'close');
      return text.trim().split('\n');
    });
    const written = new Set((await Promise.all(outputs)).flat());
    // The first two write twenty records alike.
    expect(written.size).toBe(100);
    const { records, notes } = readRecords(store);
    expect(new Set(records.map(({ file }) => file))).toEqual(written);
    expect(notes).toEqual([]);
  });
});
