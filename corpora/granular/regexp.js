import { BSONRegExp } from 'bson';
import { makeGranularCorpora } from '../support/granular.js';

/** @param {import('../support/random-values.js').RandomValues} random */
function makeExpression(random) {
  return new BSONRegExp(`^${random.letters(12)}[0-9]+$`, 'i');
}

/** Regular expressions, alone in a document or in arrays, after js-bson's granular benchmarks. */
export const corpora = makeGranularCorpora({
  name: 'regexp',
  values: 'regular expressions',
  seed: 0x5eed_6008,
  make: makeExpression,
  digests: {
    single: 'sha256:fe055b2b7c6af6fce9b0c6e6e188418a920bf4e0e425c1108118849ead78c162',
    'array-1': 'sha256:774d6f056b96cae441bb0b2fdc8982b3f3ff09c91299d09d844b661da3a55648',
    'array-10': 'sha256:e493c587725383047e2330b30e5e4de152bce660b6691eea83bd77119e08f126',
    'array-100': 'sha256:a2694e8f4415bf580fefaddc62140fff5748d5414061b2d4010259cfd4490325',
    'array-1000': 'sha256:bdbbe5d3c9c3fea211f53395e9aad39b5baf524fa63026d3ae5a3f0166b2844e',
  },
});
