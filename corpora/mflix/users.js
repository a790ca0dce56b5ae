import { makeSeries } from '../support/random-values.js';
import { makeEmail, makeName } from '../support/prose.js';

/** @import { RandomValues } from '../support/random-values.js' */

const DEFAULT_COUNT = 100;
const WITHOUT_PASSWORD_SHARE = 0.03;
const WITH_PREFERENCES_SHARE = 0.05;
// Prefix of the 53 characters of salt and hash: the algorithm and its cost.
const PASSWORD_PREFIX = '$2b$12$';
const PASSWORD_LENGTH = 60;

/** @param {RandomValues} random */
function makeUser(random) {
  const identity = {
    _id: random.objectId(),
    name: makeName(random),
    email: makeEmail(random, 'people.example'),
  };
  if (random.chance(WITHOUT_PASSWORD_SHARE)) return { ...identity, preferences: {} };
  const password = PASSWORD_PREFIX + random.text(PASSWORD_LENGTH - PASSWORD_PREFIX.length);
  const user = { ...identity, password };
  return random.chance(WITH_PREFERENCES_SHARE) ? { ...user, preferences: {} } : user;
}

/**
 * Modelled on the MFlix collection of users: four or five keys, mostly strings.
 * @type {import('../../harness/formats/types.ts').Corpus}
 */
export const corpus = {
  name: 'users',
  stresses: 'tiny documents of four or five keys, strings of 10 to 60 characters',
  digest: 'sha256:7ecb30150bed3bd5a727be905463c016dccc6c9be45e9d64187723f23f8b1f40',
  defaultCount: DEFAULT_COUNT,
  documents: makeSeries(0x5eed_05e2, DEFAULT_COUNT, makeUser),
};
