import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { validate } from '../../formats/schemas.js';
import { readRun, writeReport } from '../../run/store.js';
import { analyzeRun, restoreSessionTotals } from '../../run/verdict.js';
import { copyArtefacts, mergeRuns } from './merge.js';
import { makeWhole, splitIntoParts, verdictOf } from './test-support/make-shards.js';

/** @import { Environment, Verdict } from '../../formats/types.ts' */
/** @import { Part } from './fit.js' */

const runsPath = mkdtempSync(join(tmpdir(), 'assay-merge-'));
const createdAt = new Date(Date.UTC(2026, 0, 2, 3, 4, 5));
const WHOLE = makeWhole();

afterAll(() => rmSync(runsPath, { recursive: true }));

/** @param {Part[]} parts */
const merge = (parts) =>
  mergeRuns(parts, {
    runsPath,
    createdAt,
    formatCommand: ({ seed, shard }) => `just compare --seed ${seed}${shard ? ' --shard' : ''}`,
  });

/**
 * What a verdict says, without which run it is and what its hosts were doing.
 *
 * @param {Verdict} verdict
 */
function withoutHost(verdict) {
  return {
    ...verdict,
    runId: '',
    hostNoise: null,
    timing: verdict.timing.observations,
    replay: { ...verdict.replay, runId: '', createdAt: '' },
  };
}

describe('shards put together', () => {
  test.each([1, 2, 3, 6])('say exactly what the whole plan says: %i shards', async (count) => {
    const expected = withoutHost(verdictOf(WHOLE));
    expect(new Set(expected.cells.map(({ verdict }) => verdict)).size).toBeGreaterThan(2);
    expect(expected.failedJobs).toHaveLength(2);
    const parts = splitIntoParts(WHOLE, count);
    const { verdict, manifest, observations } = await merge(parts.toReversed());
    expect(withoutHost(verdict)).toEqual(expected);
    expect(observations).toEqual(WHOLE.observations);
    expect(verdict.timing.workerMs).toBeCloseTo(
      parts.reduce((sum, { run }) => sum + verdictOf(run).timing.workerMs, 0),
    );
    expect(manifest).toEqual({
      ...WHOLE.manifest,
      runId: expect.stringMatching(/^20260102-030405-generator-vs-linked-list/),
      createdAt: '2026-01-02T03:04:05.000Z',
      command: 'just compare --seed 20250612',
      parts: expect.any(Array),
    });
  });

  test('say the same of memory, where every corpus is held on one host', async () => {
    const whole = makeWhole({ memory: 'too' });
    const { verdict } = await merge(splitIntoParts(whole, 3));
    expect(verdict.memory?.cells).toHaveLength(6);
    expect(verdict.memory?.corpora).toHaveLength(3);
    expect(withoutHost(verdict)).toEqual(withoutHost(verdictOf(whole)));
  });

  test('are a run that is read and judged again with the same result', async () => {
    const merged = await merge(splitIntoParts(WHOLE, 2));
    validate('manifest', merged.manifest);
    validate('verdict', merged.verdict);
    writeReport(merged.path, 'verdict.json', JSON.stringify(merged.verdict));
    const read = await readRun(merged.path);
    expect((await analyzeRun(read, restoreSessionTotals(read))).verdict).toEqual(merged.verdict);
  });

  test('keep where each cell was measured', async () => {
    const parts = splitIntoParts(WHOLE, 2);
    const { manifest } = await merge(parts);
    expect(manifest.parts).toEqual(
      parts.map(({ run }, index) => ({
        runId: run.manifest.runId,
        shard: index + 1,
        cellIds: run.manifest.question.cells.map(({ id }) => id),
        environment: run.manifest.environment,
        hostNoise: verdictOf(run).hostNoise,
      })),
    );
  });

  test('from several machines say so in a note, and count the worst of each', async () => {
    const [first, second] = splitIntoParts(WHOLE, 2);
    const other = changePart(
      second,
      { cpuModel: 'Other CPU', loadAverage: 3 },
      { ended: 'budget', hostNoise: { stealShare: 0.2, othersShare: null, throttledMs: null } },
    );
    const { verdict } = await merge([first, other]);
    const kinds = verdict.warnings.map(({ kind }) => kind);
    expect(kinds.slice(0, 4)).toEqual(['budget', 'several-hosts', 'busy-host', 'steal']);
    expect(verdict.warnings[0].text).toMatch(
      /; resume the parts that are not done, and merge again\./,
    );
    expect(verdict.warnings[1].text).toMatch(
      /Part 1: AMD EPYC.*; Part 2: Other CPU, 2 CPUs, 8\.0 GiB/,
    );
    expect(verdict.warnings[2].text).toMatch(/^Part 2: the machine was busy/);
    expect(verdict.ended).toBe('budget');
    expect(verdict.hostNoise).toEqual({ stealShare: 0.2, othersShare: 0.01, throttledMs: 0 });
  });

  test('with wrong bytes in one of them keep the times of the others', async () => {
    const [first, second] = splitIntoParts(WHOLE, 2);
    const cellId = second.run.manifest.question.cells[0].id;
    const difference = { variant: 'linked-list', cellId, document: 0, path: 'a' };
    const refused = changePart(
      { ...second, run: { ...second.run, observations: [] } },
      {},
      { ended: 'refused', differences: [{ ...difference, expected: '1', found: '2' }] },
    );
    const { verdict } = await merge([first, refused]);
    expect(verdict.ended).toBe('refused');
    const words = new Map(verdict.cells.map(({ cell, verdict: word }) => [cell.id, word]));
    expect(words.get(cellId)).toBe('refused');
    expect(words.get('serialize flat')).toBe('equivalent');
    expect(verdict.warnings.length).toBeGreaterThan(0);
  });
});

