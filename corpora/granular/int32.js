import { makeGranularCorpora } from '../support/granular.js';

/** Int32, alone in a document or in arrays, after js-bson's granular benchmarks. */
export const corpora = makeGranularCorpora({
  name: 'int32',
  values: 'int32',
  seed: 0x5eed_6005,
  make: (random) => random.integer(-(2 ** 31), 2 ** 31 - 1),
  digests: {
    single: 'sha256:6de1693405e63cff0db01638071e6e6c889042052239c23ba20b790db2e46a8a',
    'array-1': 'sha256:411943829b84380d6409954964be85db2c99fcba639642810364dd0cbfc4a52d',
    'array-10': 'sha256:7d30735debedd3e35576a06892466ee5e37d894fde0996937c56a3a66f39fecb',
    'array-100': 'sha256:c3055ce0b0f3aa86de4e5c668a8228a0f8bff0bd2c1360a7723736193a9f8793',
    'array-1000': 'sha256:027c4b02a1e2dc9bfe55baef6aae4d658a76edd0eed1542c25d400d55142a2a7',
  },
});
