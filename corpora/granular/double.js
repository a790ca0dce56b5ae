import { makeGranularCorpora } from '../support/granular.js';

/** Doubles that no integer equals, alone in a document or in arrays, after js-bson's granular benchmarks. */
export const corpora = makeGranularCorpora({
  name: 'double',
  values: 'doubles that no integer equals',
  seed: 0x5eed_6004,
  make: (random) => random.fraction(),
  digests: {
    single: 'sha256:a1e8b7e4f7c35919c4f59df0a404198efe9df2bec74689ab0214f35c36b9c807',
    'array-1': 'sha256:c7b67fb3920c9e9e1cddba3d320b08ae8b36d4a7e27d3eac04e4649f2eedffe6',
    'array-10': 'sha256:4da4d9d67d3735f1fc58ccbc95d708aa0445cc5bd27263c9a4d796389c70310b',
    'array-100': 'sha256:a9cfa4cfd936f3d1b3cca158563ba4b20d1c72828fc47cb9b3bdd5ceffa674d4',
    'array-1000': 'sha256:2d91a2c9473a102648bd1032a168a3cec8933fe1e8d0ff4557a64c2d36f44cc0',
  },
});
