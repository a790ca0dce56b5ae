/** A run with processes, profiles and explanations, true in shape to what a real one brings. Used by
 * tests only. */

/** @import { Arm, CellComparison, CellExplanation, Interval, Observation, ValueForms } from '../../harness/formats/types.ts' */
/** @import { DifferentialProfile, Frame } from '../../harness/formats/profile-types.ts' */
/** @import { CellProfiles, RenderInput } from '../types.ts' */

import { FORMAT_VERSION } from '../../harness/formats/format-version.js';
import { makeMemoryReport } from './memory-fixtures.js';
import { recordedRun } from './recorded-runs.js';

const ARMS = /** @type {Arm[]} */ ([
  'baseline',
  'control',
  'candidate',
  'candidate',
  'control',
  'baseline',
]);
const FILE = 'experiments/js-bson/traversals/write-generator.js';

/**
 * The recorded run `mixed` with processes for every cell that has figures, an explanation of its
 * first cell, which is slower, memory and a behaviour contract.
 *
 * @returns {Required<Pick<RenderInput, 'observations' | 'profiles'>> & RenderInput}
 */
export function explainedRun() {
  const run = recordedRun('mixed');
  const [first] = run.verdict.cells;
  if (first === undefined) throw new Error('the recorded run has no cells');
  const { memory } = makeMemoryReport().verdict;
  return {
    ...run,
    manifest: { ...run.manifest, contracts: makeContracts() },
    verdict: {
      ...run.verdict,
      ...(memory === undefined ? {} : { memory }),
      explanation: {
        cells: [explainCell(first)],
        warnings: [
          { number: 90, kind: 'sampling', text: 'perf saw 2 % fewer samples than asked.' },
        ],
      },
    },
    observations: run.verdict.cells.flatMap(makeObservations),
    profiles: [makeProfiles(first.cell.id)],
  };
}

/** @returns {RenderInput['manifest']['contracts']} */
function makeContracts() {
  const row = { theme: 'Text forms', promise: 'toJSON() gives the hexadecimal digits' };
  return {
    'linked-list': [
      { ...row, name: 'json', outcome: 'holds', detail: null },
      { ...row, name: 'inspect', outcome: 'differs', detail: 'prints the class as well' },
    ],
  };
}

/**
 * Processes that spread by a few percent around the means of a cell, without chance.
 *
 * @param {CellComparison} comparison
 * @returns {Observation[]}
 */
export function makeObservations({ cell, baselineNs, candidateNs, processes }) {
  if (baselineNs === null || candidateNs === null) return [];
  const means = { baseline: baselineNs, control: baselineNs * 0.998, candidate: candidateNs };
  const blocks = Array.from({ length: processes.baseline / 2 }, (_, block) => block);
  return blocks.flatMap((block) =>
    ARMS.map((arm, position) => {
      const order = block * ARMS.length + position;
      const ns = means[arm] * (1 + 0.03 * Math.sin(order * 2.4) + 0.0004 * order);
      return makeObservation({ cellId: cell.id, arm, block, position }, ns, order);
    }),
  );
}

/**
 * @param {Pick<Observation, 'cellId' | 'arm' | 'block' | 'position'>} place
 * @param {number} ns
 * @param {number} order
 * @returns {Observation}
 */
function makeObservation(place, ns, order) {
  return {
    ...place,
    formatVersion: FORMAT_VERSION,
    jobId: `${place.cellId}/${place.block}/${place.position}/${place.arm}`,
    attempt: 1,
    startedAtMs: 800 + order * 190,
    workerMs: 172,
    outcome: 'done',
    outputDigest: `sha256:${'e'.repeat(64)}`,
    measurement: {
      batchNsPerDocument: [ns * 1.02, ns, ns * 0.99],
      documentsPerBatch: 800,
      warmUp: { ms: 90, calls: 6000, settled: true },
      cpuUserMs: 30,
      cpuSystemMs: 0,
      wallMs: 30,
      gcCount: 6,
      gcMs: 0.7,
      voluntaryContextSwitches: 20,
      involuntaryContextSwitches: 0,
      autogroupRaised: false,
    },
  };
}

