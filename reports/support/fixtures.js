/** Realistic runs for tests of whatever reads a manifest and a verdict. Used by tests only. */

/** @import { Cell, CellComparison, Manifest, PreparedCorpus, RatioInterval, ResolvedVariant, Verdict, VerdictWord } from '../../harness/formats/types.ts' */

import { FORMAT_VERSION } from '../../harness/formats/format-version.js';
import { makeReplayRecord } from '../../harness/run/verdict.js';

/** Of the usual question. */
export const OPERATIONS = ['serialize', 'deserialize'];
/** Operations that read documents. */
const READING = ['deserialize', 'decode'];
const HOST_NOISE = { stealShare: 0.002, othersShare: 0.14, throttledMs: 0 };
/** Of the usual question; `baselineNs` by operation. */
export const CORPORA = [
  { name: 'flat', documentCount: 1, sizeBytes: 6046, baselineNs: [35_210, 24_880] },
  { name: 'deep', documentCount: 1, sizeBytes: 1966, baselineNs: [21_060, 18_430] },
  { name: 'full', documentCount: 1, sizeBytes: 4020, baselineNs: [30_570, 27_950] },
];

/**
 * What a test says of a cell.
 *
 * @typedef {object} CellSketch
 * @property {string} operation
 * @property {string} corpus
 * @property {string} [node] exact version
 * @property {VerdictWord} verdict
 * @property {[number, number, number]} ratio low, estimate, high
 * @property {number} [baselineNs]
 * @property {boolean} [strong]
 * @property {number} [processes] a side
 * @property {[number, number, number]} [control]
 * @property {number} [detectableEffect]
 * @property {number | null} [processesNeeded]
 * @property {number} [failedJobs]
 * @property {number[]} [warnings]
 */

/**
 * @param {[number, number, number]} bounds low, estimate, high
 * @returns {RatioInterval}
 */
export function interval([low, estimate, high]) {
  return { estimate, low, high };
}

/**
 * @param {string} operation
 * @param {string} corpus
 * @param {string} [node] exact version
 * @returns {Cell}
 */
function nameCell(operation, corpus, node) {
  const id = `${operation} ${corpus}`;
  return {
    id: node === undefined ? id : `${id} node ${node}`,
    operation,
    corpus,
    ...(node === undefined ? {} : { node }),
    ...(READING.includes(operation) ? { readsDocuments: true } : {}),
  };
}

/**
 * A measured cell from the figures that matter to a test.
 *
 * @param {CellSketch} sketch
 * @returns {CellComparison}
 */
export function makeCell(sketch) {
  const { operation, corpus, ratio, processes = 12, baselineNs = 10_000 } = sketch;
  const probability = sketch.verdict === 'faster' || sketch.verdict === 'slower' ? 0.0001 : 0.4;
  return {
    cell: nameCell(operation, corpus, sketch.node),
    verdict: sketch.verdict,
    strong: sketch.strong ?? false,
    processes: { baseline: processes, candidate: processes, control: processes },
    failedJobs: sketch.failedJobs ?? 0,
    baselineNs,
    candidateNs: baselineNs * ratio[1],
    effect: {
      ratio: interval(ratio),
      pNominal: probability,
      pSequential: probability * 2,
      pAdjusted: probability * 2,
    },
    control: {
      ratio: interval(sketch.control ?? [0.984, 0.998, 1.012]),
      pNominal: 0.7,
      pSequential: 1,
      pAdjusted: 1,
    },
    detectableEffect: sketch.detectableEffect ?? 0.024,
    processesNeeded: sketch.processesNeeded ?? null,
    mannWhitneyP: probability,
    processSpread: { baseline: 0.011, candidate: 0.013, control: 0.012 },
    unsettledShare: 0,
    disturbedShare: 0.04,
    driftPerMinute: 0.0004,
    gcShare: { baseline: 0.031, candidate: 0.012, control: 0.03 },
    warnings: sketch.warnings ?? [],
  };
}

/**
 * A cell that was never measured: every figure is missing.
 *
 * @param {string} operation
 * @param {string} corpus
 * @param {VerdictWord} verdict
 * @returns {CellComparison}
 */
export function makeEmptyCell(operation, corpus, verdict) {
  return {
    ...makeCell({ operation, corpus, verdict, ratio: [1, 1, 1], processes: 0 }),
    baselineNs: null,
    candidateNs: null,
    effect: null,
    control: null,
    detectableEffect: null,
    mannWhitneyP: null,
    processSpread: { baseline: null, candidate: null, control: null },
    unsettledShare: null,
    disturbedShare: null,
    driftPerMinute: null,
    gcShare: { baseline: null, candidate: null, control: null },
  };
}

/**
 * @param {string} spec
 * @param {string} digit what the digest consists of
 * @returns {ResolvedVariant}
 */
