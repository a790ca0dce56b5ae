import { countOf, formatChange, formatCount, formatShare, formatSize } from '../../lib/numbers.js';
import { excludesZero } from './samples.js';
import { findLargestSite } from './v8-changes.js';

/** @import { CacheSiteChange, CollectionSummary, DeoptChange, ValueForms } from '../../formats/types.ts' */
/** @import { CauseGroup, ComparedArm } from './types.ts' */
/** @import { AllocationComparison } from './v8-changes.js' */

/** Functions named in one sentence. */
const MOST_NAMED = 3;
/** Hidden classes of one inline cache (`v8_flags.max_valid_polymorphic_map_count`). */
const MOST_REMEMBERED = 4;
/** Operations without a fast path for objects in dictionary mode. */
const LISTINGS = Object.freeze(['Object.entries', 'Object.keys', 'Object.values', 'for-in loops']);
const READS = 'property reads that V8 did not inline';

/**
 * Representation of the values, if it explains one of the causes.
 *
 * @param {CauseGroup[]} groups the measurable ones
 * @param {Record<ComparedArm, ValueForms | null>} values
 * @returns {string[]}
 */
export function describeValues(groups, values) {
  const names = new Set(groups.map(({ label }) => label));
  const listings = LISTINGS.filter((name) => names.has(name));
  return [
    ...describeDictionaries(listings, values),
    ...describeHiddenClasses(names.has(READS), values),
  ];
}

/**
 * @param {DeoptChange[]} deopts
 * @returns {string[]} deoptimisations after warm-up that one arm has more of; those before are part of
 *   warming up
 */
export function describeDeopts(deopts) {
  const sums = sumLate(deopts);
  return /** @type {const} */ (['candidate', 'baseline']).flatMap((arm) => {
    const other = arm === 'candidate' ? 'baseline' : 'candidate';
    const late = sums.filter((change) => change.late[arm] > change.late[other]);
    if (late.length === 0) return [];
    const named = late
      .slice(0, MOST_NAMED)
      .map((change) => `${change.function} (${change.reason}, ${describeTimes(change.late[arm])})`);
    const more = late.length > MOST_NAMED ? [`${late.length - MOST_NAMED} more`] : [];
    return [
      `After warm-up, V8 deoptimised functions of the ${arm}: ${listWords([...named, ...more])}.`,
    ];
  });
}

/**
 * @param {DeoptChange[]} deopts
 * @returns {Pick<DeoptChange, 'function' | 'reason' | 'late'>[]} sums by function and reason, since an
 *   edited function has the same sites on other lines
 */
function sumLate(deopts) {
  /** @type {Map<string, Pick<DeoptChange, 'function' | 'reason' | 'late'>>} */
  const sums = new Map();
  for (const { function: name, reason, late } of deopts) {
    const key = JSON.stringify([name, reason]);
    const sum = sums.get(key) ?? { function: name, reason, late: { baseline: 0, candidate: 0 } };
    sums.set(key, sum);
    sum.late.baseline += late.baseline;
    sum.late.candidate += late.candidate;
  }
  return [...sums.values()];
}

/**
 * Counts megamorphic sites per function, since an edited function has the same sites on other lines.
 *
 * @param {CacheSiteChange[]} sites
 * @returns {string[]} how many more megamorphic sites an arm has, and in which functions
 */
export function describeCacheSites(sites) {
  const counts = countMegamorphic(sites);
  return /** @type {const} */ (['candidate', 'baseline']).flatMap((arm) => {
    const other = arm === 'candidate' ? 'baseline' : 'candidate';
    const found = [...counts].filter(([, count]) => count[arm] > count[other]);
    if (found.length === 0) return [];
    const more = found.reduce((sum, [, count]) => sum + count[arm] - count[other], 0);
    const isAlone = found.every(([, count]) => count[other] === 0);
    const subject = isAlone ? `Only the ${arm} has` : `The ${arm} has`;
    const places = `${more}${isAlone ? '' : ' more'} megamorphic ${more === 1 ? 'site' : 'sites'}`;
    return [`${subject} ${places}, in ${nameSome(found.map(([name]) => name))}.`];
  });
}

