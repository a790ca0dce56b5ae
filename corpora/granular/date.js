import { makeGranularCorpora } from '../support/granular.js';

/** Dates, alone in a document or in arrays, after js-bson's granular benchmarks. */
export const corpora = makeGranularCorpora({
  name: 'date',
  values: 'dates',
  seed: 0x5eed_6002,
  make: (random) => random.date(),
  digests: {
    single: 'sha256:9efc02bb09ed89d258a4f95d33f07f7540057a2d828a7545b9f3ead2fd289f70',
    'array-1': 'sha256:da7c55c5708c46158d1cc1f2015c8a82d76353de25c5c6efffa14bd128d0cfcf',
    'array-10': 'sha256:d6f9c0b9163ab2a7f268750e2079f49581ecbb0a343e2fa29177c628f4900776',
    'array-100': 'sha256:1ae20b384dd857ef5f17f5ba002993e70f6a523df7bf88d67bdd025d066ff3c8',
    'array-1000': 'sha256:c2ba1cff770de2ec33593c0336ccea0aa8c5a5d59576172385b1433bf8796be0',
  },
});
