import { deserialize, serialize } from 'bson';

/** @import { FormatModule } from '../codec/types.ts' */

export const variant = {
  idea: 'BSON by the package that the MongoDB driver uses',
  source: 'npm package bson 7.3.1',
  isPortable: true,
  breaks: {},
};

/** @type {FormatModule['openFormat']} */
export function openFormat() {
  return { encode: serialize, decode: deserialize };
}
