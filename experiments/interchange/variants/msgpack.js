import { ObjectId } from 'bson';
import { ID_TYPE, bytesOfId, idOfBytes } from '../codec/object-ids.js';

/** @import { FormatModule } from '../codec/types.ts' */

export const libraryName = '@msgpack/msgpack';

export const variant = {
  idea: 'MessagePack by the implementation of its authors, with a map for each object',
  source: 'npm package @msgpack/msgpack 3.1.3',
  neighbour: 'msgpackr',
  breaks: {
    int64: 'a BigInt is refused without the option useBigInt64',
    'unset-fields': 'a field without a value (void 0) comes back as null',
    maps: 'a Map comes back as an empty object',
    'negative-zero': '-0 comes back as 0',
    'proto-key': 'a key __proto__ is refused',
  },
};

/** @type {FormatModule['openFormat']} */
export function openFormat(_documents, { Decoder, Encoder, ExtensionCodec }) {
  const extensionCodec = new ExtensionCodec();
  extensionCodec.register({
    type: ID_TYPE,
    encode: (/** @type {unknown} */ value) => (value instanceof ObjectId ? bytesOfId(value) : null),
    decode: idOfBytes,
  });
  const encoder = new Encoder({ extensionCodec });
  const decoder = new Decoder({ extensionCodec });
  return {
    encode: function encodeOne(document) {
      return encoder.encode(document);
    },
    decode: function decodeOne(message) {
      return decoder.decode(message);
    },
  };
}
