import { formatChange, formatShare, formatSize } from '../../lib/numbers.js';
import { nameCallers } from '../profiles/transforms.js';
import { MIN_PROFILES, pairFunctions, sampleProfile, sumSelf } from './functions.js';
import { sumOf } from '../../stats/means.js';
import { compareArms, excludesZero, forBothArms } from './samples.js';

/** @import { AllocationChange, CollectionSummary, Interval } from '../../formats/types.ts' */
/** @import { Profile } from '../../formats/profile-types.ts' */
/** @import { CauseGroup, ComparedArm, PairedFunction } from './types.ts' */

const MAX_SITES = 40;
/** Changes below this share of the larger arm's bytes are not listed, … */
const MIN_SITE_SHARE = 0.002;
/** … and a change of the total below this share is not mentioned. */
const MIN_TOTAL_SHARE = 0.02;

/**
 * Allocation of both arms in bytes per document.
 *
 * @typedef {object} AllocationComparison
 * @property {AllocationChange[]} sites the largest change first
 * @property {Record<ComparedArm, number>} bytes
 * @property {Interval} change of the total
 */

/**
 * @param {Record<ComparedArm, Profile[]>} allocations one profile per process, bytes per document
 * @returns {AllocationComparison | null} null with fewer than two processes per arm
 */
export function compareAllocations(allocations) {
  const processes = forBothArms((arm) => allocations[arm].length);
  if (Math.min(processes.baseline, processes.candidate) < MIN_PROFILES) return null;
  // Bytes need no scaling.
  const pairs = pairFunctions(
    forBothArms((arm) => allocations[arm].map((profile) => sampleProfile(nameCallers(profile), 1))),
  );
  /** @param {PairedFunction[]} sites */
  const compareSites = (sites) =>
    compareArms(forBothArms((arm) => sumSelf(sites, arm, processes[arm])));
  const { means: bytes, change } = compareSites(pairs);
  const least = MIN_SITE_SHARE * Math.max(bytes.baseline, bytes.candidate);
  const sites = pairs
    .map((pair) => {
      const { name, file, line } = pair.frame;
      const { means, change: ofSite } = compareSites([pair]);
      const { baseline: baselineBytes, candidate: candidateBytes } = means;
      return { name, file, line, baselineBytes, candidateBytes, change: ofSite };
    })
    .filter((site) => Math.abs(site.change.estimate) > least)
    .sort((one, two) => Math.abs(two.change.estimate) - Math.abs(one.change.estimate))
    .slice(0, MAX_SITES);
  return { sites, bytes, change };
}

/**
 * @param {AllocationComparison | null} allocation
 * @returns {string[]} bytes per document, if they differ
 */
export function describeAllocation(allocation) {
  if (allocation === null) return [];
  const { bytes, change, sites } = allocation;
  const least = MIN_TOTAL_SHARE * Math.max(bytes.baseline, bytes.candidate);
  if (!excludesZero(change) || Math.abs(change.estimate) < least) return [];
  const relative = formatChange(bytes.candidate / bytes.baseline).change;
  const site = sites.find(
    (each) => excludesZero(each.change) && each.change.estimate * change.estimate > 0,
  );
  const word = change.estimate > 0 ? 'more' : 'less';
  const most =
    site === undefined
      ? ''
      : `; the largest part is ${site.name} with ${formatSize(Math.abs(site.change.estimate))} ${word}`;
  return [
    `A document allocates ${formatSize(bytes.candidate)} instead of ${formatSize(bytes.baseline)} (${relative})${most}.`,
  ];
}

/**
 * @param {CollectionSummary | null} summary
 * @param {number | null} documentNs time of a document
 * @returns {number | null} mean pause of a collection in milliseconds
 */
export function averagePauseMs(summary, documentNs) {
  if (summary === null || documentNs === null) return null;
  const perDocument = countAll(summary) / 1000;
  return perDocument === 0 ? null : (summary.timeShare * documentNs) / perDocument / 1e6;
}

/**
 * @param {CauseGroup[]} groups the measurable causes
 * @param {Record<ComparedArm, CollectionSummary | null>} collections
 * @param {Record<ComparedArm, number | null>} pauseMs of one collection, on average
 * @returns {string[]} frequency and share of collections, if garbage collection is a cause
 */
export function describeCollections(groups, { baseline, candidate }, pauseMs) {
  const isCause = groups.some(({ kind }) => kind === 'gc');
  if (!isCause || baseline === null || candidate === null) return [];
  const [before, after] = [countAll(baseline), countAll(candidate)];
  const shares = `${formatShare(candidate.timeShare)} of the time instead of ${formatShare(baseline.timeShare)}`;
  return [
    `Garbage collection runs ${formatRate(after)} times per 1000 documents instead of ${formatRate(before)}${describePauses(pauseMs)} and takes ${shares}.`,
  ];
}

/** @param {Record<ComparedArm, number | null>} pauseMs */
function describePauses({ baseline, candidate }) {
  if (baseline === null || candidate === null) return '';
  return ` (pauses of ${candidate.toFixed(2)} ms instead of ${baseline.toFixed(2)} ms)`;
}

/** @param {CollectionSummary} summary */
function countAll({ perThousand }) {
  return sumOf(Object.values(perThousand));
}

/** @param {number} count */
function formatRate(count) {
  return count < 10 ? String(Number(count.toPrecision(2))) : count.toFixed(0);
}
