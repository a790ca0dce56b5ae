import {
  BSONRegExp,
  BSONSymbol,
  Binary,
  Code,
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

/** @import { Chance } from './chance.js' */

const ALPHABETS = ['abcdefgh', 'aé', 'x漢字', 'y😀', 'a\0', 'q\ufffd', 'l\ud800'];
/** Around 20 and 25, the limits for the separate handling of short strings. */
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
 * Text of a length and alphabet that matter to a codec.
 * @param {Chance} chance
 * @param {string} [alphabet]
 * @returns {string}
 */
export function randomText(chance, alphabet = chance.pick(ALPHABETS)) {
  const letters = Array.from(alphabet);
  return Array.from({ length: chance.pick(LENGTHS) }, () => chance.pick(letters)).join('');
}

/**
 * Makes one scalar of any BSON or JavaScript type.
 * @param {Chance} chance
 * @returns {any}
 */
export function randomScalar(chance) {
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

/**
 * @returns {Binary} one whose buffer is longer than its content
 */
function growingBinary() {
  const binary = new Binary();
  for (let at = 0; at < 20; at++) binary.put(at);
  return binary;
}
