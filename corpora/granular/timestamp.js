import { Timestamp } from 'bson';
import { makeGranularCorpora } from '../support/granular.js';

const UINT32_MAX = 2 ** 32 - 1;

/** @param {import('../support/random-values.js').RandomValues} random */
function makeTimestamp(random) {
  return new Timestamp({ t: random.integer(0, UINT32_MAX), i: random.integer(0, UINT32_MAX) });
}

/** Timestamps, alone in a document or in arrays, after js-bson's granular benchmarks. */
export const corpora = makeGranularCorpora({
  name: 'timestamp',
  values: 'timestamps',
  seed: 0x5eed_600a,
  make: makeTimestamp,
  digests: {
    single: 'sha256:7e2471c44dddc0ce26390334645e7ec0d83d37c1e1b7b120d852174aa77a2fd5',
    'array-1': 'sha256:ef37a3cc61ba58bf70db2191822535c4a37ae0639c8f80e1c65b7a0b5deca6c9',
    'array-10': 'sha256:3cf68a5c251a3494a9cbedefef56425160634bd198682a1b330e319961f45563',
    'array-100': 'sha256:b1dde5090f4d1135e1fd288eca7a92d42eb2c3f74396a6af7f02fde69e8406f3',
    'array-1000': 'sha256:227025332c3e46c41819a3ec446aed71f23994118fa0e435f2a79b052dea2136',
  },
});
