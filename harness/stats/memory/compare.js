import { omitUndefined } from '../../lib/records.js';
import { forEachArm } from '../plan.js';
import { takeMedian } from '../robust.js';
import { collectMemoryWarnings } from './notes.js';
import {
  countPerThousand,
  countedOnly,
  describeRss,
  fitHeldSlope,
  sortMemoryResults,
  sumBytes,
  summarizeCollections,
  takeCollectionNs,
  takeSamples,
} from './results.js';
import { NEGLIGIBLE, judgeMemoryMetrics } from './rule.js';
import { listHeld } from './plan.js';

/** @import { Cell, CellMemory, CorpusMemory, HeldGroup, Manifest, MemoryMetric, MemoryObservation, MemoryResult, MemoryVerdict, SnapshotResult, Verdict } from '../../formats/types.ts' */
/** @import { ArmResults, FindResults } from './results.js' */
/** @import { HeldCorpus } from './plan.js' */
/** @import { MetricDraft } from './rule.js' */

/**
 * Turns the memory observations of a run into verdicts. Deterministic: the order of the observations
 * does not matter.
 *
 * @param {object} run
 * @param {Pick<Manifest, 'question' | 'corpora' | 'runtimes'>} run.manifest
 * @param {Iterable<MemoryObservation>} run.observations
 * @param {Verdict['ended']} [run.ended]
 * @param {number} [run.firstNumber] of the first warning
 * @returns {MemoryVerdict} cells in the order of the question, corpora in that of the manifest; only
 *   those with figures
 */
export function compareMemory({ manifest, observations, ended = 'complete', firstNumber = 1 }) {
  const { question, corpora, runtimes } = manifest;
  const all = [...observations];
  const findResults = sortMemoryResults(all);
  const cellDrafts = question.cells.map((cell) => draftCell(cell, findResults));
  const held = listHeld(question, corpora);
  const corpusDrafts = held.map((corpus) => draftCorpus(corpus, findResults));
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
      runtimes,
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

/** @type {(cell: Cell, findResults: FindResults) => { drafts: MetricDraft[], finish: (metrics: MemoryMetric[]) => CellMemory }} */
function draftCell(cell, findResults) {
  const allocation = findResults('allocation', cell);
  const collections = findResults('collections', cell);
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

/** @type {(held: HeldCorpus, findResults: FindResults) => { drafts: MetricDraft[], finish: (metrics: MemoryMetric[]) => CorpusMemory }} */
function draftCorpus(held, findResults) {
  const snapshots = findResults('retained-snapshot', held);
  const slopes = findResults('retained-slope', held);
  const retained = draft('retained', 'bytes', snapshots, sumBytes);
  const slope = draft('retained-slope', 'bytes', slopes, ({ points }) => {
    return fitHeldSlope(points).bytesPerDocument;
  });
  const groups = compareGroups(snapshots);
  const own = [{ ...retained, deterministic: true }, slope].filter(isVisible);
  return {
    drafts: [...own, ...groups.map((group) => group.draft)],
    finish: (metrics) => ({
      corpus: held.corpus,
      ...omitUndefined({ candidate: held.candidate }),
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
 * @type {<R extends MemoryResult>(name: MetricDraft['name'], unit: MetricDraft['unit'], results: ArmResults<R>, take: (result: R) => number) => MetricDraft}
 */
function draft(name, unit, results, take) {
  return { name, unit, samples: takeSamples(results, take), deterministic: false };
}

/** Whether a figure is worth a row: it was measured, and is not zero in all processes. @param {MetricDraft} metric */
function isVisible({ name, unit, samples }) {
  const values = Object.values(samples).flat();
  if (name === 'allocated-heap') return values.length > 0;
  return values.some((value) => value >= NEGLIGIBLE[unit]);
}

/** @type {<R extends MemoryResult>(results: ArmResults<R>) => R | undefined} */
function firstOf({ baseline, candidate, control }) {
  return baseline[0] ?? candidate[0] ?? control[0];
}

/**
 * The constructors of which both variants retain instances, with the bytes that one instance retains, in the order of
 * the baseline and the documents first.
 * @type {(snapshots: ArmResults<SnapshotResult>) => { name: string, baseline: HeldGroup, candidate: HeldGroup, draft: MetricDraft }[]}
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
    const samples = takeSamples(having, (snapshot) =>
      sumBytes(/** @type {HeldGroup} */ (findGroup(snapshot, name))),
    );
    const draft = {
      name: /** @type {const} */ ('retained'),
      unit: /** @type {const} */ ('bytes'),
      samples,
      deterministic: true,
    };
    return [{ name, baseline, candidate, draft }];
  });
}

/** @param {SnapshotResult} snapshot @param {string} name */
function findGroup({ groups }, name) {
  return groups.find((group) => group.name === name);
}
