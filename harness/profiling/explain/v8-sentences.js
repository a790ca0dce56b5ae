import { countOf, formatChange, formatCount, formatShare, formatSize } from '../../lib/numbers.js';
import { excludesZero } from './samples.js';
import { findLargestSite } from './v8-changes.js';

/** @import { CacheSiteChange, CollectionSummary, DeoptChange, ValueForms } from '../../formats/types.ts' */
/** @import { CauseGroup, ComparedArm } from './types.ts' */
/** @import { AllocationComparison } from './v8-changes.js' */

/** Places that one sentence can hold. */
const MOST_NAMED = 3;
/** Hidden classes that V8 remembers at one place (`v8_flags.max_valid_polymorphic_map_count`). */
const MOST_REMEMBERED = 4;
/** What V8 does by another route for an object whose properties are in a hash table. */
const LISTINGS = Object.freeze(['Object.entries', 'Object.keys', 'Object.values', 'for-in loops']);
const READS = 'property reads that V8 did not inline';

/**
 * How V8 keeps the values, where that explains one of the causes.
 *
 * @param {CauseGroup[]} groups the measurable ones
 * @param {Record<ComparedArm, ValueForms | null>} values
 * @returns {string[]}
 */
export function tellValues(groups, values) {
  const names = new Set(groups.map(({ label }) => label));
  const listings = LISTINGS.filter((name) => names.has(name));
  return [...tellDictionaries(listings, values), ...tellHiddenClasses(names.has(READS), values)];
}

/**
 * @param {DeoptChange[]} deopts
 * @returns {string[]} what only one arm, or one arm more often, was deoptimised for after warm-up;
 *   before, it is how V8 learns
 */
export function tellDeopts(deopts) {
  const sums = sumLate(deopts);
  return /** @type {const} */ (['candidate', 'baseline']).flatMap((arm) => {
    const other = arm === 'candidate' ? 'baseline' : 'candidate';
    const late = sums.filter((change) => change.late[arm] > change.late[other]);
    if (late.length === 0) return [];
    const named = late
      .slice(0, MOST_NAMED)
      .map((change) => `${change.function} (${change.reason}, ${tellTimes(change.late[arm])})`);
    const more = late.length > MOST_NAMED ? [`${late.length - MOST_NAMED} more`] : [];
    return [
      `After warm-up V8 threw optimised code of the ${arm} away: ${listWords([...named, ...more])}.`,
    ];
  });
}

/**
 * @param {DeoptChange[]} deopts
 * @returns {Pick<DeoptChange, 'function' | 'reason' | 'late'>[]} by function and reason, wherever in
 *   the function: one that was edited has the same places at other lines
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
 * Functions are told by their number of such places: one that was edited has the same places at
 * other lines.
 *
 * @param {CacheSiteChange[]} sites
 * @returns {string[]} how many more megamorphic places an arm has, and in which functions
 */
export function tellCacheSites(sites) {
  const counts = countMegamorphic(sites);
  return /** @type {const} */ (['candidate', 'baseline']).flatMap((arm) => {
    const other = arm === 'candidate' ? 'baseline' : 'candidate';
    const found = [...counts].filter(([, count]) => count[arm] > count[other]);
    if (found.length === 0) return [];
    const more = found.reduce((sum, [, count]) => sum + count[arm] - count[other], 0);
    const isAlone = found.every(([, count]) => count[other] === 0);
    const subject = isAlone ? `Only the ${arm} has` : `The ${arm} has`;
    const places = `${more}${isAlone ? '' : ' more'} megamorphic ${more === 1 ? 'place' : 'places'}`;
    return [`${subject} ${places}, in ${nameSome(found.map(([name]) => name))}.`];
  });
}

/**
 * @param {CacheSiteChange[]} sites
 * @returns {Map<string, Record<ComparedArm, number>>} megamorphic places by name of the function
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
 * @param {string[]} listings causes that list the properties of objects
 * @param {Record<ComparedArm, ValueForms | null>} values
 * @returns {string[]}
 */
function tellDictionaries(listings, { baseline, candidate }) {
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
function tellHiddenClasses(isCause, { baseline, candidate }) {
  const most = Math.max(baseline?.hiddenClasses ?? 0, candidate?.hiddenClasses ?? 0);
  if (!isCause || most <= MOST_REMEMBERED) return [];
  return [
    `The values have ${formatCount(most)} hidden classes, and a place in the code remembers at most ${MOST_REMEMBERED}.`,
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
function tellTimes(count) {
  return count === 1 ? 'once' : `${count} times`;
}

/** A change of what is allocated below this share is not worth a sentence. */
const MIN_SHARE = 0.02;

/**
 * @param {CauseGroup[]} groups the measurable causes
 * @param {Record<ComparedArm, CollectionSummary | null>} collections
 * @param {Record<ComparedArm, number | null>} pauseMs of one collection, on average
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

/** @param {Record<ComparedArm, number | null>} pauseMs */
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

/**
 * @param {string[]} words
 * @returns {string} `a`, `a and b`, `a, b and c`
 */
export function listWords(words) {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}