/**
 * @param {CacheSiteChange[]} sites
 * @returns {Map<string, Record<ComparedArm, number>>} megamorphic sites by name of the function
 */
function countMegamorphic(sites) {
  /** @type {Map<string, Record<ComparedArm, number>>} */
  const counts = new Map();
  for (const site of sites) {
    const count = counts.get(site.function) ?? { baseline: 0, candidate: 0 };
    counts.set(site.function, count);
    count.baseline += Number(isMegamorphic(site.baseline));
    count.candidate += Number(isMegamorphic(site.candidate));
  }
  return counts;
}

/** @param {string[]} names of functions */
function nameSome(names) {
  const named = names.slice(0, MOST_NAMED);
  const left = names.length - named.length;
  if (left === 0) return listWords(named);
  return listWords([...named, countOf(left, 'more function')]);
}

/**
 * @param {string[]} listings causes that enumerate properties
 * @param {Record<ComparedArm, ValueForms | null>} values
 * @returns {string[]}
 */
function describeDictionaries(listings, { baseline, candidate }) {
  if (listings.length === 0) return [];
  if ((baseline?.dictionaries ?? 0) === 0 && (candidate?.dictionaries ?? 0) === 0) return [];
  const isSame =
    baseline !== null &&
    candidate !== null &&
    baseline.dictionaries === candidate.dictionaries &&
    baseline.objects === candidate.objects;
  const shown = candidate ?? baseline;
  const counts = isSame
    ? countDictionaries(shown)
    : listWords([
        `${countDictionaries(candidate)} with the candidate`,
        `${countDictionaries(baseline)} with the baseline`,
      ]);
  const keys = formatCount(Math.max(baseline?.mostKeys ?? 0, candidate?.mostKeys ?? 0));
  return [
    `V8 keeps ${counts} as a hash table (dictionary mode; the largest has ${keys} keys), for which ${listWords(listings)} cannot take V8's fast path.`,
  ];
}

/**
 * @param {boolean} isCause whether property reads are a cause
 * @param {Record<ComparedArm, ValueForms | null>} values
 * @returns {string[]}
 */
function describeHiddenClasses(isCause, { baseline, candidate }) {
  const most = Math.max(baseline?.hiddenClasses ?? 0, candidate?.hiddenClasses ?? 0);
  if (!isCause || most <= MOST_REMEMBERED) return [];
  return [
    `The values have ${formatCount(most)} hidden classes; an inline cache holds at most ${MOST_REMEMBERED}.`,
  ];
}

/** @param {ValueForms | null} values */
function countDictionaries(values) {
  if (values === null) return 'an unknown number of objects';
  const { dictionaries, objects } = values;
  if (dictionaries === 1 && objects === 1) return 'the only object';
  return dictionaries === objects
    ? `all ${countOf(objects, 'object')}`
    : `${formatCount(dictionaries)} of ${countOf(objects, 'object')}`;
}

/** @param {CacheSiteChange['baseline']} state */
function isMegamorphic(state) {
  return state === 'megamorphic' || state === 'generic';
}

/** @param {number} count */
function describeTimes(count) {
  return count === 1 ? 'once' : `${count} times`;
}

/** Changes of allocation below this share are not mentioned. */
const MIN_SHARE = 0.02;

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

/**
 * @param {AllocationComparison | null} allocation
 * @returns {string[]} bytes per document, if they differ
 */
export function describeAllocation(allocation) {
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

/** @param {Record<ComparedArm, number | null>} pauseMs */
function describePauses({ baseline, candidate }) {
  if (baseline === null || candidate === null) return '';
  return ` (pauses of ${candidate.toFixed(2)} ms instead of ${baseline.toFixed(2)} ms)`;
}

/** @param {CollectionSummary} summary */
function countAll({ perThousand }) {
  return Object.values(perThousand).reduce((sum, count) => sum + count, 0);
}

/** @param {number} count */
function formatRate(count) {
  return count < 10 ? String(Number(count.toPrecision(2))) : count.toFixed(0);
}

/**
 * @param {string[]} words
 * @returns {string} `a`, `a and b`, `a, b and c`
 */
export function listWords(words) {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}
