/** Protocol Buffers for documents of a known shape: the descriptors of their messages, and the conversions that an
 * application would write for what has no type there. */

import { isDate } from 'node:util/types';
import { bytesOfId, idOfBytes } from './object-ids.js';
import { isObjectId, isRecord } from './values.js';

/** @import { Scalar, Shape } from './shape.js' */

/**
 * How values of one place are written.
 * @typedef {object} Slot
 * @property {string} type of the field
 * @property {'repeated'} [rule]
 * @property {Convert | null} toWire null where the value is written as it is
 * @property {Convert | null} fromWire
 *
 * @typedef {(value: any) => any} Convert
 * @typedef {Record<string, { edition: string, fields: Record<string, object>, oneofs?: object }>} Messages by name
 */

/** The first one in which a field may be present and have its default value. */
const EDITION = '2023';
const TIMESTAMP = 'Timestamp';
const MS_PER_SECOND = 1000;
const NANOSECONDS_PER_MS = 1e6;

/** @type {Record<Scalar, Omit<Slot, 'rule'>>} */
const SCALARS = {
  boolean: { type: 'bool', toWire: null, fromWire: null },
  int32: { type: 'int32', toWire: null, fromWire: null },
  integer: { type: 'int64', toWire: null, fromWire: null },
  double: { type: 'double', toWire: null, fromWire: null },
  string: { type: 'string', toWire: null, fromWire: null },
  date: { type: TIMESTAMP, toWire: timestampOfDate, fromWire: dateOfTimestamp },
  'object-id': { type: 'bytes', toWire: bytesOfId, fromWire: idOfBytes },
  binary: { type: 'bytes', toWire: null, fromWire: null },
};

/**
 * @param {Shape} shape of all documents
 * @returns {{ descriptor: { nested: Messages }, slot: Slot }} JSON descriptor, and the message of a document
 */
export function describeMessages(shape) {
  /** @type {Messages} */
  const nested = {};
  addMessage(nested, TIMESTAMP, { seconds: { type: 'int64' }, nanos: { type: 'int32' } });
  const slot = describeSlot(shape, nested);
  return { descriptor: { nested }, slot };
}

/**
 * @param {Messages} nested
 * @param {string} name
 * @param {Record<string, { type: string, rule?: string | undefined }>} fields
 * @param {string} [choice] name of a group of which one field is set
 */
function addMessage(nested, name, fields, choice) {
  const numbered = Object.entries(fields).map(([key, field], index) => [
    key,
    { ...field, id: index + 1 },
  ]);
  nested[name] = {
    edition: EDITION,
    fields: Object.fromEntries(numbered),
    ...(choice === undefined ? {} : { oneofs: { [choice]: { oneof: Object.keys(fields) } } }),
  };
}

/** @type {(nested: Messages) => string} */
function nameNext(nested) {
  return `M${Object.keys(nested).length}`;
}

/** @type {(shape: Shape, nested: Messages) => Slot} */
function describeSlot(shape, nested) {
  const { scalars, fields, items } = shape;
  const [scalar = 'boolean'] = scalars;
  const kinds = scalars.size + (fields === null ? 0 : 1) + (items === null ? 0 : 1);
  if (kinds > 1) return describeChoice(shape, nested);
  if (fields !== null) return describeRecord(fields, nested);
  if (items !== null) return describeList(items, nested);
  // A field that is always null, or the items of an array that is always empty, is never written.
  return SCALARS[scalar];
}

/** @type {(fields: Map<string, Shape>, nested: Messages) => Slot} */
function describeRecord(fields, nested) {
  const type = nameNext(nested);
  addMessage(nested, type, {});
  const slots = [...fields].map(([key, shape]) => ({ key, ...describeSlot(shape, nested) }));
  addMessage(
    nested,
    type,
    Object.fromEntries(slots.map(({ key, type, rule }) => [key, { type, rule }])),
  );
  const converted = slots.filter(({ toWire }) => toWire !== null);
  if (converted.length === 0) return { type, toWire: null, fromWire: null };
  return {
    type,
    toWire: function messageOfRecord(record) {
      const message = { ...record };
      for (const { key, toWire } of converted) {
        if (message[key] != null) message[key] = /** @type {Convert} */ (toWire)(message[key]);
      }
      return message;
    },
    fromWire: function recordOfMessage(message) {
      for (const { key, fromWire } of converted) {
        if (message[key] !== undefined) {
          message[key] = /** @type {Convert} */ (fromWire)(message[key]);
        }
      }
      return message;
    },
  };
}

