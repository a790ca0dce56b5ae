import { makeSeries } from '../support/document-series.js';
import { makeMovie } from '../support/movie.js';

const DEFAULT_COUNT = 100;

/**
 * After the MFlix collection of movies: documents of application size, no two orders of fields to
 * rely on.
 *
 * @type {import('../../harness/formats/types.ts').Corpus}
 */
export const corpus = {
  name: 'movies',
  stresses: 'about 20 fields, some optional, in many orders; short arrays, nesting, text',
  digest: 'sha256:461c2be7e3ecb090f903149fdb59b3e06ca13f55c794f63de127085f58efe4ff',
  defaultCount: DEFAULT_COUNT,
  documents: makeSeries(0x5eed_301e, DEFAULT_COUNT, makeMovie),
};
