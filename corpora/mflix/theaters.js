import { makeSeries } from '../support/random-values.js';
import { CITIES, STATES, STREET_KINDS, makeTitle } from '../support/prose.js';

/** @import { RandomValues } from '../support/random-values.js' */

const DEFAULT_COUNT = 100;
const FIRST_THEATER = 1000;
const SECOND_LINE_SHARE = 0.1;
const NO_SECOND_LINE_SHARE = 0.03;

/** @param {RandomValues} random @param {number} index */
function makeTheater(random, index) {
  return {
    _id: random.objectId(),
    theaterId: FIRST_THEATER + index,
    location: {
      address: makeAddress(random),
      geo: {
        type: 'Point',
        coordinates: [makeDegrees(random, -125, -67), makeDegrees(random, 25, 49)],
      },
    },
  };
}

/** @param {RandomValues} random */
function makeAddress(random) {
  const street1 = `${random.integer(1, 9999)} ${makeTitle(random, 1, 2)} ${random.pick(STREET_KINDS)}`;
  return {
    street1,
    ...makeSecondLine(random),
    city: random.pick(CITIES),
    state: random.pick(STATES),
    zipcode: String(random.integer(10_000, 99_999)),
  };
}

/** @param {RandomValues} random */
function makeSecondLine(random) {
  if (random.chance(SECOND_LINE_SHARE)) return { street2: `Suite ${random.integer(1, 999)}` };
  return random.chance(NO_SECOND_LINE_SHARE) ? { street2: null } : {};
}

/**
 * @param {RandomValues} random
 * @param {number} low whole degrees
 * @param {number} high whole degrees
 */
function makeDegrees(random, low, high) {
  return random.integer(low, high - 1) + random.integer(1, 999_999) / 1_000_000;
}

/**
 * Modelled on the MFlix collection of theaters: three keys, the content in nested documents.
 * @type {import('../../harness/formats/types.ts').Corpus}
 */
export const corpus = {
  name: 'theaters',
  stresses: 'small documents nested three deep, a GeoJSON point of two doubles',
  digest: 'sha256:078fe5259f11a0392d3fa7d44c8f261480bb7e5dc9a24563ce706a477bfc72ef',
  defaultCount: DEFAULT_COUNT,
  documents: makeSeries(0x5eed_7ea7, DEFAULT_COUNT, makeTheater),
};
