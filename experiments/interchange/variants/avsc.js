import { ObjectId } from 'bson';
import { UsageError } from '../../../harness/lib/errors.js';
import { bytesOfId } from '../codec/object-ids.js';
import { deriveShape } from '../codec/shape.js';
import { isObjectId } from '../codec/values.js';

/** @import { Scalar, Shape } from '../codec/shape.js' */
/** @import { FormatModule } from '../codec/types.ts' */

export const libraryName = 'avsc';

export const variant = {
  idea: 'Avro with a schema of the documents, which both sides know',
  source: 'npm package avsc 5.7.9',
  breaks: {
    int64: 'a long is a number, unless the application brings a class for it',
    'unset-fields': 'a field without a value (void 0) is left out, or comes back as null',
    maps: 'maps of Avro are objects, not a Map',
    'lone-surrogates': 'half of a surrogate pair comes back as U+FFFD',
    'missing-fields': 'a missing field comes back as null',
    'key-order': 'fields come in the order of the schema',
    'all-keys': 'names of fields are ASCII letters, digits and _',
    'proto-key': 'a field __proto__ is lost',
    'plain-objects': 'objects come back as instances of a class for each record',
  },
};

/** @type {FormatModule['openFormat']} */
export function openFormat(documents, { Type, types: { LogicalType } }) {
  const logicalTypes = {
    'timestamp-millis': class extends LogicalType {
      /** @param {number} ms */
      _fromValue(ms) {
        return new Date(ms);
      }
      /** @param {unknown} value */
      _toValue(value) {
        return value instanceof Date ? value.getTime() : undefined;
      }
    },
    'object-id': class extends LogicalType {
      /** @param {Uint8Array} bytes a copy, not those of the message */
      _fromValue(bytes) {
        return new ObjectId(bytes);
      }
      /** @param {unknown} value */
      _toValue(value) {
        return isObjectId(value) ? bytesOfId(value) : undefined;
      }
    },
  };
  const type = Type.forSchema(describeType(deriveShape(documents), makeNames()), { logicalTypes });
  return {
    encode: function encodeRecord(document) {
      return type.toBuffer(document);
    },
    decode: function decodeRecord(message) {
      return type.fromBuffer(message);
    },
  };
}

/** @type {(scalar: Scalar, nextName: () => string) => unknown} */
function describeScalar(scalar, nextName) {
  switch (scalar) {
    case 'int32':
      return 'int';
    case 'integer':
      // A long of avsc below -2^52 comes back with the other sign.
      return 'double';
    case 'date':
      return { type: 'long', logicalType: 'timestamp-millis' };
    case 'binary':
      return 'bytes';
    case 'object-id':
      return { type: 'fixed', size: 12, name: nextName(), logicalType: 'object-id' };
    default:
      return scalar;
  }
}

/** @returns {() => string} a name for each record and fixed type */
function makeNames() {
  let count = 0;
  return () => `T${count++}`;
}

/** @type {(shape: Shape, nextName: () => string, isOptional?: boolean) => unknown} Avro schema */
function describeType({ scalars, isNullable, fields, optional, items }, nextName, isOptional) {
  const branches = [
    ...(isNullable || isOptional === true ? ['null'] : []),
    ...[...scalars].map((scalar) => describeScalar(scalar, nextName)),
    ...(items === null ? [] : [{ type: 'array', items: describeType(items, nextName) }]),
    ...(fields === null ? [] : [describeRecord(fields, optional, nextName)]),
  ];
  // Of an array that is always empty.
  if (branches.length === 0) return 'null';
  return branches.length === 1 ? branches[0] : branches;
}

const NAME = /^[A-Za-z_]\w*$/;

/**
 * @param {Map<string, Shape>} fields
 * @param {Set<string>} optional
 * @param {() => string} nextName
 * @throws {UsageError} for a key that is no name in Avro
 */
function describeRecord(fields, optional, nextName) {
  const strange = [...fields.keys()].find((key) => !NAME.test(key));
  if (strange !== undefined) {
    throw new UsageError(`Avro has no fields with names such as '${strange}'`, {
      remedy: 'choose another corpus, or leave out avsc',
    });
  }
  return {
    type: 'record',
    name: nextName(),
    fields: [...fields].map(([name, shape]) => {
      const isOptional = optional.has(name);
      return {
        name,
        type: describeType(shape, nextName, isOptional),
        ...(isOptional ? { default: null } : {}),
      };
    }),
  };
}
