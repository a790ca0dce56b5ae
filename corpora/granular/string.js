import { makeGranularCorpora } from '../support/granular.js';

/** ASCII strings of 40 characters, alone in a document or in arrays, after js-bson's granular benchmarks. */
export const corpora = makeGranularCorpora({
  name: 'string',
  values: 'ASCII strings of 40 characters',
  seed: 0x5eed_6009,
  make: (random) => random.text(40),
  digests: {
    single: 'sha256:ee0abded8295df4ee3c13c5553071aae86c69563ab9085fabbd83a4bb9fa60e5',
    'array-1': 'sha256:ca25bc27cd0cf2e187f6965550df338e3663a1860519fb6293d7163f34f8dad5',
    'array-10': 'sha256:d032a1e789ad26611c477ed0d618ab0b2c28ed4c6c016af0976d4a5a05404752',
    'array-100': 'sha256:881f57a707a3225694ee4a958f7594d0c97edf7b2d2d01440b124b6c260d2431',
    'array-1000': 'sha256:5c04731dc67db17105900610ecca073ce853d46190084d5f159c127ff09c0f77',
  },
});
