import { makeSeries } from '../support/random-values.js';
import { GIVEN_NAMES } from '../support/prose.js';

/** @import { RandomValues } from '../support/random-values.js' */

const DEFAULT_COUNT = 100;
// Parts of a JSON web token: header (the same for one issuer), payload and signature.
const HEADER = Buffer.from('{"typ":"JWT","alg":"HS256"}').toString('base64url');
const PAYLOAD_BYTES = 295;
const SIGNATURE_BYTES = 32;

/** @param {RandomValues} random */
function makeSession(random) {
  const payload = random.bytes(PAYLOAD_BYTES).toString('base64url');
  const signature = random.bytes(SIGNATURE_BYTES).toString('base64url');
  return {
    _id: random.objectId(),
    user_id: `${random.pick(GIVEN_NAMES).toLowerCase()}@people.example`,
    jwt: `${HEADER}.${payload}.${signature}`,
  };
}

/**
 * Modelled on the MFlix collection of sessions: nearly all of a document is one long ASCII string.
 * @type {import('../../harness/formats/types.ts').Corpus}
 */
export const corpus = {
  name: 'sessions',
  stresses: 'three keys, most bytes in one ASCII string of 475 characters',
  digest: 'sha256:55cce079f3d5925330151bad69d7662ca8b765f702a252cc2579cce13aab95b7',
  defaultCount: DEFAULT_COUNT,
  documents: makeSeries(0x5eed_5e55, DEFAULT_COUNT, makeSession),
};
