import { drawIndex } from '../../stats/random.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */

/**
 * @typedef {Record<string, unknown> | unknown[]} Holder
 * @typedef {{ holder: Holder, key: string }} Place of a value within a document
 */

const DEEP_LEVELS = 20_000;
const LONG_LENGTH = 100_000;

/** Text of JSON that `JSON.stringify` would not write; stands for itself when the document is. */
const RAW = [
  '1e999',
  '-1e999',
  '1e308',
  '9007199254740993',
  '"\\ud800"',
  `${'['.repeat(DEEP_LEVELS)}${']'.repeat(DEEP_LEVELS)}`,
  '{"__proto__":{"polluted":1}}',
  '{"__proto__":null,"constructor":1,"toString":2,"length":-1}',
  '{"a":1,"a":2}',
];

/** Values of a wrong type, or of the right type and senseless. */
const ODD_VALUES = [
  null,
  true,
  [],
  {},
  [null],
  '',
  0,
  -1,
  0.5,
  5e-324,
  '1',
  'NaN',
  '__proto__',
  '../../../etc/passwd',
  '\u001b[2J\u202e<script>`|@all',
  'x'.repeat(LONG_LENGTH),
];

const MARK = '\u0001raw:';

/**
 * Damages the meaning of a JSON document, or of one line of several, and leaves it JSON for the most
 * part: a key is gone, doubled or another one, a value has another type, size or place. Used by tests
 * only.
 *
 * @param {Buffer} bytes
 * @param {RandomGenerator} random
 * @returns {Buffer} the same where it is no JSON
 */
export function damageJson(bytes, random) {
  const text = bytes.toString('utf8');
  const whole = parse(text);
  if (whole !== undefined) return Buffer.from(damageDocument(whole, random));
  const lines = text.split('\n');
  const index = drawIndex(random, lines.length);
  const line = parse(lines[index]);
  if (line === undefined) return bytes;
  lines[index] = damageDocument(line, random);
  return Buffer.from(lines.join('\n'));
}

/**
 * @param {string} text
 * @returns {{ root: unknown } | undefined}
 */
function parse(text) {
  try {
    return { root: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/**
 * @param {{ root: unknown }} document is changed
 * @param {RandomGenerator} random
 * @returns {string} JSON
 */
function damageDocument(document, random) {
  const places = listPlaces(document);
  const { holder, key } = places[drawIndex(random, places.length)];
  const other = places[drawIndex(random, places.length)];
  const value = read(holder, key);
  switch (drawIndex(random, 8)) {
    case 0:
      remove(holder, key);
      break;
    case 1:
      write(holder, key, read(other.holder, other.key));
      break;
    case 2:
      write(holder, key, ODD_VALUES[drawIndex(random, ODD_VALUES.length)]);
      break;
    case 3:
      write(holder, key, MARK + RAW[drawIndex(random, RAW.length)]);
      break;
    case 4:
      if (Array.isArray(holder)) holder.push(value);
      else write(holder, '__proto__', value);
      break;
    case 5:
      if (typeof value === 'number') write(holder, key, value * 10 ** (drawIndex(random, 41) - 20));
      else if (typeof value === 'string') write(holder, key, value + key);
      else if (Array.isArray(value)) value.reverse();
      break;
    case 6:
      write(holder, 'length', value);
      break;
    default:
      write(holder, key, typeof value === 'number' ? -value : [value]);
  }
  return spell(document.root);
}

/**
 * Without recursion: what was damaged before may be deep.
 *
 * @param {{ root: unknown }} document
 * @returns {Place[]} at least that of the root
 */
function listPlaces(document) {
  /** @type {Place[]} */
  const places = [{ holder: document, key: 'root' }];
  for (let index = 0; index < places.length; index++) {
    const value = read(places[index].holder, places[index].key);
    if (typeof value !== 'object' || value === null) continue;
    const holder = /** @type {Holder} */ (value);
    for (const key of Object.keys(holder)) places.push({ holder, key });
  }
  return places;
}

/**
 * @param {Holder} holder
 * @param {string} key
 * @returns {unknown}
 */
function read(holder, key) {
  return /** @type {Record<string, unknown>} */ (holder)[key];
}

/**
 * @param {Holder} holder
 * @param {string} key `__proto__` is a key like any other
 * @param {unknown} value
 */
function write(holder, key, value) {
  // A list takes no other length than it has.
  const name = Array.isArray(holder) && key === 'length' ? String(holder.length) : key;
  Object.defineProperty(holder, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

/**
 * @param {Holder} holder
 * @param {string} key
 */
function remove(holder, key) {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}

/**
 * @param {unknown} root
 * @returns {string} JSON, with what was marked as raw put in as it is
 */
function spell(root) {
  let text;
  try {
    text = JSON.stringify(root) ?? 'null';
  } catch {
    // A value in its own place, or a document deeper than the stack: half of it is damage enough.
    return '{"a":';
  }
  return text.replace(/"\\u0001raw:((?:[^"\\]|\\.)*)"/g, (_, raw) => JSON.parse(`"${raw}"`));
}
