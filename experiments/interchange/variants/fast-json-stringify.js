import { decodeJson, differencesOfJson } from '../codec/json.js';
import { deriveShape } from '../codec/shape.js';

/** @import { Shape } from '../codec/shape.js' */
/** @import { FormatModule } from '../codec/types.ts' */

export const libraryName = 'fast-json-stringify';

export const variant = {
  idea: 'JSON by a function that is compiled from a JSON Schema of the documents; read by JSON.parse',
  source: 'npm package fast-json-stringify 7.3.6',
  neighbour: 'json',
  breaks: {
    ...differencesOfJson,
    int64: 'a JSON Schema has no 64-bit integers, and no shape is derived for a BigInt',
    undefined: 'no shape is derived for undefined',
    maps: 'no shape is derived for a Map',
    binary: 'no shape is derived for a Uint8Array',
    'key-order': 'fields come in the order of the schema',
  },
};

/** @type {FormatModule['openFormat']} */
export function openFormat(documents, compile) {
  const stringify = compile(describeSchema(deriveShape(documents)));
  return {
    encode: function encodeByFields(document) {
      return Buffer.from(stringify(document));
    },
    decode: decodeJson,
  };
}

const TYPES = Object.freeze({
  boolean: 'boolean',
  int32: 'integer',
  integer: 'integer',
  double: 'number',
  string: 'string',
  date: 'string',
  'object-id': 'string',
});

/**
 * @param {Shape} shape
 * @returns {object} JSON Schema
 */
function describeSchema({ scalars, isNullable, fields, optional, items }) {
  const types = new Set([...scalars].map((scalar) => TYPES[scalar]));
  const all = [
    ...types,
    ...(fields === null ? [] : ['object']),
    ...(items === null ? [] : ['array']),
    ...(isNullable ? ['null'] : []),
  ];
  return {
    ...(all.length === 0 ? {} : { type: all.length === 1 ? all[0] : all }),
    ...(scalars.has('date') && !scalars.has('string') && !scalars.has('object-id')
      ? { format: 'date-time' }
      : {}),
    ...(items === null ? {} : { items: describeSchema(items) }),
    ...(fields === null ? {} : describeFields(fields, optional)),
  };
}

/** @type {(fields: Map<string, Shape>, optional: Set<string>) => object} */
function describeFields(fields, optional) {
  return {
    properties: Object.fromEntries(
      [...fields].map(([name, shape]) => [name, describeSchema(shape)]),
    ),
    required: [...fields.keys()].filter((name) => !optional.has(name)),
  };
}
