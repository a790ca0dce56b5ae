import { countOf, formatCount } from '../../lib/numbers.js';
import { listWords } from '../../lib/words.js';

/** @import { ValueForms } from '../../formats/types.ts' */
/** @import { CauseGroup, ComparedArm } from './types.ts' */

/** Hidden classes of one inline cache (`v8_flags.max_valid_polymorphic_map_count`). */
const MAX_REMEMBERED = 4;
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
 * The same in a few words.
 * @type {typeof describeValues}
 */
export function summarizeValues(groups, values) {
  const names = new Set(groups.map(({ label }) => label));
  const { baseline, candidate } = values;
  const most = (/** @type {'dictionaries' | 'mostKeys' | 'hiddenClasses'} */ figure) =>
    Math.max(baseline?.[figure] ?? 0, candidate?.[figure] ?? 0);
  if (LISTINGS.some((name) => names.has(name)) && most('dictionaries') > 0) {
    return [`${formatCount(most('mostKeys'))} keys in a hash table, where V8 has no fast path`];
  }
  const classes = most('hiddenClasses');
  return names.has(READS) && classes > MAX_REMEMBERED
    ? [`${formatCount(classes)} hidden classes (an inline cache holds ${MAX_REMEMBERED})`]
    : [];
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
  if (!isCause || most <= MAX_REMEMBERED) return [];
  return [
    `The values have ${formatCount(most)} hidden classes; an inline cache holds at most ${MAX_REMEMBERED}.`,
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
