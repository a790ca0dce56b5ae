import { decodeJson, differencesOfJson } from '../codec/json.js';

/** @import { Format, FormatModule } from '../codec/types.ts' */

export const variant = {
  idea: 'JSON by the functions of the engine, as UTF-8',
  source: 'ECMA-404, JSON.stringify and JSON.parse',
  isPortable: true,
  breaks: {
    ...differencesOfJson,
    int64: 'JSON.stringify refuses a BigInt',
    'unset-fields': 'a field without a value (void 0) is left out',
    maps: 'a Map comes back as an empty object',
    binary: 'a Buffer comes back as an object with a list of its bytes',
  },
};

/** @type {FormatModule['openFormat']} */
export function openFormat() {
  return { encode: encodeJson, decode: decodeJson };
}

/** @type {Format['encode']} */
function encodeJson(document) {
  return Buffer.from(JSON.stringify(document));
}
