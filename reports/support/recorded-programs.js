/** Runs of families that are not measured by Node, or whose operations are a series. Used by tests
 * only. */

/** @import { CellComparison, Manifest, MemoryJobKind, MemoryObservationDone, MemoryResult, PlannedMemoryJob, PreparedCorpus, ResolvedVariant, VerdictWord } from '../../harness/formats/types.ts' */
/** @import { RenderInput } from '../types.ts' */

import { compareMemory } from '../../harness/stats/memory.js';
import { FORMAT_VERSION } from '../../harness/formats/format-version.js';
import { planMemoryJobs } from '../../harness/stats/plan.js';
import { makeCell, makeManifest, makeVerdict } from './fixtures.js';

const PROGRAM = { executable: '/assay/.assay/builds/program', args: [], loop: ['run_operation'] };

/**
 * @param {CellComparison[]} cells
 * @param {Partial<Manifest['question']>} question
 * @param {Partial<ResolvedVariant>} common to all variants
 * @param {Record<'baseline' | 'candidate' | 'reference', Partial<ResolvedVariant>>} sides
 * @returns {RenderInput}
 */
function makeRun(cells, question, common, sides) {
  const usual = makeManifest({ ...question, cells: cells.map(({ cell }) => cell) });
  const labels = [...new Set(cells.map(({ cell }) => cell.corpus))];
  const { baseline, candidate } = usual.variants;
  const family = question.family ?? usual.question.family;
  const manifest = {
    ...usual,
    command: `just compare ${usual.question.baseline} ${usual.question.candidate} --seed 20250612`,
    variants: {
      baseline: { ...baseline, family, ...common, ...sides.baseline },
      candidate: { ...candidate, family, ...common, ...sides.candidate },
      reference: { ...baseline, family, ...common, ...sides.reference },
    },
    corpora: labels.map((label) => ({
      .../** @type {PreparedCorpus} */ (usual.corpora[0]),
      label,
      name: label,
    })),
  };
  const runPath = `reports/runs/${manifest.runId}`;
  return { manifest, verdict: makeVerdict(cells), runPath };
}

/**
 * @param {RenderInput} run
 * @param {MemoryJobKind[]} kinds
 * @param {(job: PlannedMemoryJob) => MemoryResult} makeResult
 * @returns {RenderInput} with memory measured
 */
function addMemory(run, kinds, makeResult) {
  const { question, corpora } = run.manifest;
  /** @type {MemoryObservationDone[]} */
  const observations = planMemoryJobs({ ...question, memoryKinds: kinds }, corpora).map((job) => ({
    formatVersion: FORMAT_VERSION,
    ...job,
    attempt: 1,
    startedAtMs: 0,
    workerMs: 300,
    outcome: 'done',
    result: makeResult(job),
  }));
  const memory = compareMemory({ manifest: run.manifest, observations });
  return { ...run, verdict: { ...run.verdict, memory } };
}

/**
 * @param {number} bytes per document
 * @param {number} [allocations] per document
 * @returns {MemoryResult}
 */
function makeAllocation(bytes, allocations) {
  return {
    kind: 'allocation',
    windowHeapBytes: [bytes, bytes, bytes],
    offHeapBytes: 0,
    ...(allocations === undefined ? {} : { allocations }),
    documentsPerWindow: 1000,
    collectedWindows: 0,
    bridged: false,
  };
}

/** @returns {RenderInput} two variants of a Rust program, with what they allocate */
export function rustRun() {
  const cells = ['serialize', 'deserialize'].map((operation, row) =>
    makeCell({
      operation,
      corpus: 'movies',
      verdict: row === 0 ? 'faster' : 'equivalent',
      strong: row === 0,
      ratio: row === 0 ? [0.78, 0.79, 0.8] : [0.991, 1.001, 1.012],
      baselineNs: 1830,
    }),
  );
  const run = makeRun(
    cells,
    {
      family: 'rust-facet',
      baseline: 'rust-facet:dispatch-chain',
      candidate: 'rust-facet:dispatch-type-id',
      memory: 'too',
    },
    {
      program: PROGRAM,
      buildPath: '/assay/.assay/builds',
      toolchain: { cargo: '1.95.0', rustc: '1.95.0' },
    },
    {
      baseline: { spec: 'rust-facet:dispatch-chain' },
      candidate: { spec: 'rust-facet:dispatch-type-id' },
      reference: { spec: 'rust-facet:serde' },
    },
  );
  return addMemory(run, ['allocation'], ({ arm, subject }) =>
    subject.startsWith('serialize')
      ? makeAllocation(arm === 'candidate' ? 1024 : 2048, arm === 'candidate' ? 1 : 6)
      : makeAllocation(1490, 38),
  );
}