function makeVariant(spec, digit) {
  return {
    spec,
    family: 'js-bson',
    kind: 'built-in',
    modulePath: `/assay/experiments/js-bson/variants/${spec}.js`,
    settings: {},
    idea: `walks the document the ${spec} way`,
    source: 'NODE-7606',
    digest: `sha256:${digit.repeat(64)}`,
  };
}

/**
 * @param {string} name
 * @param {number} documentCount
 * @param {number} sizeBytes
 * @returns {PreparedCorpus}
 */
function makeCorpus(name, documentCount, sizeBytes) {
  const base = `/assay/.assay/corpora/${name}`;
  return {
    label: name,
    name,
    provenance: 'parsed',
    digest: `sha256:${'c0ffee00'.repeat(8)}`,
    documentCount,
    sizeBytes,
    files: { text: `${base}.jsonl`, canonical: `${base}.bson`, bytes: `${base}.bytes.bson` },
  };
}

/**
 * The manifest of a comparison of `generator` (baseline) with `linked-list`.
 *
 * @param {Partial<Manifest['question']>} [question] what differs from the usual question
 * @returns {Manifest}
 */
export function makeManifest(question = {}) {
  const cells = OPERATIONS.flatMap((operation) =>
    CORPORA.map(({ name }) => nameCell(operation, name)),
  );
  return {
    formatVersion: FORMAT_VERSION,
    runId: '20250612-101502-generator-linked-list-7f3a',
    createdAt: '2025-06-12T10:15:02.417Z',
    command: `just compare generator linked-list --seed ${question.seed ?? 20250612}`,
    assay: { version: '0.1.0', revision: '5d1c2f0a9e44b7c1d8f3a6b2e0c9d7f5a1b3c4d5', dirty: false },
    question: {
      family: 'js-bson',
      baseline: 'generator',
      candidate: 'linked-list',
      cells,
      minimumEffect: 0.03,
      alpha: 0.05,
      looks: [12, 24, 48, 96],
      budgetSeconds: null,
      seed: 20250612,
      mode: 'default',
      nodeFlags: [],
      memory: 'none',
      acceptedRows: [],
      explain: 'none',
      recorders: [],
      ...question,
    },
    settings: { warmUpMs: 80, warmUpCalls: 5000, maxWarmUpMs: 1000, batchCount: 4, batchMs: 10 },
    variants: {
      baseline: makeVariant('generator', 'a'),
      candidate: makeVariant('linked-list', 'b'),
      reference: {
        ...makeVariant('npm:bson@7.3.1', 'd'),
        kind: 'npm',
        version: '7.3.1',
        integrity: 'sha512-q83vEjRWeJASNFZ4kBI0VniQEjRWeJASNFZ4kBI0Vng=',
        idea: 'A bson parser for node.js and the browser',
      },
    },
    corpora: CORPORA.map((corpus) =>
      makeCorpus(corpus.name, corpus.documentCount, corpus.sizeBytes),
    ),
    expectedDigests: Object.fromEntries(cells.map(({ id }) => [id, `sha256:${'e'.repeat(64)}`])),
    contracts: {},
    packages: {},
    recorders: [],
    runtimes: [],
    environment: {
      node: 'v20.20.2',
      v8: '11.3.244.8-node.38',
      os: 'Debian GNU/Linux 12 (bookworm)',
      kernel: '6.1.0-21-amd64',
      arch: 'x64',
      cpuModel: 'AMD EPYC 7B13',
      cpuCount: 2,
      memoryBytes: 8 * 2 ** 30,
      virtualization: 'kvm',
      governor: null,
      autogroup: true,
      cgroupCpuLimit: null,
      loadAverage: 0.42,
      runnableProcesses: 1,
      smt: false,
      turbo: null,
      clockSource: 'kvm-clock',
      aslr: 2,
      cpuPressure: 0.03,
      throttledPeriods: null,
      stealShare: 0.002,
      nodeVariables: [],
    },
  };
}

/**
 * @param {CellComparison[]} cells
 * @param {Partial<Verdict>} [changes]
 * @returns {Verdict}
 */
export function makeVerdict(cells, changes = {}) {
  const observations = cells.reduce((sum, { processes }) => sum + 3 * processes.baseline, 0);
  return {
    formatVersion: FORMAT_VERSION,
    runId: '20250612-101502-generator-linked-list-7f3a',
    ended: 'complete',
    cells,
    summaries: [],
    warnings: [],
    differences: [],
    failedJobs: [],
    hostNoise: HOST_NOISE,
    timing: { wallMs: observations * 185, workerMs: observations * 170, observations },
    replay: makeReplayRecord(makeManifest(), cells, HOST_NOISE),
    ...changes,
  };
}
