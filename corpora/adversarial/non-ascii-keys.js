import { makeSeries } from '../support/random-values.js';

/** @import { RandomValues } from '../support/random-values.js' */

const DEFAULT_COUNT = 100;

/**
 * Characters of two, three and four bytes in UTF-8, alone and mixed with ASCII.
 * @type {[string, (random: RandomValues) => unknown][]}
 */
const FIELDS = [
  ['größe', (random) => random.integer(1, 1000)],
  ['prénom', (random) => random.text(12)],
  ['имя', (random) => random.text(12)],
  ['город', (random) => `Краснодар ${random.integer(1, 99)}`],
  ['τιμή', (random) => random.fraction()],
  ['名前', (random) => `漢字${random.text(6)}`],
  ['価格', (random) => random.integer(1, 1_000_000)],
  ['주소', (random) => random.text(20)],
  ['العنوان', (random) => random.text(20)],
  ['🍏', (random) => random.boolean()],
  ['flag 🏁', (random) => random.date()],
  ['𝛼', (random) => ({ été: random.boolean(), 秋: random.fraction() })],
];

/** @param {RandomValues} random */
function makeForeignDocument(random) {
  const fields = FIELDS.map(([key, make]) => [key, make(random)]);
  return { _id: random.objectId(), ...Object.fromEntries(fields) };
}

/**
 * Every key except `_id` has non-ASCII characters, so a fast path for ASCII keys fails.
 * @type {import('../../harness/formats/types.ts').Corpus}
 */
export const corpus = {
  name: 'non-ascii-keys',
  stresses: 'keys of two to four bytes per character: ASCII fast paths fail',
  digest: 'sha256:75ce14dc95be51c6ce37fcb5da1874a5e724c5710dc756fcd95e7c7a3db32df3',
  defaultCount: DEFAULT_COUNT,
  documents: makeSeries(0x5eed_0e45, DEFAULT_COUNT, makeForeignDocument),
};
