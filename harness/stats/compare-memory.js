import { takeMedian } from './robust.js';
import { judgeMemoryMetrics, NEGLIGIBLE } from './judge-memory.js';
import {
  compareGroups,
  countPerThousand,
  fitHeldSlope,
  sortMemoryResults,
  summarizeCollections,
  takeCollectionNs,
  takeSamples,
} from './memory-samples.js';
import { collectMemoryWarnings } from './memory-notes.js';

/** @import { AllocationResult, Arm, Cell, CellMemory, CorpusMemory, Manifest, MemoryMetric, MemoryObservation, MemoryVerdict, SlopeResult, SnapshotResult, Verdict } from '../formats/types.ts' */
/** @import { MetricDraft } from './judge-memory.js' */
/** @import { ArmResults } from './memory-samples.js' */

/**
 * @typedef {ReturnType<typeof sortMemoryResults>} FindResults
 */

/**
 * What the memory observations of a run amount to. Deterministic: the same observations, in any
 * order, give the same result.
 *
 * @param {object} run
 * @param {Pick<Manifest, 'question' | 'corpora'>} run.manifest
 * @param {Iterable<MemoryObservation>} run.observations
 * @param {Verdict['ended']} [run.ended]
 * @param {number} [run.firstNumber] of the first warning
 * @returns {MemoryVerdict} cells in the order of the question, corpora in that of the manifest;
 *   without those that nothing is known of
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
      collections: {
        baseline: summarizeCollections(collections.baseline),
        candidate: summarizeCollections(collections.candidate),
        control: summarizeCollections(collections.control),
      },
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
      rssBytes: {
        baseline: describeRss(slopes.baseline),
        candidate: describeRss(slopes.candidate),
        control: describeRss(slopes.control),
      },
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
 * Whether there is anything to tell: not what was never measured, nor what no side ever has.
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
function countedOnly({ baseline, candidate, control }) {
  const pick = (/** @type {AllocationResult[]} */ results) =>
    results.flatMap(({ allocations, ...result }) =>
      allocations === undefined ? [] : [{ ...result, allocations }],
    );
  return { baseline: pick(baseline), candidate: pick(candidate), control: pick(control) };
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
