/** @import { Chance } from '../../fuzz/documents.js' */
/** @typedef {new (...input: any[]) => any} ObjectIdClass */

const HEX = '65a1B2c3d4E5f60718293a4b';

/**
 * Valid and invalid inputs of the constructor by name. `make` creates a new one for every call,
 * some of them with the class under test.
 * @type {[name: string, make: (ObjectId: ObjectIdClass) => any][]}
 */
export const INPUTS = [
  ['hex text', () => HEX],
  ['hex text in lower case', () => HEX.toLowerCase()],
  ['hex text in upper case', () => HEX.toUpperCase()],
  ['hex text that is a rope', () => HEX.slice(0, 14) + Buffer.from(HEX.slice(14)).toString()],
  ['hex text that is a slice', () => `${'x'.repeat(999)}${HEX}`.slice(999)],
  ['an empty string', () => ''],
  ['hex text too short', () => HEX.slice(1)],
  ['hex text too long', () => `${HEX}0`],
  ['hex text with a wrong first digit', () => `g${HEX.slice(1)}`],
  ['hex text with a wrong last digit', () => `${HEX.slice(1)}G`],
  ['characters next to the digits', () => '/:@`Gg-. \n\0~[]{}()!?+*%$'],
  ['text of two bytes per character', () => '漢'.repeat(24)],
  ['characters that are digits in their low bits', () => '\u0130'.repeat(24)],
  ['characters that are digits in their low seven bits', () => '\u00b0'.repeat(24)],
  ['12 characters that are not hex', () => 'abcdefghijkl'],
  ['bytes', () => Buffer.from(HEX, 'hex')],
  ['a Uint8Array', () => new Uint8Array(Buffer.from(HEX, 'hex'))],
  ['a view into more bytes', () => Buffer.from(`ff${HEX}ff`, 'hex').subarray(1, 13)],
  ['a view of another type', () => new Uint32Array([1, 2 ** 31, 5])],
  ['a DataView', () => new DataView(new Uint8Array(Buffer.from(`00${HEX}`, 'hex')).buffer, 1)],
  ['too few bytes', () => Buffer.alloc(11)],
  ['too many bytes', () => Buffer.alloc(13)],
  ['an ArrayBuffer', () => new ArrayBuffer(12)],
  ['an array', () => Array.from(Buffer.from(HEX, 'hex'))],
  ['zero', () => 0],
  ['a number', () => 1700000000],
  ['NaN', () => NaN],
  ['a bigint', () => 12n],
  ['a symbol', () => Symbol('id')],
  ['true', () => true],
  ['a function', () => () => HEX],
  ['an object', () => ({})],
  ['a date', () => new Date(0)],
  ['a boxed string', () => Object(HEX)],
  ['an ObjectId', (ObjectId) => new ObjectId(HEX)],
  ['an ObjectId of a subclass', (ObjectId) => new (class extends ObjectId {})(HEX)],
  ['an object with id text', () => ({ id: HEX })],
  ['an object with wrong id text', () => ({ id: 'x'.repeat(24) })],
  ['an object with id bytes', () => ({ id: Buffer.from(HEX, 'hex') })],
  ['an object with too few id bytes', () => ({ id: Buffer.alloc(4) })],
  ['an object with an id number', () => ({ id: 5 })],
  ['an object with id null', () => ({ id: null })],
  ['an object with id undefined', () => ({ id: undefined })],
  ['toHexString beside id', () => ({ id: '', toHexString: () => HEX })],
  ['toHexString without id', () => ({ toHexString: () => HEX })],
  ['toHexString that returns too few digits', () => ({ id: HEX, toHexString: () => HEX.slice(2) })],
  [
    'toHexString that returns one digit too many',
    () => ({ id: HEX, toHexString: () => `${HEX}1` }),
  ],
  ['toHexString that returns a number', () => ({ id: HEX, toHexString: () => 5 })],
  ['toHexString that returns null', () => ({ id: HEX, toHexString: () => null })],
  [
    'toHexString that returns an array',
    () => ({ id: HEX, toHexString: () => Array(12).fill(258) }),
  ],
  ['toHexString that is not a function', () => ({ id: HEX, toHexString: HEX })],
  ['an Extended JSON document', () => ({ $oid: HEX })],
  ['a document with an inherited id', () => Object.create({ id: HEX })],
];

/**
 * Hex text in mixed case, sometimes with one character changed or removed.
 * @type {(chance: Chance) => string}
 */
export function randomHexText(chance) {
  const digits = Array.from(chance.bytes(12).toString('hex'), (digit) =>
    chance.happens(30) ? digit.toUpperCase() : digit,
  );
  if (chance.happens(20))
    digits[chance.integer(0, 23)] = chance.pick(['g', ' ', 'é', '漢', '', ':']);
  return digits.join('');
}
