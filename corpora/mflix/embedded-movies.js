import { Binary } from 'bson';
import { makeSeries } from '../support/random-values.js';
import { makeMovie } from './movies.js';

/** @import { RandomValues } from '../support/random-values.js' */

const DEFAULT_COUNT = 20;
const SMALL_DIMENSIONS = 1536;
const LARGE_DIMENSIONS = 2048;

/**
 * @param {RandomValues} random
 * @param {number} dimensions
 * @returns {Binary} a vector of float32: two bytes of header and four per dimension
 */
function makeVector(random, dimensions) {
  const numbers = Float32Array.from({ length: dimensions }, () => random.integer(-1e6, 1e6) / 1e7);
  return Binary.fromFloat32Array(numbers);
}

/** @param {RandomValues} random */
function makeEmbeddedMovie(random) {
  return {
    ...makeMovie(random),
    plot_embedding: makeVector(random, SMALL_DIMENSIONS),
    plot_embedding_large: makeVector(random, LARGE_DIMENSIONS),
  };
}

/**
 * Modelled on the MFlix collection of embedded movies: nearly all of the bytes are two vectors.
 * @type {import('../../harness/formats/types.ts').Corpus}
 */
export const corpus = {
  name: 'embedded-movies',
  stresses: 'movies with two vectors of float32 as Binary, 6 and 8 KiB of each document',
  digest: 'sha256:a3f40bc32daeab3e0d2a070ef93103280f5e3b194e4cc2c323bfa310f53b0c14',
  defaultCount: DEFAULT_COUNT,
  documents: makeSeries(0x5eed_e3be, DEFAULT_COUNT, makeEmbeddedMovie),
};
