import { formatChange, formatShare, formatSize } from '../../lib/numbers.js';
import { findLargestSite } from './compare-allocations.js';
import { excludesZero } from './samples.js';

/** @import { CollectionSummary } from '../../formats/types.ts' */
/** @import { AllocationComparison } from './compare-allocations.js' */
/** @import { CauseGroup, Side } from './types.ts' */

/** A change of what is allocated below this share is not worth a sentence. */
const MIN_SHARE = 0.02;

/**
 * @param {CauseGroup[]} groups the measurable causes
 * @param {Record<Side, CollectionSummary | null>} collections
 * @param {Record<Side, number | null>} pauseMs of one collection, on average
 * @returns {string[]} how often the collector ran, where it is a cause
 */
export function tellCollections(groups, { baseline, candidate }, pauseMs) {
  const isCause = groups.some(({ kind }) => kind === 'gc');
  if (!isCause || baseline === null || candidate === null) return [];
  const [before, after] = [countAll(baseline), countAll(candidate)];
  const shares = `${formatShare(candidate.timeShare)} of the time instead of ${formatShare(baseline.timeShare)}`;
  return [
    `The collector runs ${formatRate(after)} times per 1000 documents instead of ${formatRate(before)}${tellPauses(pauseMs)} and takes ${shares}.`,
  ];
}

/**
 * @param {AllocationComparison | null} allocation
 * @returns {string[]} bytes per document, where they differ
 */
export function tellAllocation(allocation) {
  if (allocation === null) return [];
  const { bytes, change, sites } = allocation;
  const least = MIN_SHARE * Math.max(bytes.baseline, bytes.candidate);
  if (!excludesZero(change) || Math.abs(change.estimate) < least) return [];
  const relative = formatChange(bytes.candidate / bytes.baseline).change;
  const site = findLargestSite(sites, change.estimate);
  const word = change.estimate > 0 ? 'more' : 'less';
  const most =
    site === null
      ? ''
      : `; the largest part is ${site.name} with ${formatSize(Math.abs(site.change.estimate))} ${word}`;
  return [
    `A document allocates ${formatSize(bytes.candidate)} instead of ${formatSize(bytes.baseline)} (${relative})${most}.`,
  ];
}

/** @param {Record<Side, number | null>} pauseMs */
function tellPauses({ baseline, candidate }) {
  if (baseline === null || candidate === null) return '';
  return ` (pauses of ${candidate.toFixed(2)} ms against ${baseline.toFixed(2)} ms)`;
}

/** @param {CollectionSummary} summary */
function countAll({ perThousand }) {
  return Object.values(perThousand).reduce((sum, count) => sum + count, 0);
}

/** @param {number} count */
function formatRate(count) {
  return count < 10 ? String(Number(count.toPrecision(2))) : count.toFixed(0);
}
