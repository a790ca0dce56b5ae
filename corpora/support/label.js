import { didYouMean } from '../../harness/lib/words.js';
import { UsageError } from '../../harness/lib/errors.js';

/** @import { Provenance } from '../../harness/formats/types.ts' */

/** How a document can be created; the default first. @type {Provenance[]} */
export const PROVENANCES = ['parsed', 'deserialized', 'literal'];

/** Names of corpora: `flat`, `my-orders-2`. */
export const NAME_PATTERN = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** Documents of a corpus: 10 million comments are 2.7 GiB. */
const MAX_COUNT = 10_000_000;

/** How many times as large a document may become. */
const MAX_GROWTH = 256;

const GRAMMAR = 'NAME[*TIMES][:COUNT][@PROVENANCE]';

/**
 * A parsed label.
 * @typedef {object} CorpusLabel
 * @property {string} label without the default provenance
 * @property {string} name
 * @property {number | null} growth how many times as large each document is made; null for as it is
 * @property {number | null} count of documents; null for the default of the corpus
 * @property {Provenance} provenance
 */

/**
 * Parses a label. Does not check that the corpus exists and takes a count; see `canonicalLabel`.
 * @param {string} text `flat`, `flat*4`, `comments:1000`, `comments:1000@deserialized`
 * @returns {CorpusLabel}
 * @throws {UsageError} when a part is missing, unknown or out of range
 */
export function parseLabel(text) {
  const [, name = '', growthText, countText, provenanceText = PROVENANCES[0]] =
    /^([^*:@]+)(?:\*([^*:@]*))?(?::([^*:@]*))?(?:@([^*:@]*))?$/.exec(text) ?? [];
  if (name === '') {
    throw new UsageError(`'${text}' is not a corpus label`, {
      remedy: `Write ${GRAMMAR}, for example flat@deserialized or comments:1000.`,
    });
  }
  const growth = growthText === undefined ? 1 : parseGrowth(growthText, text);
  const count = countText === undefined ? null : parseCount(countText, text);
  const provenance = PROVENANCES.find((each) => each === provenanceText);
  if (provenance === undefined) {
    throw new UsageError(
      `no provenance '${provenanceText}' in '${text}'${didYouMean(String(provenanceText), PROVENANCES)}`,
      { remedy: `A provenance is one of ${PROVENANCES.join(', ')}.` },
    );
  }
  const parts = { name, growth: growth === 1 ? null : growth, count, provenance };
  return { label: formatLabel(parts), ...parts };
}

/**
 * @param {{ name: string, growth?: number | null, count?: number | null, provenance: Provenance }} parts
 * @returns {string} `flat`, `flat*4`, `comments:1000@literal`; without the default provenance
 */
export function formatLabel({ name, growth = null, count = null, provenance }) {
  const growthPart = growth === null ? '' : `*${growth}`;
  const countPart = count === null ? '' : `:${count}`;
  return `${name}${growthPart}${countPart}${provenance === PROVENANCES[0] ? '' : `@${provenance}`}`;
}

/** @type {(growthText: string, text: string) => number} */
function parseGrowth(growthText, text) {
  const growth = Number(growthText);
  if (/^\d+$/.test(growthText) && growth >= 1 && growth <= MAX_GROWTH) return growth;
  throw new UsageError(`'${growthText}' in '${text}' does not say how large documents become`, {
    remedy: `Write how many times as large, from 1 to ${MAX_GROWTH}: flat*4.`,
  });
}

/** @type {(countText: string, text: string) => number} */
function parseCount(countText, text) {
  const count = Number(countText);
  if (/^\d+$/.test(countText) && count >= 1 && count <= MAX_COUNT) return count;
  const problem = count > MAX_COUNT ? 'too many documents' : 'not a number of documents';
  throw new UsageError(`'${countText}' in '${text}' is ${problem}`, {
    remedy: `A count is a whole number from 1 to ${MAX_COUNT}: comments:1000.`,
  });
}
