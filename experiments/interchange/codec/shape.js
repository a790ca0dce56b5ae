import { isDate } from 'node:util/types';
import { UsageError } from '../../../harness/lib/errors.js';
import { isObjectId, isRecord } from './values.js';

/**
 * What a schema has to say of the values in one place.
 * @typedef {object} Shape
 * @property {Set<Scalar>} scalars those that occur; at most one kind of number
 * @property {boolean} isNullable
 * @property {Map<string, Shape> | null} fields of objects, in the order of their first occurrence
 * @property {Set<string>} optional names of fields that some of the objects lack
 * @property {Shape | null} items of arrays
 *
 * @typedef {'boolean' | 'int32' | 'integer' | 'double' | 'string' | 'date' | 'object-id' |
 *   'binary'} Scalar
 */

/** Each kind of number contains those before it. @type {Scalar[]} */
const NUMBERS = ['int32', 'integer', 'double'];

/**
 * Derives a schema from values, for the formats that need one.
 * @type {(values: unknown[]) => Shape}
 * @throws {UsageError} for a value that no schema of the family describes
 */
export function deriveShape(values) {
  const records = values.filter(isRecord);
  const arrays = values.filter((value) => Array.isArray(value));
  const others = values.filter((value) => !isRecord(value) && !Array.isArray(value));
  const scalars = new Set(others.filter((value) => value !== null).map(nameScalar));
  const numbers = NUMBERS.filter((kind) => scalars.has(kind));
  for (const kind of numbers.slice(0, -1)) scalars.delete(kind);
  const byField = groupByField(records);
  return {
    scalars,
    isNullable: others.includes(null),
    fields:
      records.length === 0
        ? null
        : new Map([...byField].map(([name, values]) => [name, deriveShape(values)])),
    optional: new Set(
      [...byField].filter(([, { length }]) => length < records.length).map(([name]) => name),
    ),
    items: arrays.length === 0 ? null : deriveShape(arrays.flat(1)),
  };
}

/**
 * @param {Record<string, unknown>[]} records
 * @returns {Map<string, unknown[]>} values by field; one that is undefined counts as missing
 */
function groupByField(records) {
  /** @type {Map<string, unknown[]>} */
  const groups = new Map();
  for (const record of records) {
    for (const [name, value] of Object.entries(record)) {
      if (value === undefined) continue;
      const values = groups.get(name) ?? [];
      if (values.push(value) === 1) groups.set(name, values);
    }
  }
  return groups;
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
  if (value instanceof Uint8Array) return 'binary';
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1);
  throw new UsageError(`no schema describes a value of the kind ${kind}`, {
    remedy: 'choose another corpus or a format without a schema',
  });
}
