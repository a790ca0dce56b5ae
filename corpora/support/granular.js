import { RandomValues, repeat } from './random-values.js';

/** @import { Corpus } from '../../harness/formats/types.ts' */

/**
 * After the granular benchmarks of js-bson, one shape each: a document with a single value, or with
 * a single array of so many. The fewer documents, the larger they are: a pass stays below a
 * millisecond or two.
 */
const SHAPES = /** @type {const} */ ({
  single: { length: null, defaultCount: 100 },
  'array-1': { length: 1, defaultCount: 100 },
  'array-10': { length: 10, defaultCount: 100 },
  'array-100': { length: 100, defaultCount: 20 },
  'array-1000': { length: 1000, defaultCount: 2 },
});

/** One character, as in the published documents. */
const KEY = 'v';

/** @typedef {keyof typeof SHAPES} Shape */

/**
 * @typedef {object} GranularType
 * @property {string} name of the corpus of single values; the others add the shape
 * @property {string} values what they are, in the plural
 * @property {string} [key] of the single value
 * @property {number} seed
 * @property {(random: RandomValues) => unknown} make
 * @property {Record<Shape, string>} digests pinned, `sha256:…`
 */

/**
 * @param {GranularType} type
 * @returns {Corpus[]} one a shape
 */
export function makeGranularCorpora(type) {
  return Object.keys(SHAPES).map((shape) => makeCorpus(type, /** @type {Shape} */ (shape)));
}

/**
 * @param {GranularType} type
 * @param {Shape} shape
 * @returns {Corpus}
 */
function makeCorpus({ name, values, key = KEY, seed, make, digests }, shape) {
  const { length, defaultCount } = SHAPES[shape];
  return {
    name: length === null ? name : `${name}-${shape}`,
    stresses:
      length === null ? `one value in a document: ${values}` : `arrays of ${length}: ${values}`,
    digest: digests[shape],
    defaultCount,
    *documents(count = defaultCount) {
      const random = new RandomValues(seed);
      for (let index = 0; index < count; index++) {
        yield length === null
          ? { [key]: make(random) }
          : { [KEY]: repeat(length, () => make(random)) };
      }
    },
  };
}
