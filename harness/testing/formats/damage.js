import { drawIndex } from '../../stats/random.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */

/** More damages to one file can cancel each other's effect. */
const MAX_DAMAGES = 3;
const DEEP = 20_000;
const LONG = 'x'.repeat(100_000);
const MARK = '\u0001raw:';

const ODD_NUMBERS =
  '-1 0 -0 1e999 -1e999 1e308 5e-324 NaN Infinity 9007199254740993 0x10 4294967296 .5 ""'.split(
    ' ',
  );
const INSERTIONS = [
  // Not UTF-8: a lone continuation, an overlong slash, a surrogate, half a character.
  ...['80', 'c0af', 'eda080', 'f09f98', 'ff'].map((hex) => Buffer.from(hex, 'hex')),
  ...['['.repeat(DEEP), '{"a":'.repeat(DEEP), LONG, '\0'.repeat(9)].map((text) =>
    Buffer.from(text),
  ),
];

/** JSON values of a wrong type, or of the right type and out of range. */
const ODD_VALUES = [
  ...[null, true, [], {}, [null], '', 0, -1, 0.5, 5e-324, '1', 'NaN', '__proto__', LONG],
  ...['../../../etc/passwd', '\u001b[2J\u202e<script>`|@all'],
  // JSON that `JSON.stringify` never writes.
  ...[
    '1e999',
    '-1e999',
    '1e308',
    '9007199254740993',
    '"\\ud800"',
    `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`,
    '{"__proto__":{"polluted":1}}',
    '{"__proto__":null,"constructor":1,"toString":2,"length":-1}',
    '{"a":1,"a":2}',
  ].map((raw) => MARK + raw),
];

/** @typedef {Record<string, unknown> | unknown[]} Holder */

/**
 * Damages a file as a broken disk, a crash, an editor or an attacker might. Half of the time the result
 * is JSON still, so that it gets past the parser.
 *
 * @param {Buffer} bytes not changed
 * @param {RandomGenerator} random equal generators give equal damage
 * @returns {Buffer}
 */
export function damageBytes(bytes, random) {
  const isJsonKept = drawIndex(random, 2) === 0;
  let damaged = bytes;
  for (let left = 1 + drawIndex(random, MAX_DAMAGES); left > 0; left--) {
    damaged = isJsonKept ? damageJson(damaged, random) : damageAnything(damaged, random);
  }
  return damaged;
}

/** @template T  @param {RandomGenerator} random  @param {readonly T[]} choices */
function pick(random, choices) {
  return choices[drawIndex(random, choices.length)];
}

/** @param {Buffer} bytes  @param {RandomGenerator} random */
function damageAnything(bytes, random) {
  const { length } = bytes;
  const start = drawIndex(random, length + 1);
  const end = start + drawIndex(random, Math.min(length - start, 2 ** drawIndex(random, 14)) + 1);
  const [before, range, after] = [
    bytes.subarray(0, start),
    bytes.subarray(start, end),
    bytes.subarray(end),
  ];
  switch (drawIndex(random, 7)) {
    case 0: {
      if (length === 0) return bytes;
      const changed = Buffer.from(bytes);
      changed[drawIndex(random, length)] ^= 1 << drawIndex(random, 8);
      return changed;
    }
    case 1:
      return before;
    case 2:
      return Buffer.concat([before, after]);
    case 3:
      return Buffer.concat([before, range, range, after]);
    case 4:
      return Buffer.concat([range, before, after]);
    case 5:
      return Buffer.concat([before, pick(random, INSERTIONS), after]);
    default: {
      // Latin-1 has a character for every byte.
      const text = bytes.toString('latin1');
      const number = pick(random, [...text.matchAll(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi), null]);
      if (number === null) return bytes;
      const rest = text.slice(number.index + number[0].length);
      return Buffer.from(text.slice(0, number.index) + pick(random, ODD_NUMBERS) + rest, 'latin1');
    }
  }
}

/**
 * Changes a value or key of a JSON document, or of one line of several.
 *
 * @param {Buffer} bytes
 * @param {RandomGenerator} random
 * @returns {Buffer} the same if it is not JSON
 */
function damageJson(bytes, random) {
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

/** @param {string} text  @returns {{ root: unknown } | undefined} */
function parse(text) {
  try {
    return { root: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** @param {{ root: unknown }} document changed  @param {RandomGenerator} random  @returns {string} */
function damageDocument(document, random) {
  const places = listPlaces(document);
  const { holder, key } = pick(random, places);
  const other = pick(random, places);
  const value = holder[key];
  switch (drawIndex(random, 7)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete holder[key];
      break;
    case 1:
      write(holder, key, other.holder[other.key]);
      break;
    case 2:
      write(holder, key, pick(random, ODD_VALUES));
      break;
    case 3:
      if (Array.isArray(holder)) holder.push(value);
      else write(holder, '__proto__', value);
      break;
    case 4:
      if (typeof value === 'number') write(holder, key, value * 10 ** (drawIndex(random, 41) - 20));
      else if (typeof value === 'string') write(holder, key, value + key);
      else if (Array.isArray(value)) value.reverse();
      break;
    case 5:
      write(holder, Array.isArray(holder) ? String(holder.length) : 'length', value);
      break;
    default:
      write(holder, key, typeof value === 'number' ? -value : [value]);
  }
  return stringify(document.root);
}

/**
 * Without recursion, since the document may be deep.
 *
 * @param {{ root: unknown }} document
 * @returns {{ holder: any, key: string }[]} at least that of the root
 */
function listPlaces(document) {
  /** @type {{ holder: any, key: string }[]} */
  const places = [{ holder: document, key: 'root' }];
  for (const { holder, key } of places) {
    const value = holder[key];
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Object.keys(value)) places.push({ holder: value, key: inner });
  }
  return places;
}

/** @param {Holder} holder  @param {string} key may be `__proto__`  @param {unknown} value */
function write(holder, key, value) {
  const attributes = { writable: true, enumerable: true, configurable: true };
  Object.defineProperty(holder, key, { value, ...attributes });
}

/** @param {unknown} root  @returns {string} JSON in which marked text stands as it is */
function stringify(root) {
  let text;
  try {
    text = JSON.stringify(root) ?? 'null';
  } catch {
    // It contains itself, or is deeper than the stack.
    return '{"a":';
  }
  return text.replace(/"\\u0001raw:((?:[^"\\]|\\.)*)"/g, (_, raw) => JSON.parse(`"${raw}"`));
}
