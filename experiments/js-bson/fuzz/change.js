import { BSONRegExp, BSONSymbol, Code } from 'bson';
import { FastChance } from './draft.js';

/** @typedef {(holder: any, key: string, chance: FastChance) => void} Change of a field or item */

class Changed {
  /** @param {object} fields */
  constructor(fields) {
    Object.assign(this, fields);
  }
}

const LETTERS = ['x', 'é', '漢', '😀'];

/** Value classes with text. @type {((text: string) => object)[]} */
const RARE = [
  (text) => new Code(text),
  (text) => new Code(text, { text }),
  (text) => new BSONSymbol(text),
  (text) => new BSONRegExp(text),
  (text) => new RegExp(text),
];

/** Values of JavaScript that no reading gives. @type {Record<string, (value: any, chance: FastChance) => unknown>} */
const VALUES = {
  undefined: () => undefined,
  function: () => function named() {},
  symbol: () => Symbol('changed'),
  'minus zero': () => -0,
  bigint: (value) => (typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : 5n),
  text: (_value, chance) => 'é'.repeat(chance.below(30)),
  'long text': (_value, chance) => chance.pick(LETTERS).repeat(chance.below(3_000)),
  toBSON: (value) => ({ toBSON: () => value }),
  'a replaced document': (value) => ({
    toBSON: () => ({ value, toBSON: () => ({ again: value }) }),
  }),
  'an array': (value) => [value, value],
  'an object': (value) => ({ a: value, b: value }),
  Map: (value) => new Map(isPlain(value) ? Object.entries(value) : [['a', value]]),
  'a class': (value) => new Changed(isPlain(value) ? value : { a: value }),
  'no prototype': (value) =>
    Object.assign(Object.create(null), isPlain(value) ? value : { a: value }),
  'rare text': (_value, chance) =>
    chance.pick(RARE)(chance.pick(LETTERS).repeat(chance.below(3_000))),
  'an array as scope': (value) => new Code('f', Object([undefined, value])),
  bytes: (_value, chance) => Buffer.alloc(chance.below(3_000), 7),
};

/** No change has an effect while a document is written, because variants may differ there by declaration. @type {Record<string, Change>} */
const CHANGES = {
  ...Object.fromEntries(
    Object.entries(VALUES).map(([name, make]) => [
      name,
      (holder, key, chance) =>
        define(holder, key, { value: make(holder[key], chance), writable: true }),
    ]),
  ),
  'a getter'(holder, key) {
    const value = holder[key];
    define(holder, key, { get: () => value });
  },
  'a missing key': (holder, key) => delete holder[key],
  'a key more': (holder) => define(holder, 'changed', { value: 1, writable: true }),
  'the last key'(holder, key) {
    const value = holder[key];
    delete holder[key];
    define(holder, key, { value, writable: true });
  },
  'another key'(holder, key, chance) {
    define(holder, key.slice(0, chance.below(key.length + 1)) + chance.pick(['', 'x', 'é', '\0']), {
      value: holder[key],
      writable: true,
    });
    delete holder[key];
  },
};
export const CHANGE_NAMES = Object.keys(CHANGES);

/**
 * Changes one field or item, at any level, of a document that was read. The same seed changes equal documents in
 * the same way.
 * @param {any} document
 * @param {number} seed
 * @returns {string | null} name of the change; null if the document has neither fields nor items
 */
export function changeDocument(document, seed) {
  const chance = new FastChance();
  chance.reseed(seed, 0);
  const holders = listHolders(document);
  if (holders.length === 0) return null;
  const holder = chance.pick(holders);
  const name = chance.pick(CHANGE_NAMES);
  CHANGES[name]?.(holder, chance.pick(Object.keys(holder)), chance);
  return name;
}

/** @type {(document: any) => any[]} the objects and arrays in it that are not empty */
function listHolders(document) {
  const open = [document];
  /** @type {any[]} */
  const holders = [];
  while (open.length > 0) {
    const value = open.pop();
    if (!Array.isArray(value) && !isPlain(value)) continue;
    const values = Object.values(value);
    if (values.length > 0) holders.push(value);
    open.push(...values);
  }
  return holders;
}

/** @type {(value: any) => boolean} */
function isPlain(value) {
  return (
    value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype
  );
}

/** @type {(holder: any, key: string, property: PropertyDescriptor) => void} */
function define(holder, key, property) {
  Object.defineProperty(holder, key, { ...property, enumerable: true, configurable: true });
}
