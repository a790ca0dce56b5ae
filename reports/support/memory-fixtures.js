/** Observations and a verdict of memory, as a run brings them. Used by tests only. */

/** @import { Arm, HeldGroup, Manifest, MemoryObservation, MemoryObservationDone, MemoryResult, PlannedMemoryJob } from '../../harness/formats/types.ts' */

import { makeCell, makeManifest, makeVerdict } from './fixtures.js';
import { compareMemory } from '../../harness/stats/memory.js';
import { FORMAT_VERSION } from '../../harness/formats/format-version.js';
import { planMemoryJobs } from '../../harness/stats/plan.js';

/** What the arms of the usual run have: the figures of NODE-6246, rounded. */
const SIDES = {
  buffer: { id: 128, share: 16, allocated: 2209, offHeap: 32, collections: 220, gcMs: 14 },
  packed: { id: 56, share: 0, allocated: 2016, offHeap: 0, collections: 190, gcMs: 9 },
};

const COMMENTS = { operation: 'deserialize', corpus: 'comments' };

/**
 * What a test wants to be otherwise.
 *
 * @typedef {(job: PlannedMemoryJob, result: MemoryResult) => MemoryResult} Change
 */

/**
 * A comparison of ObjectIds in buffers with packed ones on one corpus of comments.
 *
 * @param {Change} [change] of the result of a job
 * @returns {{ manifest: Manifest, observations: MemoryObservationDone[] }}
 */
export function makeMemoryRun(change = (_job, result) => result) {
  const { cell } = makeCell({ ...COMMENTS, verdict: 'faster', ratio: [0.81, 0.83, 0.85] });
  const usual = makeManifest({ baseline: 'linked-list', candidate: 'packed', cells: [cell] });
  const corpus = {
    ...usual.corpora[0],
    label: 'comments',
    name: 'comments',
    documentCount: 1000,
    sizeBytes: 280_145,
  };
  const manifest = { ...usual, corpora: [corpus] };
  const observations = planMemoryJobs(manifest.question, manifest.corpora).map((job) => ({
    formatVersion: FORMAT_VERSION,
    ...job,
    attempt: 1,
    startedAtMs: 0,
    workerMs: 700,
    outcome: /** @type {const} */ ('done'),
    result: change(job, makeResult(job)),
  }));
  return { manifest, observations };
}

/**
 * A job that brought nothing.
 *
 * @param {string} id
 * @returns {MemoryObservation}
 */
export function makeFailedObservation(id) {
  return {
    formatVersion: FORMAT_VERSION,
    id,
    kind: 'allocation',
    subject: 'deserialize comments',
    arm: 'baseline',
    process: 0,
    documentCount: null,
    attempt: 2,
    startedAtMs: 0,
    workerMs: 700,
    outcome: 'failed',
    failure: { reason: 'signal', detail: 'ended by SIGKILL', lastLines: ['out of memory'] },
  };
}

/**
 * The same as renderers are given it.
 *
 * @param {Change} [change]
 */
export function makeMemoryReport(change) {
  const { manifest, observations } = makeMemoryRun(change);
  const memory = compareMemory({ manifest, observations, firstNumber: 1 });
  const cells = [
    makeCell({ ...COMMENTS, verdict: 'faster', ratio: [0.81, 0.83, 0.85], baselineNs: 2100 }),
  ];
  return { manifest, verdict: makeVerdict(cells, { memory }) };
}

/**
 * @param {PlannedMemoryJob} job
 * @returns {MemoryResult}
 */
function makeResult({ kind, arm, process, documentCount }) {
  const side = arm === 'candidate' ? SIDES.packed : SIDES.buffer;
  switch (kind) {
    case 'allocation':
      return {
        kind,
        windowHeapBytes: [side.allocated, side.allocated + 0.1 * process, side.allocated],
        offHeapBytes: side.offHeap,
        documentsPerWindow: 7000,
        collectedWindows: 0,
        bridged: false,
      };
    case 'collections':
      return {
        kind,
        documents: 200_000,
        wallMs: 330 + process,
        collections: {
          scavenge: { count: side.collections + process, ms: side.gcMs * (1 + 0.1 * process) },
          'mark-compact': { count: 1, ms: 2 },
        },
        allocatedBytes: side.allocated,
      };
    case 'retained-slope':
      return makeSlope(arm, process, documentCount ?? 0);
    default:
      return makeSnapshot(arm, documentCount ?? 0);
  }
}

/**
 * @param {Arm} arm
 * @param {number} process
 * @param {number} documentCount
 * @returns {MemoryResult}
 */
function makeSlope(arm, process, documentCount) {
  const { id, share } = arm === 'candidate' ? SIDES.packed : SIDES.buffer;
  const points = [0.25, 0.5, 0.75, 1].map((part) => {
    const documents = part * documentCount;
    const arrayBufferBytes = 18_000_000 + 2 * share * documents;
    return {
      documents,
      heapUsedBytes: 4_900_000 + (457 + 2 * id) * documents + 30_000 * (process % 2) * part,
      externalBytes: arrayBufferBytes + 1_900_000,
      arrayBufferBytes,
      rssBytes: 60_000_000 + (900 + id) * documents + 800_000 * process,
    };
  });
  return { kind: 'retained-slope', points };
}

/**
 * @param {Arm} arm
 * @param {number} documents
 * @returns {MemoryResult}
 */
function makeSnapshot(arm, documents) {
  const isPacked = arm === 'candidate';
  const { id, share } = isPacked ? SIDES.packed : SIDES.buffer;
  const part = (/** @type {string} */ field, /** @type {string} */ holds, heapBytes = 0) => ({
    field,
    holds,
    shared: field === '',
    heapBytes,
    offHeapBytes: field === '' ? share : 0,
  });
  const slab = isPacked ? [] : [part('', 'ArrayBuffer')];
  /** @type {HeldGroup[]} */
  const groups = [
    {
      name: '(document)',
      perDocument: 1,
      shallowBytes: 56,
      heapBytes: 457 + 2 * id,
      offHeapBytes: 2 * share,
      parts: [
        part('text', 'string', 170),
        part('_id', 'ObjectId', id),
        part('movie_id', 'ObjectId', id),
        part('date', 'Date', 112),
        part('email', 'string', 48),
        part('(properties)', 'PropertyArray', 40),
        part('name', 'string', 31),
        ...slab.map((one) => ({ ...one, offHeapBytes: 2 * share })),
      ],
    },
    {
      name: 'ObjectId',
      perDocument: 2,
      shallowBytes: isPacked ? 56 : 32,
      heapBytes: id,
      offHeapBytes: share,
      parts: isPacked ? [] : [part('buffer', 'Buffer', 96), ...slab],
    },
  ];
  const composition = [
    { name: 'string', perDocument: 3, heapBytes: 249, offHeapBytes: 0 },
    ...(isPacked ? [] : [{ name: 'Buffer', perDocument: 2, heapBytes: 192, offHeapBytes: 0 }]),
    { name: 'ObjectId', perDocument: 2, heapBytes: isPacked ? 112 : 64, offHeapBytes: 0 },
    { name: 'Date', perDocument: 1, heapBytes: 112, offHeapBytes: 0 },
    { name: 'Object', perDocument: 1, heapBytes: 96, offHeapBytes: 0 },
    ...(isPacked
      ? []
      : [{ name: 'ArrayBuffer data', perDocument: 0.004, heapBytes: 0, offHeapBytes: 32 }]),
  ];
  return {
    kind: 'retained-snapshot',
    documents,
    heapBytes: 457 + 2 * id,
    offHeapBytes: 2 * share,
    composition,
    groups,
  };
}
