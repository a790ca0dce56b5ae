import {
  BSONRegExp,
  BSONSymbol,
  Binary,
  Code,
  DBRef,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  UUID,
} from 'bson';
import { RandomValues } from '../../../corpora/support/random-values.js';

/** Seeded random numbers, also with percentages. */
export class Chance extends RandomValues {
  /** @type {(percent: number) => boolean} */
  happens(percent) {
    return this.integer(1, 100) <= percent;
  }
}

const ODD_KEYS = ['', '$ref', '$id', '$db', '$odd', 'a.b', '__proto__', '0', 'toString', 'é漢'];

/**
 * A random document with values of all types. Some cannot be written; tests compare the outcome,
 * bytes or error.
 * @param {Chance} chance
 * @param {number} depth levels below
 * @returns {Record<string, any>}
 */
export function randomDocument(chance, depth) {
  /** @type {Record<string, any>} */
  const document = {};
  for (let left = chance.integer(0, 7); left > 0; left--) {
    Object.defineProperty(document, randomKey(chance), {
      value: randomValue(chance, depth),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return document;
}

/** @type {(chance: Chance) => string} */
function randomKey(chance) {
  if (chance.happens(15)) return chance.pick(ODD_KEYS);
  if (chance.happens(1)) return 'nul\0';
  return randomText(chance, 'abcdefgh') + chance.integer(0, 99);
}

/** @type {(chance: Chance, depth: number) => any} */
function randomValue(chance, depth) {
  if (depth === 0 || chance.happens(60)) {
    const scalar = randomScalar(chance);
    // This is rare, because a value that cannot be written ends the document.
    return scalar?._bsontype === 'Unknown' && chance.happens(90) ? 'known' : scalar;
  }
  return chance.pick(CONTAINERS)(chance, depth - 1);
}

/** @type {((chance: Chance, depth: number) => any)[]} */
const CONTAINERS = [
  randomDocument,
  randomDocument,
  randomArray,
  randomArray,
  (chance, depth) => new Map(Object.entries(randomDocument(chance, depth))),
  (chance, depth) => new Code('f', randomDocument(chance, depth)),
  randomDbRef,
  (chance, depth) => ({ $ref: chance.pick(['c', 'd.c', 5]), $id: randomValue(chance, depth) }),
  randomReplacement,
];

/** @type {(chance: Chance, depth: number) => any[]} */
function randomArray(chance, depth) {
  const array = Array.from({ length: chance.integer(0, 12) }, () => randomValue(chance, depth));
  if (chance.happens(10)) array.length += 2;
  return array;
}

/** @type {(chance: Chance, depth: number) => DBRef} */
function randomDbRef(chance, depth) {
  const fields = chance.happens(50) ? randomDocument(chance, depth) : undefined;
  const database = chance.happens(50) ? 'db' : undefined;
  return new DBRef(chance.pick(['c', 'd.c']), new ObjectId(chance.bytes(12)), database, fields);
}

/** @type {(chance: Chance, depth: number) => any} an object whose toBSON returns another value */
function randomReplacement(chance, depth) {
  const value = randomValue(chance, depth);
  return { hidden: 1, toBSON: () => value };
}

const ALPHABETS = ['abcdefgh', 'aé', 'x漢字', 'y😀', 'a\0', 'q\ufffd', 'l\ud800'];
/** Some are around 20 and 25, the lengths up to which codecs treat strings specially. */
const LENGTHS = [0, 1, 2, 3, 4, 8, 19, 20, 21, 24, 25, 26, 80];
const NUMBERS = [
  0,
  -0,
  1,
  -1,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31),
  -(2 ** 31) - 1,
  2 ** 53,
  1e300,
  0.1,
  NaN,
  Infinity,
];
const LONGS = ['0', '-1', '9007199254740992', '9007199254740993', '-9007199254740993'];
const SUBTYPES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 128, 255];

/**
 * Text whose length and alphabet are special cases in a codec.
 * @type {(chance: Chance, alphabet?: string) => string}
 */
function randomText(chance, alphabet = chance.pick(ALPHABETS)) {
  const letters = Array.from(alphabet);
  return Array.from({ length: chance.pick(LENGTHS) }, () => chance.pick(letters)).join('');
}

/** @type {(chance: Chance) => any} a scalar of any BSON or JavaScript type */
function randomScalar(chance) {
  return chance.pick(MAKERS)(chance);
}

/** @type {((chance: Chance) => any)[]} */
const MAKERS = [
  (chance) => randomText(chance),
  (chance) => randomText(chance, 'abcdefgh'),
  (chance) => chance.pick(NUMBERS),
  (chance) => chance.integer(-1000, 1000),
  (chance) => chance.happens(50),
  () => null,
  () => undefined,
  (chance) => BigInt(chance.integer(-(2 ** 31), 2 ** 31 - 1)) ** 3n,
  (chance) => new Date(chance.pick([0, -1, 1e12 + 7, -8.64e15, NaN])),
  (chance) =>
    new RegExp(chance.pick(['a+', '^é', 'x'.repeat(30)]), chance.pick(['', 'i', 'gm', 'isu'])),
  (chance) => new Uint8Array(chance.bytes(chance.pick([0, 1, 16, 17, 40]))),
  (chance) => chance.bytes(12),
  () => new Float64Array([1.5, -2]),
  () => new ArrayBuffer(4),
  () => Object('boxed'),
  () => Object(7),
  () => Symbol('left out'),
  () => function named() {},
  (chance) => new ObjectId(chance.bytes(12)),
  (chance) => Long.fromString(chance.pick(LONGS)),
  (chance) => new Long(chance.integer(-5, 5), chance.integer(-5, 5), chance.happens(30)),
  (chance) => new Timestamp({ t: chance.integer(0, 2 ** 31), i: chance.integer(0, 9) }),
  (chance) => new Double(chance.pick(NUMBERS)),
  (chance) => new Int32(chance.integer(-9, 9)),
  (chance) => new Decimal128(chance.bytes(16)),
  (chance) => new Binary(chance.bytes(chance.pick([0, 15, 16, 17, 33])), chance.pick(SUBTYPES)),
  (chance) => new UUID(chance.bytes(16)),
  (chance) => Binary.fromFloat32Array(new Float32Array([chance.integer(0, 9), 0.5])),
  (chance) => Binary.fromPackedBits(new Uint8Array(chance.bytes(2)), chance.integer(0, 7)),
  () => growingBinary(),
  (chance) => new Code(randomText(chance)),
  (chance) => new BSONSymbol(randomText(chance)),
  (chance) => new BSONRegExp(chance.pick(['a+', '[', 'é']), chance.pick(['', 'i', 'xsm'])),
  () => new MinKey(),
  () => new MaxKey(),
  () => ({ _bsontype: 'Unknown' }),
];

/** @returns {Binary} one whose buffer is longer than its content */
function growingBinary() {
  const binary = new Binary();
  for (let at = 0; at < 20; at++) binary.put(at);
  return binary;
}
