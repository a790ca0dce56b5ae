import { deserialize, serialize } from 'bson';

/** @import { FormatModule } from '../codec/types.ts' */

export const variant = {
  idea: 'BSON by the package that the MongoDB driver uses',
  source: 'npm package bson 7.3.4',
  isPortable: true,
  breaks: {
    'unset-fields': 'a field without a value (void 0) is left out',
    maps: 'a Map comes back as an object',
    'lone-surrogates': 'half of a surrogate pair comes back as U+FFFD',
  },
};

/** @type {FormatModule['openFormat']} */
export function openFormat() {
  return { encode: serialize, decode: deserialize };
}
