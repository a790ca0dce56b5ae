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
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { EXIT } from '../../lib/errors.js';
import { testLong } from '../../testing/support/gates.js';
import { runAssay } from '../../testing/support/project.js';
import { validate } from '../../formats/schemas.js';
import { readRun, writeReport } from '../../run/store.js';
import { analyzeRun, restoreSessionTotals } from '../../run/verdict.js';
import { copyArtefacts, mergeRuns } from './merge.js';
import { makeWhole, splitIntoParts, verdictOf } from './test-support/make-shards.js';

/** @import { Environment, ProfileObservation, Verdict } from '../../formats/types.ts' */
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
 * A verdict without what differs between a run and the same observations in shards.
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

describe('merged shards', () => {
  test.each([1, 2, 3, 6])('have the verdict of the whole plan: %i shards', async (count) => {
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

  test('have the memory verdict of the whole plan', async () => {
    const whole = makeWhole({ memory: 'too' });
    const { verdict } = await merge(splitIntoParts(whole, 3));
    expect(verdict.memory?.cells).toHaveLength(6);
    expect(verdict.memory?.corpora).toHaveLength(3);
    expect(withoutHost(verdict)).toEqual(withoutHost(verdictOf(whole)));
  });

  test('are a run that has the same verdict when it is read and judged again', async () => {
    const merged = await merge(splitIntoParts(WHOLE, 2));
    validate('manifest', merged.manifest);
    validate('verdict', merged.verdict);
    writeReport(merged.path, 'verdict.json', JSON.stringify(merged.verdict));
    const read = await readRun(merged.path);
    expect((await analyzeRun(read, restoreSessionTotals(read))).verdict).toEqual(merged.verdict);
  });

  test('list where each cell was measured', async () => {
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

  test('of several hosts have a note, and the worst noise of each counter', async () => {
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

  test('keep the times of the others if one has wrong bytes', async () => {
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

test('a refused merge leaves no files', async () => {
  const before = readdirSync(runsPath);
  await expect(merge(splitIntoParts(WHOLE, 3).slice(1))).rejects.toThrow(/shard 1\/3 is missing/);
  expect(readdirSync(runsPath)).toEqual(before);
});

/** @type {(part: Part, environment: Partial<Environment>, verdict: Partial<Verdict>) => Part} */
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

describe('artefacts', () => {
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
    /** @type {ProfileObservation} */
    const observation = {
      formatVersion: FORMAT_VERSION,
      id: 'cpu-profile/serialize flat/0/baseline',
      recorder: 'cpu-profile',
      cellId: 'serialize flat',
      arm: 'baseline',
      process: 0,
      attempt: 1,
      startedAtMs: 0,
      workerMs: 1,
      outcome: 'done',
      exercise: null,
      artefacts,
    };
    const shard = { ...WHOLE, path: join(root, 'shard'), profileObservations: [observation] };
    copyArtefacts(shard, join(root, 'merged'));
  }

  test('keep their names, and missing ones are ignored', () => {
    copy(PROFILE, 'artefacts/profiles/gone.folded');
    expect(readFileSync(join(root, 'merged', PROFILE), 'utf8')).toBe('profile');
  });

  /** @type {[string, string, () => void][]} */
  const escapes = [
    ['by its name', 'artefacts/../../outside/secret', () => {}],
    [
      'by a link',
      'artefacts/link',
      () => symlinkSync(join(root, 'outside', 'secret'), join(root, 'shard', 'artefacts', 'link')),
    ],
    [
      'by a link of the folder',
      'artefacts/secret',
      () => {
        rmSync(join(root, 'shard', 'artefacts'), { recursive: true });
        symlinkSync(join(root, 'outside'), join(root, 'shard', 'artefacts'));
      },
    ],
  ];

  test.each(escapes)('outside the run are refused: %s', (_, artefact, prepare) => {
    mkdirSync(join(root, 'outside'));
    writeFileSync(join(root, 'outside', 'secret'), 'secret');
    prepare();
    expect(() => copy(artefact)).toThrow(/is not a file of that run/);
  });

  test('of the same name in two shards are refused', () => {
    copy(PROFILE);
    expect(() => copy(PROFILE)).toThrow(/two shards have a file 'artefacts/);
  });
});

/** @param {string} path of a run */
function readLines(path) {
  return readFileSync(join(path, 'observations.ndjson'), 'utf8').trimEnd().split('\n');
}

testLong(
  'the shards that just plan prints are measured and merged into one run',
  async () => {
    const workingPath = mkdtempSync(join(runsPath, 'hosts-'));
    const run = (/** @type {string[]} */ ...args) => runAssay(args, { workingPath });
    const question = ['generator', 'linked-list', '--op', 'serialize', '--corpus', 'flat,deep'];
    const limits = ['--processes', '16', '--budget', '1', '--explain', 'none'];
    const planned = await run(
      'plan',
      ...question,
      ...limits,
      '--shards',
      '2',
      '--format',
      'matrix',
    );
    /** @type {{ include: { shard: string, cells: string[], arguments: string }[] }} */
    const { include } = JSON.parse(planned.stdout);
    expect(include.map(({ shard, cells }) => ({ shard, cells }))).toEqual([
      { shard: '1/2', cells: ['serialize flat'] },
      { shard: '2/2', cells: ['serialize deep'] },
    ]);
    const paths = await Promise.all(
      include.map(async (part, index) => {
        const out = join(workingPath, `host-${index + 1}`);
        const result = await run('compare', ...part.arguments.split(' '), '--out', out);
        expect(result).toMatchObject({ status: EXIT.done });
        return join(`host-${index + 1}`, readdirSync(out)[0]);
      }),
    );

    const alone = await run('merge', paths[0], '--out', 'merged');
    expect(alone).toMatchObject({ status: EXIT.usage, stdout: '' });
    expect(alone.stderr).toMatch(/^error: shard 2\/2 is missing\n {2}\S/);

    const merged = await run('merge', ...paths, '--out', 'merged');
    expect(merged).toMatchObject({ status: EXIT.done, stderr: '' });
    const path = join(workingPath, 'merged', readdirSync(join(workingPath, 'merged'))[0]);
    const verdict = JSON.parse(readFileSync(join(path, 'verdict.json'), 'utf8'));
    const ids = verdict.cells.map((/** @type {{ cell: { id: string } }} */ { cell }) => cell.id);
    expect(ids).toEqual(['serialize flat', 'serialize deep']);
    const { command } = JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8'));
    expect(command).toMatch(
      /^just compare generator linked-list --op serialize --corpus flat,deep /,
    );
    expect(command).not.toContain('--shard');
    const measured = paths.flatMap((part) => readLines(join(workingPath, part)));
    expect(readLines(path).toSorted()).toEqual(measured.toSorted());
    expect(await run('report', path)).toMatchObject({ stdout: merged.stdout });
  },
  60_000,
);
