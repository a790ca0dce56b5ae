import { makeGranularCorpora } from '../support/granular.js';

/** Booleans, alone in a document or in arrays, after js-bson's granular benchmarks. */
export const corpora = makeGranularCorpora({
  name: 'boolean',
  values: 'booleans',
  seed: 0x5eed_6001,
  make: (random) => random.boolean(),
  digests: {
    single: 'sha256:832f7824b6f12a68cd29ea0d7df131c748b9fd3536c67a873613a2fb560a9262',
    'array-1': 'sha256:5130e6ebddd9b7cfefe922ba525d67f4d66a12829cf3398b5f7e994476796dfc',
    'array-10': 'sha256:2ba9344e88b804f0ac19423712300f95f4956c53a4e91b5840e081ee5b1db065',
    'array-100': 'sha256:035a5c61c4e0575b7ef6abea0eb350d2444517189771d57fd362ddb231ea19aa',
    'array-1000': 'sha256:f8da2717de9d72e5996bd76840b49a68379b97de1aea9a3e600b09995cd97434',
  },
});