test('nothing is left of a merge that is refused', async () => {
  const before = readdirSync(runsPath);
  await expect(merge(splitIntoParts(WHOLE, 3).slice(1))).rejects.toThrow(/shard 1\/3 is missing/);
  expect(readdirSync(runsPath)).toEqual(before);
});

/**
 * @param {Part} part
 * @param {Partial<Environment>} environment
 * @param {Partial<Verdict>} verdict
 * @returns {Part}
 */
function changePart({ name, run }, environment, verdict) {
  const { manifest } = run;
  return {
    name,
    run: {
      ...run,
      manifest: { ...manifest, environment: { ...manifest.environment, ...environment } },
      verdict: { ...verdictOf(run), ...verdict },
    },
  };
}

const PROFILE = 'artefacts/profiles/serialize-flat-baseline-0.cpuprofile';
const MEASURED = makeWhole();
let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-artefacts-'));
  for (const run of ['shard', 'merged']) {
    mkdirSync(join(root, run, 'artefacts', 'profiles'), { recursive: true });
  }
  writeFileSync(join(root, 'shard', PROFILE), 'profile');
});
afterEach(() => rmSync(root, { recursive: true }));

/** @param {string[]} artefacts */
function copy(...artefacts) {
  const profileObservations = [
    {
      formatVersion: FORMAT_VERSION,
      id: 'cpu-profile/serialize flat/0/baseline',
      recorder: 'cpu-profile',
      cellId: 'serialize flat',
      arm: /** @type {const} */ ('baseline'),
      process: 0,
      startedAtMs: 0,
      workerMs: 1,
      outcome: /** @type {const} */ ('done'),
      exercise: null,
      artefacts,
    },
  ];
  copyArtefacts(
    { ...MEASURED, path: join(root, 'shard'), profileObservations },
    join(root, 'merged'),
  );
}

test('files of recorders keep their names, and one that is gone is passed over', () => {
  copy(PROFILE, 'artefacts/profiles/gone.folded');
  expect(readFileSync(join(root, 'merged', PROFILE), 'utf8')).toBe('profile');
});

test('a name that leads out of the run is refused', () => {
  writeFileSync(join(root, 'secret'), 'secret');
  expect(() => copy('artefacts/../../secret')).toThrow(/is not a file of that run/);
  symlinkSync(join(root, 'secret'), join(root, 'shard', 'artefacts', 'link'));
  expect(() => copy('artefacts/link')).toThrow(/is not a file of that run/);
});

test('a folder of artefacts that lies elsewhere is refused', () => {
  rmSync(join(root, 'shard', 'artefacts'), { recursive: true });
  mkdirSync(join(root, 'elsewhere'));
  writeFileSync(join(root, 'elsewhere', 'secret'), 'secret');
  symlinkSync(join(root, 'elsewhere'), join(root, 'shard', 'artefacts'));
  expect(() => copy('artefacts/secret')).toThrow(/is not a file of that run/);
});

test('two shards with a file of one name are refused', () => {
  copy(PROFILE);
  expect(() => copy(PROFILE)).toThrow(/two shards have a file 'artefacts/);
});
