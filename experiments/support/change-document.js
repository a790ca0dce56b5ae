/**
 * Random changes of documents to write, anywhere in them, and copies that nothing has seen before. A timed loop changes
 * one value of each document, always the same; what looks at that one alone does not see these. See decision 0027.
 */

import { isBytes, isProxy, takeBytes } from '../../harness/worker/bound.js';

/** @import { PickIndex } from '../../harness/formats/types.ts' */

// Taken before a variant is loaded, which could replace them.
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, hasOwn, keys: listKeys } = Object;
const { isArray } = Array;
const { isFinite } = Number;

/**
 * A change that was chosen and not made yet.
 * @typedef {object} Change
 * @property {string} what `text of list[2].name`
 * @property {() => void} apply may be called again, after something else changed the place
 * @property {boolean} [isShared] whether results may share the memory of the place with the input
 * @property {() => void} undo restores the order of keys too
 */

/** @typedef {{ holder: any, key: any, path: string }} Place of a value in an object, an array or a Map */

/**
 * What a change may be: anything, what changes the size of the document in BSON, or a value of the same type.
 * @typedef {'any' | 'size' | 'same-type'} Extent
 */

/**
 * Chooses a random change of a document.
 * @param {any} document
 * @param {PickIndex} pick
 * @param {Extent} [extent]
 * @returns {Change | null} null if there is nothing to change
 */
export function chooseChange(document, pick, extent = 'any') {
  const place = choosePlace(document, pick, extent);
  if (place === null)
    return extent === 'same-type' ? null : addTo({ holder: document, path: '' }, pick);
  const makers = MAKERS[extent];
  for (let start = pick(makers.length), turn = 0; turn < makers.length; turn++) {
    const change = makers[(start + turn) % makers.length](place, pick, extent);
    if (change !== null) return change;
  }
  return null;
}

/** @type {Record<Extent, ((place: Place, pick: PickIndex, extent: Extent) => Change | null)[]>} */
const MAKERS = {
  any: [setOther, setOtherType, changeInside, rename, move, remove, add],
  size: [setOther, remove, add],
  'same-type': [setOther],
};

/** Decide what a document is. */
const SPECIAL_KEY = /^(?:__proto__|_bsontype|toBSON|\$.*)$/;

/**
 * Chooses a place, each with the same probability.
 * @param {any} document @param {PickIndex} pick @param {Extent} extent
 * @returns {Place | null}
 */
function choosePlace(document, pick, extent) {
  /** @type {Place | null} */
  let chosen = null;
  let seen = 0;
  const open = [{ holder: document, path: '' }];
  for (let next = 0; next < open.length; next++) {
    const { holder, path } = open[next];
    for (const key of keysOf(holder)) {
      if (SPECIAL_KEY.test(key)) continue;
      const value = read(holder, key);
      const place = { holder, key, path: path === '' ? `${key}` : `${path}.${key}` };
      if (isHolder(value)) open.push({ holder: value, path: place.path });
      // Not written, or as null.
      if (value === undefined || typeof value === 'function' || typeof value === 'symbol') continue;
      // Versions of bson differ in the sizes of Maps.
      if (extent === 'size' && isMap(holder)) continue;
      if (extent === 'same-type' && otherOf(value, pick, extent) === undefined) continue;
      seen++;
      if (pick(seen) === 0) chosen = place;
    }
  }
  return chosen;
}

/** @param {any} holder @returns {any[]} */
function keysOf(holder) {
  return isMap(holder) ? [...holder.keys()] : listKeys(holder);
}

/** @param {any} holder @param {any} key */
function read(holder, key) {
  return isMap(holder) ? holder.get(key) : holder[key];
}

