import { Long } from 'bson';
import { makeGranularCorpora } from '../support/granular.js';

/** @param {import('../support/random-values.js').RandomValues} random */
function makeLong(random) {
  return new Long(random.integer(-(2 ** 31), 2 ** 31 - 1), random.integer(-(2 ** 31), 2 ** 31 - 1));
}

/** 64-bit integers, alone in a document or in arrays, after js-bson's granular benchmarks. */
export const corpora = makeGranularCorpora({
  name: 'int64',
  values: '64-bit integers, most beyond 2⁵³ (parsed: doubles)',
  seed: 0x5eed_6006,
  make: makeLong,
  digests: {
    single: 'sha256:8f4dc24fa5160e97894291bb393ec4106ba51965873e233ba2138be7ee96e20b',
    'array-1': 'sha256:88a5508d2eea821d679e819f074afab6369da4614bd9f89193c8570f7eb789f0',
    'array-10': 'sha256:315770422520e6baf1012a7e391753e107b368d7b780fd3619ca9416629637fb',
    'array-100': 'sha256:a93a4932987d0413d69d95b809f52dcf6d3e0317a96b50ff8696a74f8369b034',
    'array-1000': 'sha256:eab3e8d35d4900fbed6fbff35bd909212bc2b347f0adc349e1adad1f2a645272',
  },
});
