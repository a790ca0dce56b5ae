import { ObjectId } from 'bson';
import { ID_TYPE, bytesOfId, idOfBytes } from './object-ids.js';

/** @import { Format } from './types.ts' */

/**
 * @param {any} library msgpackr
 * @param {object} options of `Packr`
 * @returns {Format}
 */
export function openPackr({ Packr, addExtension }, options) {
  addExtension({ Class: ObjectId, type: ID_TYPE, pack: bytesOfId, unpack: idOfBytes });
  const packr = new Packr(options);
  return {
    encode: function pack(document) {
      return packr.pack(document);
    },
    decode: function unpack(message) {
      return packr.unpack(message);
    },
  };
}
