import { makeGranularCorpora } from '../support/granular.js';

/** Distinct ObjectIds, alone in a document or in arrays, after js-bson's granular benchmarks. */
export const corpora = makeGranularCorpora({
  name: 'object-id',
  values: 'distinct ObjectIds',
  key: '_id',
  seed: 0x5eed_6007,
  make: (random) => random.objectId(),
  digests: {
    single: 'sha256:a5435c0e65807e0628598e5f5b1db90a2714e0990e453b0362f2b89ee942a262',
    'array-1': 'sha256:32c3e6b584db3bbbc7e7cfccf3dc6f297533f452bd07f73baf5a766d623a6f96',
    'array-10': 'sha256:3b58ee37a4b61d43eb86d662b424e97c34812d67637462ccdc1ce6f2383f35f2',
    'array-100': 'sha256:8e78829761921a99072902ae891d41438c56d62efa3714771578bdf4155e4fe1',
    'array-1000': 'sha256:7927c0b3c83899132aad703b9f70ae9c1234495619e40224db4ee8c67d7d2276',
  },
});
