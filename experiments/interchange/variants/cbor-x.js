import { ObjectId } from 'bson';
import { bytesOfId, idOfBytes } from '../codec/object-ids.js';

/** @import { FormatModule } from '../codec/types.ts' */

export const libraryName = 'cbor-x';

export const variant = {
  idea: 'CBOR by cbor-x, with a map for each object',
  source: 'npm package cbor-x 1.6.8',
  breaks: {
    'negative-zero': '-0 comes back as 0',
    'lone-surrogates': 'half of a surrogate pair comes back as U+FFFD',
    'proto-key': '__proto__ comes back as __proto_',
  },
};

/** Of the numbers that the registry of CBOR gives to the first who asks. */
const ID_TAG = 40_500;

/** @type {FormatModule['openFormat']} */
export function openFormat(_documents, { Encoder, addExtension }) {
  addExtension({
    Class: ObjectId,
    tag: ID_TAG,
    encode: (/** @type {ObjectId} */ id, /** @type {(value: unknown) => void} */ encode) =>
      encode(bytesOfId(id)),
    decode: idOfBytes,
  });
  const encoder = new Encoder({ useRecords: false });
  return {
    encode: function encodeOne(document) {
      return encoder.encode(document);
    },
    decode: function decodeOne(message) {
      return encoder.decode(message);
    },
  };
}