/** @returns {RenderInput} two versions of a package of another registry, run by a JVM */
export function packageRun() {
  const cell = makeCell({
    operation: 'decode',
    corpus: 'flat',
    verdict: 'faster',
    strong: true,
    ratio: [0.71, 0.73, 0.75],
    baselineNs: 14_300,
  });
  const makePackage = (/** @type {string} */ version) => ({
    spec: `maven:org.mongodb:bson@${version}`,
    kind: /** @type {const} */ ('package'),
    version,
    integrity: `sha256-${'q83vEjRWeJAS'.repeat(3)}`,
    idea: 'The BSON library of the Java driver',
  });
  const run = makeRun(
    [cell],
    {
      family: 'java-decode',
      baseline: 'maven:org.mongodb:bson@5.4.0',
      candidate: 'maven:org.mongodb:bson@5.5.0',
      memory: 'too',
    },
    { program: PROGRAM, toolchain: { java: '17.0.12', javac: '17.0.12' } },
    {
      baseline: makePackage('5.4.0'),
      candidate: makePackage('5.5.0'),
      reference: { spec: 'java-decode:5.5.0' },
    },
  );
  return addMemory(run, ['allocation', 'collections'], ({ kind, arm, process }) => {
    const bytes = arm === 'candidate' ? 18_120 : 20_480;
    if (kind === 'allocation') return makeAllocation(bytes);
    const count = Math.round(bytes / 256) + process;
    return {
      kind: 'collections',
      documents: 100_000,
      wallMs: 1400,
      collections: { 'G1 Young Generation': { count, ms: count * 0.6 } },
      allocatedBytes: bytes,
    };
  });
}

/** Verdict and ratio by getters read. @type {[number, VerdictWord, number][]} */
const GETTERS = [
  [0, 'faster', 0.55],
  [1, 'faster', 0.61],
  [2, 'faster', 0.7],
  [3, 'faster', 0.79],
  [4, 'faster', 0.88],
  [6, 'inconclusive', 1.01],
  [8, 'slower', 1.16],
  [10, 'slower', 1.3],
];

/** @returns {RenderInput} operations that differ in one number, on an addon in Node */
export function seriesRun() {
  const plain = makeCell({
    operation: 'construct-href',
    corpus: 'urls',
    verdict: 'faster',
    ratio: [0.6, 0.62, 0.64],
    baselineNs: 1240,
  });
  const points = GETTERS.map(([at, verdict, ratio]) => {
    const comparison = makeCell({
      operation: `construct-getters-${at}`,
      corpus: 'urls',
      verdict,
      ratio: [ratio * 0.975, ratio, ratio * 1.025],
      baselineNs: 1200 + 4 * at,
      processesNeeded: verdict === 'inconclusive' ? 44 : null,
    });
    const series = { name: 'getters', label: 'getters read', at };
    return { ...comparison, cell: { ...comparison.cell, series } };
  });
  const run = makeRun(
    [plain, ...points],
    {
      family: 'url-bridge',
      baseline: 'url-bridge:callback',
      candidate: 'url-bridge:offsets',
    },
    { buildPath: '/assay/.assay/builds', toolchain: { 'c++': '12.2.0' } },
    {
      baseline: { spec: 'url-bridge:callback' },
      candidate: { spec: 'url-bridge:offsets' },
      reference: { spec: 'url-bridge:url', buildPath: null },
    },
  );
  run.verdict.summaries = run.verdict.cells.flatMap(({ cell: { operation }, effect }) =>
    effect === null ? [] : [{ operation, cellCount: 1, ratio: effect.ratio }],
  );
  return run;
}
