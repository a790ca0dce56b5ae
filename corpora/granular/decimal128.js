import { Decimal128 } from 'bson';
import { makeGranularCorpora } from '../support/granular.js';

/** @param {import('../support/random-values.js').RandomValues} random */
function makeDecimal(random) {
  const fraction = String(random.integer(0, 99)).padStart(2, '0');
  return Decimal128.fromString(`${random.integer(-(2 ** 31), 2 ** 31 - 1)}.${fraction}`);
}

/** Decimal numbers with cents, alone in a document or in arrays, after js-bson's granular benchmarks. */
export const corpora = makeGranularCorpora({
  name: 'decimal128',
  values: 'decimal numbers with cents',
  seed: 0x5eed_6003,
  make: makeDecimal,
  digests: {
    single: 'sha256:850336a1db7354a337f6ddfc978b09ca8ac04c43d0e959059718b64328ac1d35',
    'array-1': 'sha256:afe650a4d5ecf8eb0c590903a702c2f5f16fd3852d4846e656becc26b95b0a61',
    'array-10': 'sha256:1795a297c4a780db1371edf53547d125c35f8945afb4a3b22993c049df582b71',
    'array-100': 'sha256:911edc12e51eb631876b1ed8c5b1829ecedd776f858d6dddd3b4531060f09bdb',
    'array-1000': 'sha256:d4195db7c854f596e26edfcb915edd70151a790d5c0b605f4247bd84f0839194',
  },
});
