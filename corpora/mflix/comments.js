import { makeSeries } from '../support/random-values.js';
import { makeEmail, makeName, makeProse } from '../support/prose.js';

/** @import { RandomValues } from '../support/random-values.js' */

const DEFAULT_COUNT = 100;
const TEXT_LENGTH = { least: 54, most: 199 };
const LAST_SECOND = 1_600_000_000;

/** @param {RandomValues} random */
function makeComment(random) {
  return {
    _id: random.objectId(),
    name: makeName(random),
    email: makeEmail(random, 'letters.example'),
    movie_id: random.objectId(),
    text: makeProse(random, drawTextLength(random)),
    date: new Date(random.integer(0, LAST_SECOND) * 1000),
  };
}

/** The longer of two draws, because long comments are more frequent. @param {RandomValues} random */
function drawTextLength(random) {
  const { least, most } = TEXT_LENGTH;
  return Math.max(random.integer(least, most), random.integer(least, most));
}

/**
 * Modelled on the MFlix collection of comments: small documents of one shape, a fifth of their fields
 * ObjectIds.
 * @type {import('../../harness/formats/types.ts').Corpus}
 */
export const corpus = {
  name: 'comments',
  stresses: 'small documents of one shape, six keys: two ObjectIds, strings, a date',
  digest: 'sha256:79a59402477c8edfc00da7634fa77cdf4cab231d1192ebd317471ad242c2652d',
  defaultCount: DEFAULT_COUNT,
  documents: makeSeries(0x5eed_c033, DEFAULT_COUNT, makeComment),
};
