import { collectMemoryWarnings, fitHeldSlope } from './memory-notes.js';
import { NEGLIGIBLE, judgeMemoryMetrics } from './memory-rule.js';
import { forEachArm } from './plan.js';
import { takeMedian } from './robust.js';

/** @import { AllocationResult, Arm, Cell, CellMemory, CollectionSummary, CollectionsResult, CorpusMemory, HeldGroup, Manifest, MemoryJobKind, MemoryMetric, MemoryObservation, MemoryResult, MemoryVerdict, SlopeResult, SnapshotResult, Verdict } from '../formats/types.ts' */
/** @import { MetricDraft } from './memory-rule.js' */

/**
 * @typedef {ReturnType<typeof sortMemoryResults>} FindResults
 */

/**
 * Turns the memory observations of a run into verdicts. Deterministic: the order of the observations
 * does not matter.
 *
 * @param {object} run
 * @param {Pick<Manifest, 'question' | 'corpora'>} run.manifest
 * @param {Iterable<MemoryObservation>} run.observations
 * @param {Verdict['ended']} [run.ended]
 * @param {number} [run.firstNumber] of the first warning
 * @returns {MemoryVerdict} cells in the order of the question, corpora in that of the manifest; only
 *   those with figures
 */
export function compareMemory({ manifest, observations, ended = 'complete', firstNumber = 1 }) {
  const { question, corpora } = manifest;
  const all = [...observations];
  const findResults = sortMemoryResults(all);
  const cellDrafts = question.cells.map((cell) => draftCell(cell, findResults));
  const corpusDrafts = corpora.map(({ label }) => draftCorpus(label, findResults));
  const judged = judgeMemoryMetrics(
    [...cellDrafts, ...corpusDrafts].flatMap(({ drafts }) => drafts),
    question,
  );
  const take = makeTaker(judged);
  const cells = cellDrafts.map(({ drafts, finish }) => finish(take(drafts.length)));
  const comparedCorpora = corpusDrafts.map(({ drafts, finish }) => finish(take(drafts.length)));
  return {
    cells: cells.filter(({ metrics }) => metrics.length > 0),
    corpora: comparedCorpora.filter(({ metrics }) => metrics.length > 0),
    warnings: collectMemoryWarnings({
      question,
      corpora,
      observations: all,
      cells,
      corpusMemories: comparedCorpora,
      findResults,
      ended,
      firstNumber,
    }),
  };
}

/** @param {MemoryMetric[]} metrics */
function makeTaker(metrics) {
  let taken = 0;
  /** @param {number} count */
  return function take(count) {
    taken += count;
    return metrics.slice(taken - count, taken);
  };
}

/**
 * @param {Cell} cell
 * @param {FindResults} findResults
 * @returns {{ drafts: MetricDraft[], finish: (metrics: MemoryMetric[]) => CellMemory }}
 */
function draftCell(cell, findResults) {
  const allocation = findResults('allocation', cell.id);
  const collections = findResults('collections', cell.id);
  const drafts = [
    draft('allocated-heap', 'bytes', allocation, ({ windowHeapBytes }) =>
      takeMedian(windowHeapBytes),
    ),
    draft('allocations', 'allocations', countedOnly(allocation), (result) => result.allocations),
    draft('allocated-off-heap', 'bytes', allocation, ({ offHeapBytes }) => offHeapBytes),
    draft('collections', 'collections', collections, countPerThousand),
    draft('collection-time', 'ns', collections, takeCollectionNs),
  ].filter(isVisible);
  return {
    drafts,
    finish: (metrics) => ({
      cell,
      metrics,
      collections: forEachArm((arm) => summarizeCollections(collections[arm])),
    }),
  };
}

/**
 * @param {string} label
 * @param {FindResults} findResults
 * @returns {{ drafts: MetricDraft[], finish: (metrics: MemoryMetric[]) => CorpusMemory }}
 */
function draftCorpus(label, findResults) {
  const snapshots = findResults('retained-snapshot', label);
  const slopes = findResults('retained-slope', label);
  const retained = draft('retained', 'bytes', snapshots, sumBytes);
  const slope = draft('retained-slope', 'bytes', slopes, ({ points }) => {
    return fitHeldSlope(points).bytesPerDocument;
  });
  const groups = compareGroups(snapshots);
  const own = [{ ...retained, deterministic: true }, slope].filter(isVisible);
  return {
    drafts: [...own, ...groups.map((group) => group.draft)],
    finish: (metrics) => ({
      corpus: label,
      documents: {
        snapshot: firstOf(snapshots)?.documents ?? null,
        slope: firstOf(slopes)?.points.at(-1)?.documents ?? null,
      },
      metrics: metrics.slice(0, own.length),
      groups: groups.map(({ name, baseline, candidate }, index) => ({
        name,
        metric: metrics[own.length + index],
        baseline,
        candidate,
      })),
      composition: {
        baseline: snapshots.baseline[0]?.composition ?? [],
        candidate: snapshots.candidate[0]?.composition ?? [],
      },
      rssBytes: forEachArm((arm) => describeRss(slopes[arm])),
    }),
  };
}