/**
 * @param {number} estimate
 * @param {number} [halfWidth]
 * @returns {Interval}
 */
function around(estimate, halfWidth = Math.abs(estimate) * 0.08) {
  return { estimate, low: estimate - halfWidth, high: estimate + halfWidth };
}

/**
 * @param {CellComparison} comparison
 * @returns {CellExplanation}
 */
function explainCell({ cell, baselineNs, candidateNs }) {
  const change = (candidateNs ?? 0) - (baselineNs ?? 0);
  return {
    cell,
    source: 'perf',
    paragraph: [
      'The candidate takes 50.7 µs more per document. 54 % of that is Object.entries, called on an object in dictionary mode; 27 % is spent resuming generators and on their results.',
      'Garbage collection adds 3.1 %; 9 % stay unexplained.',
    ],
    measured: around(change),
    profiled: { baseline: (baselineNs ?? 0) * 1.04, candidate: (candidateNs ?? 0) * 1.07 },
    processes: { baseline: 3, candidate: 3 },
    functions: makeFunctions(change),
    rest: { functions: 212, selfNs: change * 0.02 },
    causes: [
      { name: 'Object.entries', change: around(change * 0.54), share: 0.54 },
      { name: 'resuming generators', change: around(change * 0.27), share: 0.27 },
      { name: 'garbage collection', change: around(change * 0.031), share: 0.031 },
      { name: 'writeDocument', change: around(-change * 0.04), share: -0.04 },
      { name: 'unexplained', change: around(change * 0.09, change * 0.12), share: 0.09 },
    ],
    pauseMs: { baseline: 0.31, candidate: 0.12 },
    collections: {
      baseline: { perThousand: { scavenge: 1.4 }, timeShare: 0.011 },
      candidate: { perThousand: { scavenge: 9.83, 'mark-compact': 0.02 }, timeShare: 0.034 },
    },
    ...makeEngineFacts(),
    values: { baseline: makeValues(), candidate: makeValues() },
    instructions: { values: { baseline: 251_048, candidate: 566_120 }, ratio: 2.255 },
    wholeProcess: {
      valuesMs: { baseline: 412, candidate: 655 },
      ratio: { estimate: 1.59, low: 1.52, high: 1.66 },
    },
    artefacts: [
      {
        recorder: 'cpu-profile',
        arm: 'baseline',
        path: 'artefacts/profiles/serialize-flat-baseline-0.cpuprofile',
      },
      {
        recorder: 'cpu-profile',
        arm: 'candidate',
        path: 'artefacts/profiles/serialize-flat-candidate-0.cpuprofile',
      },
    ],
  };
}

/**
 * @param {number} change of the whole, nanoseconds
 * @returns {CellExplanation['functions']}
 */
function makeFunctions(change) {
  const added = ['ObjectEntries', 'GeneratorPrototypeNext', 'CreateIterResultObject'].map(
    (name, index) => {
      const selfNs = (change * 0.5) / (index + 1);
      return {
        name,
        kind: /** @type {const} */ ('builtin'),
        file: null,
        line: null,
        baseline: null,
        candidate: { selfNs, totalNs: selfNs * 1.1 },
        self: around(selfNs),
        total: around(selfNs * 1.1),
      };
    },
  );
  const written = Array.from({ length: 24 }, (_, index) => ({
    name: `writeElement${index}`,
    kind: /** @type {const} */ ('js'),
    file: FILE,
    line: 30 + index,
    baseline: { selfNs: 2000 - index, totalNs: 4000 },
    candidate: { selfNs: 1800 - index, totalNs: 3900 },
    self: around(-200, index < 4 ? 40 : 300),
    total: around(-100, 300),
  }));
  return [...added, ...written];
}

