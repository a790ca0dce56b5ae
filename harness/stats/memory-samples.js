/** @import { Arm, CollectionSummary, CollectionsResult, HeldGroup, HeldPoint, MemoryJobKind, MemoryObservation, MemoryResult, SnapshotResult } from '../formats/types.ts' */
/** @import { MetricDraft } from './judge-memory.js' */

/**
 * Results of one kind of job on one subject, by arm, in the order of their processes.
 *
 * @template {MemoryResult} Result
 * @typedef {Record<Arm, Result[]>} ArmResults
 */

/**
 * Sorts the observations of a run by what they are about. A job counts once, however often it was
 * done.
 *
 * @param {Iterable<MemoryObservation>} observations in any order
 * @returns {<Kind extends MemoryJobKind>(kind: Kind, subject: string) =>
 *   ArmResults<Extract<MemoryResult, { kind: Kind }>>} what there is of a kind and subject
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
    const fitting = ordered.filter((job) => job.kind === kind && job.subject === subject);
    const of = (/** @type {Arm} */ arm) =>
      fitting.filter((job) => job.arm === arm).map(({ result }) => result);
    return { baseline: of('baseline'), candidate: of('candidate'), control: of('control') };
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
export function takeSamples({ baseline, candidate, control }, take) {
  return {
    baseline: baseline.map(take),
    candidate: candidate.map(take),
    control: control.map(take),
  };
}

/**
 * Collections for 1000 documents.
 *
 * @param {CollectionsResult} result
 * @returns {number}
 */
export function countPerThousand({ collections, documents }) {
  const count = Object.values(collections).reduce((sum, kind) => sum + kind.count, 0);
  return (count / documents) * 1000;
}

/**
 * Time spent in collections for one document.
 *
 * @param {CollectionsResult} result
 * @returns {number} nanoseconds
 */
export function takeCollectionNs({ collections, documents }) {
  const ms = Object.values(collections).reduce((sum, kind) => sum + kind.ms, 0);
  return (ms * 1e6) / documents;
}

/**
 * All processes of an arm together.
 *
 * @param {CollectionsResult[]} results
 * @returns {CollectionSummary | null} null without a process
 */
export function summarizeCollections(results) {
  if (results.length === 0) return null;
  const documents = results.reduce((sum, result) => sum + result.documents, 0);
  const wallMs = results.reduce((sum, result) => sum + result.wallMs, 0);
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

/**
 * The constructors that both sides retain instances of, with what one instance retains.
 *
 * @param {ArmResults<SnapshotResult>} snapshots
 * @returns {{ name: string, baseline: HeldGroup, candidate: HeldGroup, draft: MetricDraft }[]} in the
 *   order of the baseline, the documents first
 */
export function compareGroups(snapshots) {
  const [before] = snapshots.baseline;
  const [after] = snapshots.candidate;
  if (before === undefined || after === undefined) return [];
  return before.groups.flatMap((baseline) => {
    const { name } = baseline;
    const candidate = findGroup(after, name);
    if (candidate === undefined) return [];
    const having = {
      baseline: snapshots.baseline.filter((snapshot) => findGroup(snapshot, name) !== undefined),
      candidate: snapshots.candidate.filter((snapshot) => findGroup(snapshot, name) !== undefined),
      control: snapshots.control.filter((snapshot) => findGroup(snapshot, name) !== undefined),
    };
    const samples = takeSamples(having, (snapshot) => {
      const { heapBytes, offHeapBytes } = /** @type {HeldGroup} */ (findGroup(snapshot, name));
      return heapBytes + offHeapBytes;
    });
    const draft = {
      name: /** @type {const} */ ('retained'),
      unit: /** @type {const} */ ('bytes'),
      samples,
      deterministic: true,
    };
    return [{ name, baseline, candidate, draft }];
  });
}

/**
 * @param {SnapshotResult} snapshot
 * @param {string} name
 */
function findGroup({ groups }, name) {
  return groups.find((group) => group.name === name);
}

/**
 * Bytes that one document more holds, by least squares through the points of one process, and how
 * far the points lie from the line: the largest distance as a share of what all documents hold.
 *
 * @param {HeldPoint[]} points at least two numbers of documents
 * @returns {{ bytesPerDocument: number, residualShare: number }} NaN where there is no line
 */
export function fitHeldSlope(points) {
  const line = points.map(({ documents, heapUsedBytes, externalBytes }) => ({
    x: documents,
    // Array buffers are part of what is outside the heap, so they are not added once more.
    y: heapUsedBytes + externalBytes,
  }));
  const meanX = line.reduce((sum, { x }) => sum + x, 0) / line.length;
  const meanY = line.reduce((sum, { y }) => sum + y, 0) / line.length;
  let squares = 0;
  let products = 0;
  let largestX = 0;
  for (const { x, y } of line) {
    squares += (x - meanX) ** 2;
    products += (x - meanX) * (y - meanY);
    largestX = Math.max(largestX, x);
  }
  const bytesPerDocument = products / squares;
  const distances = line.map(({ x, y }) => Math.abs(y - meanY - bytesPerDocument * (x - meanX)));
  const residualShare = Math.max(...distances) / Math.abs(bytesPerDocument * largestX);
  return { bytesPerDocument, residualShare };
}
