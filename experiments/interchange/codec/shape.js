import { isDate } from 'node:util/types';
import { UsageError } from '../../../harness/lib/errors.js';
import { isObjectId, isRecord } from './values.js';

/**
 * What a schema has to say of the values in one place.
 *
 * @typedef {object} Shape
 * @property {Set<Scalar>} scalars those that occur; at most one kind of number
 * @property {boolean} isNullable
 * @property {Map<string, Shape> | null} fields of objects, in the order of their first occurrence
 * @property {Set<string>} optional fields that some of the objects lack
 * @property {Shape | null} items of arrays
 *
 * @typedef {'boolean' | 'int32' | 'integer' | 'double' | 'string' | 'date' | 'object-id'} Scalar
 */

/** Each kind of number contains those before it. @type {Scalar[]} */
const NUMBERS = ['int32', 'integer', 'double'];

/**
 * Derives a schema from values, for the formats that need one.
 *
 * @param {unknown[]} values
 * @returns {Shape}
 * @throws {UsageError} for a value that no schema of the family describes
 */
export function deriveShape(values) {
  const records = values.filter(isRecord);
  const arrays = values.filter((value) => Array.isArray(value));
  const others = values.filter((value) => !isRecord(value) && !Array.isArray(value));
  const scalars = new Set(others.filter((value) => value !== null).map(nameScalar));
  const numbers = NUMBERS.filter((kind) => scalars.has(kind));
  for (const kind of numbers.slice(0, -1)) scalars.delete(kind);
  const names = new Set(records.flatMap((record) => Object.keys(record)));
  const owners = (/** @type {string} */ name) =>
    records.filter((record) => Object.hasOwn(record, name));
  return {
    scalars,
    isNullable: others.includes(null),
    fields:
      records.length === 0
        ? null
        : new Map(
            [...names].map((name) => [name, deriveShape(owners(name).map((each) => each[name]))]),
          ),
    optional: new Set([...names].filter((name) => owners(name).length < records.length)),
    items: arrays.length === 0 ? null : deriveShape(arrays.flat(1)),
  };
}

/** @type {(value: unknown) => Scalar} */
function nameScalar(value) {
  switch (typeof value) {
    case 'boolean':
      return 'boolean';
    case 'string':
      return 'string';
    case 'number':
      if (Object.is(value, -0) || !Number.isSafeInteger(value)) return 'double';
      return (value | 0) === value ? 'int32' : 'integer';
  }
  if (isDate(value)) return 'date';
  if (isObjectId(value)) return 'object-id';
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1);
  throw new UsageError(`no schema describes a value of the kind ${kind}`, {
    remedy: 'choose another corpus or a format without a schema',
  });
}
