import { Code, DBRef, ObjectId } from 'bson';
import { randomScalar, randomText } from './random-scalars.js';

/** @import { Chance } from './chance.js' */

const ODD_KEYS = ['', '$ref', '$id', '$db', '$odd', 'a.b', '__proto__', '0', 'toString', 'é漢'];

/**
 * Makes a document of all types of values, some of which cannot be written; tests compare the
 * outcome of writing it, bytes or error. The same random numbers give the same document.
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

/**
 * @param {Chance} chance
 * @returns {string}
 */
function randomKey(chance) {
  if (chance.happens(15)) return chance.pick(ODD_KEYS);
  if (chance.happens(1)) return 'nul\0';
  return randomText(chance, 'abcdefgh') + chance.integer(0, 99);
}

/**
 * @param {Chance} chance
 * @param {number} depth
 * @returns {any}
 */
function randomValue(chance, depth) {
  if (depth === 0 || chance.happens(60)) {
    const scalar = randomScalar(chance);
    // Rare, because a value that cannot be written ends the document.
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

/**
 * @param {Chance} chance
 * @param {number} depth
 * @returns {any[]}
 */
function randomArray(chance, depth) {
  const array = Array.from({ length: chance.integer(0, 12) }, () => randomValue(chance, depth));
  if (chance.happens(10)) array.length += 2;
  return array;
}

/**
 * @param {Chance} chance
 * @param {number} depth
 * @returns {DBRef}
 */
function randomDbRef(chance, depth) {
  const fields = chance.happens(50) ? randomDocument(chance, depth) : undefined;
  const database = chance.happens(50) ? 'db' : undefined;
  return new DBRef(chance.pick(['c', 'd.c']), new ObjectId(chance.bytes(12)), database, fields);
}

/**
 * @param {Chance} chance
 * @param {number} depth
 * @returns {any} an object whose toBSON returns another value
 */
function randomReplacement(chance, depth) {
  const value = randomValue(chance, depth);
  return { hidden: 1, toBSON: () => value };
}