/**
 * @template {import('../formats/types.ts').MemoryResult} Result
 * @param {MetricDraft['name']} name
 * @param {MetricDraft['unit']} unit
 * @param {ArmResults<Result>} results
 * @param {(result: Result) => number} take
 * @returns {MetricDraft}
 */
function draft(name, unit, results, take) {
  return { name, unit, samples: takeSamples(results, take), deterministic: false };
}

/**
 * Whether a figure is worth a row: it was measured, and is not zero in all processes.
 *
 * @param {MetricDraft} metric
 */
function isVisible({ name, unit, samples: { baseline, candidate } }) {
  const values = [...baseline, ...candidate];
  if (name === 'allocated-heap') return values.length > 0;
  return values.some((value) => value >= NEGLIGIBLE[unit]);
}

/**
 * @param {ArmResults<AllocationResult>} results
 * @returns {ArmResults<AllocationResult & { allocations: number }>} those of workers that count
 *   allocations
 */
function countedOnly(results) {
  return forEachArm((arm) =>
    results[arm].flatMap(({ allocations, ...result }) =>
      allocations === undefined ? [] : [{ ...result, allocations }],
    ),
  );
}

/** @param {SnapshotResult} result */
function sumBytes({ heapBytes, offHeapBytes }) {
  return heapBytes + offHeapBytes;
}

/**
 * @template {import('../formats/types.ts').MemoryResult} Result
 * @param {ArmResults<Result>} results
 * @returns {Result | undefined}
 */
function firstOf({ baseline, candidate, control }) {
  return baseline[0] ?? candidate[0] ?? control[0];
}

/**
 * @param {SlopeResult[]} results
 * @returns {CorpusMemory['rssBytes'][Arm]}
 */
function describeRss(results) {
  const bytes = results.flatMap(({ points }) => points.slice(-1).map(({ rssBytes }) => rssBytes));
  if (bytes.length === 0) return null;
  return { low: Math.min(...bytes), median: takeMedian(bytes), high: Math.max(...bytes) };
}

/**
 * Results of one kind of job on one subject, by arm, in the order of their processes.
 *
 * @template {MemoryResult} Result
 * @typedef {Record<Arm, Result[]>} ArmResults
 */

/**
 * Indexes the observations of a run by kind and subject. A job counts once, however often it ran.
 *
 * @param {Iterable<MemoryObservation>} observations in any order
 * @returns {<Kind extends MemoryJobKind>(kind: Kind, subject: string) =>
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
    const fitting = ordered.filter((job) => job.kind === kind && job.subject === subject);
    return forEachArm((arm) =>
      fitting.filter((job) => job.arm === arm).map(({ result }) => result),
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
function takeSamples(results, take) {
  return forEachArm((arm) => results[arm].map(take));
}

/**
 * Collections for 1000 documents.
 *
 * @param {CollectionsResult} result
 * @returns {number}
 */
function countPerThousand({ collections, documents }) {
  const count = Object.values(collections).reduce((sum, kind) => sum + kind.count, 0);
  return (count / documents) * 1000;
}

/**
 * Time spent in collections for one document.
 *
 * @param {CollectionsResult} result
 * @returns {number} nanoseconds
 */
function takeCollectionNs({ collections, documents }) {
  const ms = Object.values(collections).reduce((sum, kind) => sum + kind.ms, 0);
  return (ms * 1e6) / documents;
}

/**
 * All processes of an arm together.
 *
 * @param {CollectionsResult[]} results
 * @returns {CollectionSummary | null} null without a process
 */
function summarizeCollections(results) {
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
 * The constructors of which both variants retain instances, with the bytes that one instance retains.
 *
 * @param {ArmResults<SnapshotResult>} snapshots
 * @returns {{ name: string, baseline: HeldGroup, candidate: HeldGroup, draft: MetricDraft }[]} in the
 *   order of the baseline, the documents first
 */
function compareGroups(snapshots) {
  const [before] = snapshots.baseline;
  const [after] = snapshots.candidate;
  if (before === undefined || after === undefined) return [];
  return before.groups.flatMap((baseline) => {
    const { name } = baseline;
    const candidate = findGroup(after, name);
    if (candidate === undefined) return [];
    const having = forEachArm((arm) =>
      snapshots[arm].filter((snapshot) => findGroup(snapshot, name) !== undefined),
    );
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
