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
    int64: 'JSON Schema has no type for a BigInt',
    binary: 'JSON Schema has no type for a Buffer',
    'unset-fields': 'a field without a value (void 0) is left out',
    maps: 'JSON Schema has no type for a Map',
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
  binary: null,
});

/** @type {(shape: Shape) => object} JSON Schema */
function describeSchema({ scalars, isNullable, fields, optional, items }) {
  const types = new Set([...scalars].map((scalar) => TYPES[scalar]));
  const isText = types.delete('string');
  const all = [
    ...types,
    ...(isNullable ? ['null'] : []),
    ...(items === null ? [] : ['array']),
    ...(fields === null ? [] : ['object']),
    // Last, because most other values would be converted to text.
    ...(isText ? ['string'] : []),
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