/** @returns {Pick<CellExplanation, 'deopts' | 'cacheSites' | 'tiers' | 'allocations'>} */
function makeEngineFacts() {
  return {
    deopts: [
      {
        function: 'writeDocument',
        kind: 'eager',
        reason: 'wrong map',
        file: FILE,
        line: 48,
        column: 17,
        baseline: 0,
        candidate: 2,
        late: { baseline: 0, candidate: 1 },
      },
    ],
    cacheSites: [
      {
        function: 'writeDocument',
        file: FILE,
        cache: 'KeyedLoadIC',
        key: null,
        line: 41,
        column: 9,
        baseline: null,
        candidate: 'megamorphic',
      },
    ],
    tiers: [
      {
        function: 'writeValue',
        file: FILE,
        line: 12,
        baseline: 'optimized',
        candidate: 'baseline',
      },
    ],
    allocations: [
      {
        name: 'ObjectEntries',
        file: FILE,
        line: 36,
        baselineBytes: 0,
        candidateBytes: 9280,
        change: around(9280),
      },
      {
        name: 'writeDocument',
        file: FILE,
        line: 34,
        baselineBytes: 412,
        candidateBytes: 96,
        change: around(-316, 500),
      },
    ],
  };
}

/** @returns {ValueForms} */
function makeValues() {
  return {
    objects: 2,
    dictionaries: 1,
    hiddenClasses: 2,
    arrays: 0,
    elements: {},
    smis: 24,
    doubles: 48,
    strings: { 'one-byte': 48, internalized: 145 },
    mostKeys: 145,
  };
}

/**
 * @param {string} cellId
 * @returns {CellProfiles}
 */
export function makeProfiles(cellId) {
  const samples = { baseline: 8200, candidate: 8350 };
  const processes = { baseline: 3, candidate: 3 };
  const lines = Array.from({ length: 30 }, (_, index) => ({
    file: FILE,
    line: 30 + index,
    name: 'writeDocument',
    text: `  for (const [key, value] of Object.entries(document)) write${index}(key, value);`,
    baseline: 600 - index * 9,
    candidate: 1900 - index * 25,
  }));
  const differential = makeTree();
  const bytes = { ...differential, unit: /** @type {const} */ ('bytes') };
  return {
    cellId,
    views: [
      { source: 'perf', differential, lines, samples, processes },
      { source: 'v8-cpu-profile', differential, lines: [], samples, processes },
      { source: 'v8-heap-profile', differential: bytes, lines: [], samples, processes },
    ],
  };
}

/** @returns {DifferentialProfile} */
function makeTree() {
  /** @type {[name: string, kind: Frame['kind'], parent: number, baseline: number, candidate: number][]} */
  const rows = [
    ['run', 'js', -1, 200, 210],
    ['serialize', 'js', 0, 900, 950],
    ['writeDocument', 'js', 1, 9000, 7200],
    ['ObjectEntries', 'builtin', 2, 0, 21_000],
    ['v8::internal::KeyAccumulator::GetKeys', 'native', 3, 0, 9000],
    ['GeneratorPrototypeNext', 'builtin', 2, 0, 14_000],
    ['writeString', 'js', 2, 11_000, 11_400],
    ['utf8Write', 'builtin', 6, 6000, 6100],
    ['writeIndexLoop', 'js', 1, 5000, 0],
    ['(garbage collector)', 'gc', -1, 400, 2100],
    ['(program)', 'program', -1, 100, 110],
  ];
  return {
    unit: 'ns',
    frames: rows.map(([name, kind], index) => {
      const isOurs = kind === 'js';
      return {
        name,
        kind,
        file: isOurs ? FILE : null,
        line: isOurs ? 10 + index * 7 : null,
        column: isOurs ? 1 : null,
      };
    }),
    nodes: rows.map(([, , parent, baseline, candidate], frame) => ({
      frame,
      parent,
      baseline,
      candidate,
    })),
  };
}
