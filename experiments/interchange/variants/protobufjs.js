import { describeMessages } from '../codec/messages.js';
import { deriveShape } from '../codec/shape.js';

/** @import { FormatModule } from '../codec/types.ts' */

export const libraryName = 'protobufjs';

export const variant = {
  idea: 'Protocol Buffers with a schema of the documents, which both sides know',
  source: 'npm package protobufjs 8.8.1, by reflection',
  breaks: {
    int64: 'integers of 64 bits are read as numbers (longs: Number)',
    'unset-fields': 'a field without a value (void 0) is left out',
    maps: 'maps of Protocol Buffers are objects, not a Map',
    'lone-surrogates': 'half of a surrogate pair is refused',
    'missing-fields': 'a field that is null is left out',
    'empty-arrays': 'an empty array is left out',
    'key-order': 'fields come in the order of the schema',
    'all-keys': 'some names are reserved, among them $c',
    'proto-key': 'a field __proto__ is lost',
    'truncated-input': 'a message has no end: a part that ends between two fields is one, too',
    'trailing-bytes': 'what follows a message is read as more of its fields',
  },
};

/** 64-bit integers as numbers: those of a corpus are all exact. */
const CONVERSION = Object.freeze({ longs: Number });

/** @type {FormatModule['openFormat']} */
export function openFormat(documents, { Root }) {
  const { descriptor, slot } = describeMessages(deriveShape(documents));
  const type = Root.fromJSON(descriptor).lookupType(slot.type);
  const { toWire, fromWire } = slot;
  return {
    encode: function encodeMessage(document) {
      return type.encode(toWire === null ? document : toWire(document)).finish();
    },
    decode: function decodeMessage(message) {
      const object = type.toObject(type.decode(message), CONVERSION);
      return fromWire === null ? object : fromWire(object);
    },
  };
}
