/** One run of each kind of outcome, for golden reports and schemas. Used by tests only. */

/** @import { CellComparison, Verdict } from '../../harness/formats/types.ts' */
/** @import { RenderInput } from '../types.ts' */
/** @import { CellSketch } from './fixtures.js' */

import { makeReplayRecord } from '../../harness/run/verdict.js';
import {
  CORPORA,
  interval,
  makeCell,
  makeEmptyCell,
  makeManifest,
  makeVerdict,
  OPERATIONS,
} from './fixtures.js';
import { calibratedRun } from './recorded-calibrated.js';
import { mergedRun, pinnedRun, runtimesRun, shardRun } from './recorded-elsewhere.js';
import { packageRun, rustRun, seriesRun } from './recorded-programs.js';

const RUN_PATH = 'reports/runs/20250612-101502-generator-linked-list-7f3a';

/**
 * @param {[number, number, number]} serialize
 * @param {[number, number, number]} deserialize
 * @returns {Verdict['summaries']}
 */
function summaries(serialize, deserialize) {
  return [
    { operation: 'serialize', cellCount: 3, ratio: interval(serialize) },
    { operation: 'deserialize', cellCount: 3, ratio: interval(deserialize) },
  ];
}

/**
 * Six cells of the usual question with one ratio each.
 *
 * @param {(Partial<CellSketch> & Pick<CellSketch, 'verdict' | 'ratio'>)[]} sketches in the order
 *   serialize flat, deep, full, deserialize flat, deep, full
 * @returns {CellComparison[]}
 */
function sixCells(sketches) {
  return OPERATIONS.flatMap((operation, row) =>
    CORPORA.map(({ name, baselineNs }, column) => {
      const sketch = sketches[row * CORPORA.length + column] ?? sketches[0];
      const place = { operation, corpus: name, baselineNs: baselineNs[row] ?? 10_000 };
      return makeCell(/** @type {CellSketch} */ ({ ...place, ...sketch }));
    }),
  );
}

/** @type {Record<string, CellComparison['layout']>} by cell id */
const LAYOUTS = {
  'deserialize flat': {
    layouts: 5,
    processes: 12,
    ratio: interval([0.934, 0.9481, 0.962]),
    deviations: {
      baseline: [1.004, 0.997, 1.006, 0.992, 1.001],
      candidate: [0.998, 1.003, 0.994, 1.007, 0.998],
    },
    spread: 0.006,
  },
  'deserialize deep': {
    layouts: 5,
    processes: 12,
    ratio: interval([0.941, 0.9842, 1.029]),
    deviations: {
      baseline: [1.036, 0.974, 1.011, 0.983, 0.996],
      candidate: [0.969, 1.021, 1.034, 0.981, 0.995],
    },
    spread: 0.031,
  },
};

const HOST_BUSY = {
  number: 1,
  kind: 'other-processes',
  text: 'Other processes used 14 % of the CPU time while jobs were timed.',
};

