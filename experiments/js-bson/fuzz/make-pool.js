import { corpus as smallDoc } from '../../../corpora/driver-specification/small-doc.js';
import { corpus as comments } from '../../../corpora/mflix/comments.js';
import { corpus as theaters } from '../../../corpora/mflix/theaters.js';
import { corpus as users } from '../../../corpora/mflix/users.js';
import { loadVectors } from '../vectors/load-vectors.js';
import { Chance } from './documents/chance.js';
import { randomDocument } from './documents/random-documents.js';
import { indexDocument } from './index-document.js';

/** @import { Codec } from '../vectors/read-bytes.js' */
/** @import { Seedling } from './index-document.js' */

const RANDOM_COUNT = 600;
const DOCUMENTS_PER_CORPUS = 12;
/** Long documents are slow and find few additional problems. */
const MAX_RANDOM_BYTES = 600;
const MAX_VECTOR_BYTES = 2_000;

/**
 * Documents to mutate.
 *
 * @typedef {object} Pool
 * @property {Seedling[]} seedlings random documents, the vectors of the family, valid or not, and
 *   documents like those of applications
 * @property {Seedling[]} cases earlier findings
 */

/**
 * @param {Codec} reference writes the random ones
 * @param {number} seed
 * @param {Uint8Array[]} cases
 * @returns {Pool}
 */
export function makePool(reference, seed, cases) {
  const vectors = loadVectors().flatMap(({ vectors: ofType }) => ofType.map(({ bytes }) => bytes));
  const short = vectors.filter(({ length }) => length <= MAX_VECTOR_BYTES);
  const fixed = [...short, ...writeCorpora(reference)];
  const seedlings = [...makeRandomDocuments(reference, seed), ...fixed];
  return { seedlings: seedlings.map(indexDocument), cases: cases.map(indexDocument) };
}

/**
 * @param {Codec} reference
 * @returns {Uint8Array[]} documents of the corpora whose documents are short
 */
function writeCorpora(reference) {
  return [comments, smallDoc, theaters, users].flatMap(({ documents }) =>
    Array.from(documents(DOCUMENTS_PER_CORPUS), (document) => reference.serialize(document)),
  );
}

/**
 * @param {Codec} reference
 * @param {number} seed
 * @returns {Uint8Array[]}
 */
function makeRandomDocuments(reference, seed) {
  const chance = new Chance(seed);
  /** @type {Uint8Array[]} */
  const documents = [];
  while (documents.length < RANDOM_COUNT) {
    const bytes = writeIfPossible(reference, randomDocument(chance, 3));
    if (bytes !== null && bytes.length <= MAX_RANDOM_BYTES) documents.push(bytes);
  }
  return documents;
}

/**
 * @param {Codec} reference
 * @param {object} document some hold values that cannot be written
 * @returns {Uint8Array | null}
 */
function writeIfPossible(reference, document) {
  try {
    return reference.serialize(document);
  } catch {
    return null;
  }
}