/** @param {any} holder @param {any} key @param {unknown} value */
function write(holder, key, value) {
  if (isMap(holder)) holder.set(key, value);
  else defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

/** @param {any} value @returns {value is Map<any, any>} */
function isMap(value) {
  return value instanceof Map;
}

/** @param {any} value whether it is an object, an array or a Map */
export function isHolder(value) {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = getPrototypeOf(value);
  return isArray(value) || isMap(value) || prototype === Object.prototype || prototype === null;
}

/** @type {(what: string, place: Place, value: unknown) => Change} */
function replace(what, { holder, key, path }, value) {
  const old = read(holder, key);
  return {
    what: `${what} of ${path}`,
    apply: () => write(holder, key, value),
    undo: () => write(holder, key, old),
  };
}

/** @type {(place: Place, pick: PickIndex, extent: Extent) => Change | null} */
function setOther(place, pick, extent) {
  const other = otherOf(read(place.holder, place.key), pick, extent);
  return other === undefined ? null : replace('the value', place, other);
}

/** @type {(place: Place, pick: PickIndex) => Change | null} */
function setOtherType(place, pick) {
  const value = read(place.holder, place.key);
  const others = [pick(2 ** 20), 0.5 + pick(2 ** 20), `text ${pick(2 ** 20)}`, null, { a: 1 }, [1]];
  const other = others[pick(others.length)];
  const isSame = typeof other === typeof value || (isArray(other) && isArray(value));
  return isSame ? null : replace('the type', place, other);
}

/** @param {any} value of a class of BSON values @param {...string} names */
export function isOf(value, ...names) {
  return (
    typeof value === 'object' &&
    value !== null &&
    !isHolder(value) &&
    names.includes(value._bsontype)
  );
}

/**
 * @param {any} value @param {PickIndex} pick @param {Extent} extent
 * @returns {unknown} another value of the same type; undefined where there is none
 */
function otherOf(value, pick, extent) {
  if (typeof value === 'string') {
    return extent === 'size' || pick(2) === 0 ? `${value}${pick(10)}` : replaceLetter(value, pick);
  }
  if (extent === 'size') return undefined;
  switch (typeof value) {
    case 'number':
      if ((value | 0) === value && !Object.is(value, -0)) return value ^ (1 + pick(15));
      return isFinite(value) && value !== 0 ? -value : undefined;
    case 'boolean':
      return !value;
    case 'object':
      if (isDate(value)) return new Date(value.getTime() + 1 + pick(1_000));
      if (isOf(value, 'ObjectId', 'ObjectID')) return new value.constructor(makeHex(pick));
      return undefined;
    default:
      return undefined;
  }
}

const ASCII = /[a-zA-Z]/g;

/** @param {string} text @param {PickIndex} pick */
function replaceLetter(text, pick) {
  const letters = [...text.matchAll(ASCII)];
  if (letters.length === 0) return undefined;
  const at = letters[pick(letters.length)].index;
  const letter = String.fromCharCode(97 + pick(26));
  const other = letter === text[at] ? letter.toUpperCase() : letter;
  return text.slice(0, at) + other + text.slice(at + 1);
}

/** @param {any} value @returns {value is Date} */
function isDate(value) {
  return value instanceof Date;
}

/** @param {PickIndex} pick */
function makeHex(pick) {
  let hex = '';
  for (let digit = 0; digit < 24; digit++) hex += pick(16).toString(16);
  return hex;
}

/**
 * Changes what a value consists of, and not which value it is. A loop may have put another date or id in its place.
 * @type {(place: Place, pick: PickIndex) => Change | null}
 */
function changeInside({ holder, key, path }, pick) {
  const value = read(holder, key);
  if (isDate(value)) {
    const time = value.getTime();
    const other = time + 1 + pick(1_000);
    return {
      what: `the time of ${path}`,
      apply: () => {
        write(holder, key, value);
        value.setTime(other);
      },
      undo: () => void value.setTime(time),
    };
  }
  if (isOf(value, 'ObjectId', 'ObjectID') && isBytes(value.id)) {
    const old = Buffer.from(value.id);
    const other = Buffer.from(makeHex(pick), 'hex');
    return {
      what: `the bytes of ${path}`,
      apply: () => {
        write(holder, key, value);
        value.id = Buffer.from(other);
      },
      undo: () => void (value.id = Buffer.from(old)),
    };
  }
  const bytes = isOf(value, 'Binary')
    ? value.buffer
    : isOf(value, 'Decimal128')
      ? value.bytes
      : value;
  if (!isBytes(bytes) || bytes.length === 0) return null;
  const at = isOf(value, 'Decimal128') ? 0 : pick(value.position ?? bytes.length);
  const old = bytes[at];
  const other = old ^ (1 + pick(127));
  return {
    what: `a byte of ${path}`,
    apply: () => void (bytes[at] = other),
    undo: () => void (bytes[at] = old),
  };
}

/** @type {(place: Place, pick: PickIndex) => Change | null} */
function rename({ holder, key, path }, pick) {
  if (isArray(holder)) return null;
  const entries = listEntries(holder);
  const name = `${key}${pick(10)}`;
  if (entries.some(([each]) => each === name)) return null;
  const other = entries.map(([each, value]) => [each === key ? name : each, value]);
  return rebuild(`the name of ${path}`, holder, entries, other);
}

/** @type {(place: Place) => Change | null} */
function move({ holder, key, path }) {
  if (isArray(holder)) return null;
  const entries = listEntries(holder);
  const others = entries.filter(([each]) => each !== key);
  const moved = entries.filter(([each]) => each === key);
  // A number as a key has its place.
  if (entries.at(-1)?.[0] === key || /^\d+$/.test(key)) return null;
  return rebuild(`the place of ${path}`, holder, entries, [...others, ...moved]);
}

/** @param {any} holder an object or a Map @returns {any[][]} */
function listEntries(holder) {
  return keysOf(holder).map((key) => [key, read(holder, key)]);
}

/** @type {(what: string, holder: any, old: any[][], other: any[][]) => Change} */
function rebuild(what, holder, old, other) {
  /** @param {any[][]} entries */
  function fill(entries) {
    // What the loop changes has its present value.
    /** @type {Map<any, any>} */
    const present = new Map();
    for (const [key, value] of listEntries(holder)) present.set(key, value);
    for (const [key] of present) erase(holder, key);
    for (const [key, value] of entries)
      write(holder, key, present.has(key) ? present.get(key) : value);
  }
  return { what, apply: () => fill(other), undo: () => fill(old) };
}

/** @param {any} holder @param {any} key */
function erase(holder, key) {
  if (isMap(holder)) holder.delete(key);
  else delete holder[key];
}

/** @type {(place: Place) => Change | null} */
function remove({ holder, key, path }) {
  if (isArray(holder)) {
    const { length } = holder;
    const rest = holder.slice(length - 1);
    return {
      what: `the length of the array with ${path}`,
      apply: () => void (holder.length = length - 1),
      undo: () => void (holder[length - 1] = rest[0]),
    };
  }
  const entries = listEntries(holder);
  const others = entries.filter(([each]) => each !== key);
  return rebuild(`the key ${path}`, holder, entries, others);
}

/** @type {(place: Place, pick: PickIndex) => Change | null} */
function add({ holder, key, path }, pick) {
  const value = read(holder, key);
  return addTo(isHolder(value) ? { holder: value, path } : { holder, path: '' }, pick);
}

/** @type {(into: { holder: any, path: string }, pick: PickIndex) => Change} */
function addTo({ holder, path }, pick) {
  const value = [pick(100), `text ${pick(100)}`, null, { a: pick(9) }][pick(4)];
  if (isArray(holder)) {
    const { length } = holder;
    return {
      what: `one more element, ${path}.${length}`,
      apply: () => void (holder[length] = value),
      undo: () => void (holder.length = length),
    };
  }
  const key = `added${pick(1_000)}`;
  return {
    what: `one more key, ${path}.${key}`,
    apply: () => write(holder, key, value),
    undo: () => erase(holder, key),
  };
}

/**
 * Copies a document with all that can change in it, so that nothing that knows the document or one of its parts knows
 * the copy.
 * @param {any} value
 * @returns {any}
 * @throws {NotPlain} for a document that computes its values or notices that it is changed
 */
export function copyDocument(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (isProxy(value)) throw new NotPlain('the documents contain a proxy');
  if (isArray(value)) return value.map(copyDocument);
  if (isMap(value)) return new Map([...value].map(([key, each]) => [key, copyDocument(each)]));
  if (isDate(value)) return new Date(value.getTime());
  if (isBytes(value)) return copyLike(value);
  if (isHolder(value)) return copyFields(value);
  const { constructor } = value;
  if (isOf(value, 'ObjectId', 'ObjectID')) {
    return new constructor(isBytes(value.id) ? copyLike(value.id) : value.toHexString());
  }
  if (isOf(value, 'Binary')) {
    const bytes = copyLike(value.buffer.subarray(0, value.position));
    return new constructor(bytes, value.sub_type);
  }
  if (isOf(value, 'Decimal128')) return new constructor(copyLike(value.bytes));
  if (isOf(value, 'Code')) return new constructor(value.code, copyDocument(value.scope));
  return value;
}

/** @param {Uint8Array} bytes @returns {Uint8Array} of the same class */
function copyLike(bytes) {
  const copy = /** @type {Buffer} */ (takeBytes(bytes));
  return Buffer.isBuffer(bytes) ? copy : new Uint8Array(copy);
}

/** @param {any} fields */
function copyFields(fields) {
  const copy = getPrototypeOf(fields) === null ? Object.create(null) : {};
  for (const key of listKeys(fields)) {
    const descriptor = getOwnPropertyDescriptor(fields, key);
    if (descriptor === undefined || !hasOwn(descriptor, 'value')) {
      throw new NotPlain('the documents contain a property with a getter or a setter');
    }
    write(copy, key, copyDocument(descriptor.value));
  }
  return copy;
}

/** A document that is more than its values. */
export class NotPlain extends Error {}