/** @type {(items: Shape, nested: Messages) => Slot} */
function describeList(items, nested) {
  const isPlain = items.items === null && !items.isNullable;
  const slot = isPlain ? describeSlot(items, nested) : describeChoice(items, nested);
  const { type, toWire, fromWire } = slot;
  if (toWire === null || fromWire === null) {
    return { type, rule: 'repeated', toWire: null, fromWire: null };
  }
  return {
    type,
    rule: 'repeated',
    toWire: (/** @type {unknown[]} */ list) => list.map(toWire),
    fromWire: (/** @type {unknown[]} */ list) => list.map(fromWire),
  };
}

/**
 * Values of several kinds: a message with a field for each, of which none is set for null.
 * @type {(shape: Shape, nested: Messages) => Slot}
 */
function describeChoice({ scalars, fields, items }, nested) {
  const type = nameNext(nested);
  addMessage(nested, type, {});
  /** @type {Record<string, Slot>} */
  const slots = {};
  for (const scalar of scalars) slots[kindOfScalar(scalar)] = SCALARS[scalar];
  if (fields !== null) slots.record = describeRecord(fields, nested);
  if (items !== null) slots.list = describeBox(describeList(items, nested), nested);
  const ofKinds = Object.entries(slots).map(([kind, slot]) => [kind, { type: slot.type }]);
  addMessage(nested, type, Object.fromEntries(ofKinds), 'kind');
  return {
    type,
    toWire: function choiceOfValue(value) {
      if (value === null) return {};
      const kind = kindOfValue(value);
      const { toWire } = slots[kind];
      return { [kind]: toWire === null ? value : toWire(value) };
    },
    fromWire: function valueOfChoice(choice) {
      const [kind] = Object.keys(choice);
      if (kind === undefined) return null;
      const { fromWire } = slots[kind];
      return fromWire === null ? choice[kind] : fromWire(choice[kind]);
    },
  };
}

/**
 * A message for a list, where a field cannot be one.
 * @type {(list: Slot, nested: Messages) => Slot}
 */
function describeBox({ type: inner, rule, toWire, fromWire }, nested) {
  const type = nameNext(nested);
  addMessage(nested, type, { items: { type: inner, rule } });
  return {
    type,
    toWire: (list) => ({ items: toWire === null ? list : toWire(list) }),
    fromWire: ({ items = [] }) => (fromWire === null ? items : fromWire(items)),
  };
}

/** @type {(scalar: Scalar) => string} */
function kindOfScalar(scalar) {
  return ['int32', 'integer', 'double'].includes(scalar) ? 'number' : scalar;
}

/** @type {(value: unknown) => string} */
function kindOfValue(value) {
  if (Array.isArray(value)) return 'list';
  if (isDate(value)) return 'date';
  if (isObjectId(value)) return 'object-id';
  if (value instanceof Uint8Array) return 'binary';
  return isRecord(value) ? 'record' : typeof value;
}

/** @type {(date: Date) => { seconds: number, nanos: number }} */
function timestampOfDate(date) {
  const ms = date.getTime();
  const seconds = Math.floor(ms / MS_PER_SECOND);
  return { seconds, nanos: (ms - seconds * MS_PER_SECOND) * NANOSECONDS_PER_MS };
}

/** @type {(timestamp: { seconds: number, nanos: number }) => Date} */
function dateOfTimestamp({ seconds, nanos }) {
  return new Date(seconds * MS_PER_SECOND + nanos / NANOSECONDS_PER_MS);
}
