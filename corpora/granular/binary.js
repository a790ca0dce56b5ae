import { Binary } from 'bson';
import { makeGranularCorpora } from '../support/granular.js';

/** Binary of 40 bytes, alone in a document or in arrays, after js-bson's granular benchmarks. */
export const corpora = makeGranularCorpora({
  name: 'binary',
  values: 'Binary of 40 bytes',
  seed: 0x5eed_6000,
  make: (random) => new Binary(random.bytes(40)),
  digests: {
    single: 'sha256:5826b2624e436bee9f04134f981e6717fef82decbe4ccd54ebde5e67010c8fa3',
    'array-1': 'sha256:4563363b0465744a14e4a3ac4017a3c851026d417769486b2d1b89ed295204b3',
    'array-10': 'sha256:2003225aa190638fc85227f64d13596e9075b454040de7a03c51f05e3cf3f09c',
    'array-100': 'sha256:9147534b5af01be01b2bb42778f0a4e56ecdcb4ff02864f16dffd8dd9813d50b',
    'array-1000': 'sha256:e16ab594c4f511a2b4e8f79a918ec0a8350323764653c34eda77973441c26db0',
  },
});
