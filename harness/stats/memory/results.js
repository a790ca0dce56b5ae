import { fitLine, sumOf } from '../means.js';
import { forEachArm, jobCellId } from '../plan.js';
import { takeMedian } from '../robust.js';

/** @import { AllocationResult, Arm, CollectionSummary, CollectionsResult, CorpusMemory, HeldGroup, HeldPoint, MemoryJobKind, MemoryObservation, MemoryResult, SlopeResult, SnapshotResult } from '../../formats/types.ts' */

/** @import { Subject } from './plan.js' */

/**
 * Results of one kind of job on one subject, by arm, in the order of their processes.
 *
 * @template {MemoryResult} Result
 * @typedef {Record<Arm, Result[]>} ArmResults
 */

/** @typedef {ReturnType<typeof sortMemoryResults>} FindResults */

/**
 * Indexes the observations of a run by kind and subject. A job counts once, however often it ran.
 *
 * @param {Iterable<MemoryObservation>} observations in any order
 * @returns {<Kind extends MemoryJobKind>(kind: Kind, subject: Subject) =>
 *   ArmResults<Extract<MemoryResult, { kind: Kind }>>} results of a kind and subject
 */
export function sortMemoryResults(observations) {
  const jobs = new Map();
  for (const observation of observations) {
    if (observation.outcome === 'done' && !jobs.has(observation.id)) {
      jobs.set(observation.id, observation);
    }
  }
  const ordered = [...jobs.values()].sort((a, b) => a.process - b.process);
  return function findResults(kind, subject) {
    return forEachArm((arm) =>
      ordered
        .filter((job) => job.kind === kind && job.arm === arm)
        .filter((job) => job.subject === jobCellId(subject, arm))
        .map(({ result }) => result),
    );
  };
}

/**
 * One figure of each result.
 *
 * @template {MemoryResult} Result
 * @param {ArmResults<Result>} results
 * @param {(result: Result) => number} take
 * @returns {Record<Arm, number[]>}
 */
export function takeSamples(results, take) {
  return forEachArm((arm) => results[arm].map(take));
}

/**
 * @param {ArmResults<AllocationResult>} results
 * @returns {ArmResults<AllocationResult & { allocations: number }>} those of workers that count
 *   allocations
 */
export function countedOnly(results) {
  return forEachArm((arm) =>
    results[arm].flatMap(({ allocations, ...result }) =>
      allocations === undefined ? [] : [{ ...result, allocations }],
    ),
  );
}

/** Bytes retained, on and off the heap. @type {(held: HeldGroup | SnapshotResult) => number} */
export function sumBytes({ heapBytes, offHeapBytes }) {
  return heapBytes + offHeapBytes;
}

/** Collections for 1000 documents. @type {(result: CollectionsResult) => number} */
export function countPerThousand({ collections, documents }) {
  const count = Object.values(collections).reduce((sum, kind) => sum + kind.count, 0);
  return (count / documents) * 1000;
}

/** Time spent in collections for one document. @type {(result: CollectionsResult) => number} nanoseconds */
export function takeCollectionNs({ collections, documents }) {
  const ms = Object.values(collections).reduce((sum, kind) => sum + kind.ms, 0);
  return (ms * 1e6) / documents;
}

/**
 * All processes of an arm together.
 *
 * @param {Pick<CollectionsResult, 'documents' | 'wallMs' | 'collections'>[]} results
 * @returns {CollectionSummary | null} null if they did nothing
 */
export function summarizeCollections(results) {
  const documents = sumOf(results.map((result) => result.documents));
  const wallMs = sumOf(results.map((result) => result.wallMs));
  if (documents === 0 || wallMs === 0) return null;
  /** @type {Record<string, number>} */
  const perThousand = {};
  let collectedMs = 0;
  for (const { collections } of results) {
    for (const [kind, { count, ms }] of Object.entries(collections)) {
      perThousand[kind] = (perThousand[kind] ?? 0) + (count / documents) * 1000;
      collectedMs += ms;
    }
  }
  return { perThousand, timeShare: collectedMs / wallMs };
}

/** @type {(results: SlopeResult[]) => CorpusMemory['rssBytes'][Arm]} */
export function describeRss(results) {
  const bytes = results.flatMap(({ points }) => points.slice(-1).map(({ rssBytes }) => rssBytes));
  if (bytes.length === 0) return null;
  return { low: Math.min(...bytes), median: takeMedian(bytes), high: Math.max(...bytes) };
}

/**
 * Bytes that each further document holds, by least squares through the points of one process.
 *
 * @param {HeldPoint[]} points at least two numbers of documents
 * @returns {{ bytesPerDocument: number, residualShare: number }} the largest distance from the line
 *   is given as a share of what all documents hold; NaN where there is no line
 */
export function fitHeldSlope(points) {
  const line = points.map(({ documents, heapUsedBytes, externalBytes }) => ({
    x: documents,
    // Array buffers are part of the external bytes.
    y: heapUsedBytes + externalBytes,
  }));
  const { slope, meanX, meanY } = fitLine(line);
  const distances = line.map(({ x, y }) => Math.abs(y - meanY - slope * (x - meanX)));
  const largestX = Math.max(...line.map(({ x }) => x));
  return {
    bytesPerDocument: slope,
    residualShare: Math.max(...distances) / Math.abs(slope * largestX),
  };
}
