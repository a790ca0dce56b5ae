import { makeSeries } from '../support/random-values.js';
import { makeEdgeUrl } from './support/random-url.js';

const DEFAULT_COUNT = 3000;

/**
 * The edge cases of the URL standard, then mutations of them and of typical URLs. Half of them are
 * invalid.
 * @type {import('../../harness/formats/types.ts').Corpus}
 */
export const corpus = {
  name: 'urls-adversarial',
  stresses: 'upper case, punycode, dots, control characters, odd schemes, bad ports, invalid URLs',
  digest: 'sha256:133f44c630881ba5059439e3f1a78f7a5aeeb53266f97d55cf64585ffb225544',
  defaultCount: DEFAULT_COUNT,
  documents: makeSeries(0x5eed_0042, DEFAULT_COUNT, (random, index) => {
    return { href: makeEdgeUrl(random, index) };
  }),
};