const RECORDED_RUNS = {
  faster: () => ({
    manifest: makeManifest(),
    verdict: makeVerdict(
      sixCells([
        { verdict: 'faster', strong: true, ratio: [0.41, 0.4231, 0.436] },
        { verdict: 'faster', strong: true, ratio: [0.455, 0.4683, 0.481] },
        { verdict: 'faster', strong: true, ratio: [0.371, 0.3794, 0.391] },
        { verdict: 'faster', strong: true, ratio: [0.79, 0.8133, 0.835] },
        { verdict: 'faster', strong: false, ratio: [0.931, 0.9542, 0.978], warnings: [1] },
        { verdict: 'faster', strong: true, ratio: [0.861, 0.8829, 0.904], warnings: [1, 2] },
      ]),
      {
        summaries: summaries([0.408, 0.4221, 0.437], [0.858, 0.8817, 0.906]),
        warnings: [
          HOST_BUSY,
          {
            number: 2,
            kind: 'unsettled',
            text: 'deserialize full: 3 of 36 processes had not settled when their warm-up ended.',
          },
        ],
      },
    ),
    runPath: RUN_PATH,
  }),
  equivalent: () => ({
    manifest: makeManifest({ baseline: 'recursive', candidate: 'recursive' }),
    verdict: makeVerdict(
      sixCells([{ verdict: 'equivalent', ratio: [0.984, 1.0021, 1.021], processes: 48 }]),
      { summaries: summaries([0.991, 1.0013, 1.012], [0.988, 0.9987, 1.009]) },
    ),
    runPath: RUN_PATH,
  }),
  mixed: () => ({
    manifest: makeManifest({ budgetSeconds: 120 }),
    verdict: makeVerdict(
      sixCells([
        { verdict: 'slower', strong: true, ratio: [2.31, 2.4412, 2.58] },
        {
          verdict: 'inconclusive',
          ratio: [0.962, 0.9917, 1.041],
          processes: 96,
          processesNeeded: 208.4,
          detectableEffect: 0.041,
        },
        {
          verdict: 'untrusted',
          ratio: [1.02, 1.0512, 1.083],
          control: [1.021, 1.0466, 1.073],
          warnings: [1],
        },
        { verdict: 'equivalent', ratio: [0.986, 1.0013, 1.017], processes: 24 },
        { verdict: 'inconclusive', ratio: [0.62, 0.9313, 1.399], processes: 2, failedJobs: 3 },
        { verdict: 'faster', ratio: [0.951, 0.9702, 0.99] },
      ]),
      {
        ended: 'budget',
        failedJobs: [
          {
            jobId: 'deserialize deep/001/4/candidate',
            failedAttempts: 3,
            measured: false,
            failure: {
              reason: 'exit-status',
              detail: 'ended with exit status 1',
              lastLines: ['RangeError: Maximum call stack size exceeded', '    at readDocument'],
            },
          },
        ],
        summaries: summaries([1.31, 1.3742, 1.441], [0.899, 0.9671, 1.04]),
        warnings: [
          {
            number: 1,
            kind: 'control-failed',
            text: 'serialize full: the baseline differs from itself by +4.7 % (95 % interval +2.1 % to +7.3 %), so no difference here can be trusted.',
          },
        ],
      },
    ),
    runPath: RUN_PATH,
  }),
  layouts: () => ({
    manifest: makeManifest({ layouts: 4 }),
    verdict: makeVerdict(
      sixCells([
        { verdict: 'equivalent', ratio: [0.986, 1.0013, 1.017], processes: 24 },
        { verdict: 'equivalent', ratio: [0.984, 0.9962, 1.012], processes: 24 },
        { verdict: 'slower', strong: true, ratio: [2.31, 2.4412, 2.58] },
        { verdict: 'faster', ratio: [0.941, 0.9512, 0.978], warnings: [2] },
        { verdict: 'inconclusive', ratio: [0.905, 0.9213, 0.941], warnings: [1] },
        { verdict: 'equivalent', ratio: [0.99, 1.0021, 1.014], processes: 24 },
      ]).map((cell) => {
        const layout = LAYOUTS[cell.cell.id];
        return layout === undefined ? cell : { ...cell, layout };
      }),
      {
        summaries: summaries([1.31, 1.3452, 1.381], [0.941, 0.9578, 0.975]),
        warnings: [
          {
            number: 1,
            kind: 'layout',
            text: 'Other placements of the same code do not show the difference: deserialize deep (faster as it is, ×0.984 [0.941, 1.029] over 5 layouts a side, which differ by 3.1 %). The interval that counts a placement as one draw includes 1, so nothing is claimed.',
          },
          {
            number: 2,
            kind: 'layout-holds',
            text: 'The verdict holds in other placements of the same code: deserialize flat (×0.948 [0.934, 0.962] over 5 layouts a side, which differ by 0.6 %).',
          },
        ],
      },
    ),
    runPath: RUN_PATH,
  }),
  refused: () => ({
    manifest: makeManifest(),
    verdict: makeVerdict(
      OPERATIONS.flatMap((operation) =>
        CORPORA.map(({ name }) =>
          makeEmptyCell(operation, name, operation === 'serialize' ? 'refused' : 'inconclusive'),
        ),
      ),
      {
        ended: 'refused',
        timing: { wallMs: 1840, workerMs: 1510, observations: 0 },
        differences: [
          {
            variant: 'linked-list',
            cellId: 'serialize full',
            document: 0,
            path: 'nested.items.3.createdAt',
            expected: 'date 2009-02-13T23:31:30.000Z (09 63 72 65 00 d0 f7 6a 21 1f 01 00 00)',
            found: 'int64 1234567890000 (12 63 72 65 00 d0 f7 6a 21 1f 01 00 00)',
          },
          {
            variant: 'linked-list',
            cellId: 'serialize flat',
            document: 0,
            path: '(whole document)',
            expected: '6046 bytes',
            found: 'threw RangeError: offset is out of bounds',
          },
        ],
      },
    ),
    runPath: RUN_PATH,
  }),
  screen: () => ({
    manifest: {
      ...makeManifest({ mode: 'screen', nodeFlags: ['--predictable'], seed: 7 }),
      command: 'just compare generator linked-list --screen --seed 7',
    },
    verdict: makeVerdict(
      sixCells([
        {
          verdict: 'faster',
          strong: true,
          ratio: [0.421, 0.4233, 0.426],
          detectableEffect: 0.0052,
        },
        {
          verdict: 'faster',
          strong: true,
          ratio: [0.471, 0.4733, 0.476],
          detectableEffect: 0.0049,
        },
        { verdict: 'faster', strong: true, ratio: [0.375, 0.3774, 0.38], detectableEffect: 0.0061 },
        { verdict: 'equivalent', ratio: [0.994, 0.9982, 1.002], detectableEffect: 0.0055 },
        { verdict: 'equivalent', ratio: [1.001, 1.0044, 1.009], detectableEffect: 0.0057 },
        { verdict: 'slower', ratio: [1.022, 1.0271, 1.033], detectableEffect: 0.0058 },
      ]),
      { summaries: summaries([0.418, 0.423, 0.428], [1.005, 1.0098, 1.015]) },
    ),
    runPath: RUN_PATH,
  }),
  'no-data': () => ({
    manifest: makeManifest(),
    verdict: makeVerdict(
      OPERATIONS.flatMap((operation) =>
        CORPORA.map(({ name }) => makeEmptyCell(operation, name, 'inconclusive')),
      ),
      { ended: 'interrupted', timing: { wallMs: 412, workerMs: 0, observations: 0 } },
    ),
    runPath: RUN_PATH,
  }),
  runtimes: runtimesRun,
  pinned: pinnedRun,
  shard: shardRun,
  merged: mergedRun,
  rust: rustRun,
  package: packageRun,
  series: seriesRun,
  calibrated: calibratedRun,
};

/** Names of the recorded runs. */
export const RECORDED_RUN_NAMES = /** @type {(keyof typeof RECORDED_RUNS)[]} */ (
  Object.keys(RECORDED_RUNS)
);

/**
 * A fresh copy of a recorded run.
 *
 * @param {keyof typeof RECORDED_RUNS} name
 * @returns {RenderInput}
 */
export function recordedRun(name) {
  const run = RECORDED_RUNS[name]();
  const replay = makeReplayRecord(run.manifest, run.verdict.cells, run.verdict.hostNoise);
  return { ...run, verdict: { ...run.verdict, replay } };
}
