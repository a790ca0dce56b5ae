import fc from 'fast-check';

/** More damages to one file can cancel each other's effect. */
const MAX_DAMAGES = 3;
const MAX_RANGE_BYTES = 2 ** 14;
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

/** Chooses from what a file holds: the number modulo how many there are. */
const choice = fc.nat();

const bytesDamage = fc.record({
  of: fc.constant(/** @type {const} */ ('bytes')),
  change: fc.constantFrom('flip', 'cut off', 'remove', 'repeat', 'move', 'insert', 'number'),
  at: choice,
  length: fc.oneof(fc.nat(8), fc.nat(MAX_RANGE_BYTES)),
  insertion: fc.constantFrom(...INSERTIONS),
  number: fc.constantFrom(...ODD_NUMBERS),
});

const jsonDamage = fc.record({
  of: fc.constant(/** @type {const} */ ('json')),
  change: fc.constantFrom('remove', 'copy', 'odd', 'repeat', 'scale', 'lengthen', 'negate'),
  line: choice,
  at: choice,
  other: choice,
  odd: fc.oneof(fc.constantFrom(...ODD_VALUES), fc.jsonValue()),
  power: fc.integer({ min: -20, max: 20 }),
});

/**
 * Damages of a file as by a broken disk, a crash, an editor or an attacker. After half of them the file is JSON still, so
 * that it gets past the parser.
 */
export const anyDamages = fc.oneof(
  fc.array(bytesDamage, { minLength: 1, maxLength: MAX_DAMAGES }),
  fc.array(jsonDamage, { minLength: 1, maxLength: MAX_DAMAGES }),
);

/** @typedef {Record<string, unknown> | unknown[]} Holder */
/** @typedef {typeof bytesDamage extends import('fast-check').Arbitrary<infer T> ? T : never} BytesDamage */
/** @typedef {typeof jsonDamage extends import('fast-check').Arbitrary<infer T> ? T : never} JsonDamage */

/**
 * @param {Buffer} bytes not changed
 * @param {(BytesDamage | JsonDamage)[]} damages
 * @returns {Buffer}
 */
export function damageBytes(bytes, damages) {
  return damages.reduce(
    (damaged, damage) =>
      damage.of === 'json' ? damageJson(damaged, damage) : damageAnything(damaged, damage),
    bytes,
  );
}

/** @param {Buffer} bytes  @param {BytesDamage} damage */
function damageAnything(bytes, { change, at, length, insertion, number }) {
  const start = at % (bytes.length + 1);
  const end = Math.min(start + length, bytes.length);
  const before = bytes.subarray(0, start);
  const range = bytes.subarray(start, end);
  const after = bytes.subarray(end);
  switch (change) {
    case 'flip': {
      const changed = Buffer.from(bytes);
      if (start < bytes.length) changed[start] ^= 1 << (length % 8);
      return changed;
    }
    case 'cut off':
      return before;
    case 'remove':
      return Buffer.concat([before, after]);
    case 'repeat':
      return Buffer.concat([before, range, range, after]);
    case 'move':
      return Buffer.concat([range, before, after]);
    case 'insert':
      return Buffer.concat([before, insertion, after]);
    default: {
      // Latin-1 has a character for every byte.
      const text = bytes.toString('latin1');
      const numbers = [...text.matchAll(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi)];
      if (numbers.length === 0) return bytes;
      const { 0: found, index } = numbers[at % numbers.length];
      const rest = text.slice(index + found.length);
      return Buffer.from(text.slice(0, index) + number + rest, 'latin1');
    }
  }
}

/**
 * Changes a value or key of a JSON document, or of one line of several.
 *
 * @param {Buffer} bytes
 * @param {JsonDamage} damage
 * @returns {Buffer} the same if it is not JSON
 */
function damageJson(bytes, damage) {
  const text = bytes.toString('utf8');
  const whole = parse(text);
  if (whole !== undefined) return Buffer.from(damageDocument(whole, damage));
  const lines = text.split('\n');
  const index = damage.line % lines.length;
  const line = parse(lines[index]);
  if (line === undefined) return bytes;
  lines[index] = damageDocument(line, damage);
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

/** @param {{ root: unknown }} document changed  @param {JsonDamage} damage  @returns {string} */
function damageDocument(document, { change, at, other, odd, power }) {
  const places = listPlaces(document);
  const { holder, key } = places[at % places.length];
  const value = holder[key];
  switch (change) {
    case 'remove':
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete holder[key];
      break;
    case 'copy': {
      const source = places[other % places.length];
      write(holder, key, source.holder[source.key]);
      break;
    }
    case 'odd':
      write(holder, key, odd);
      break;
    case 'repeat':
      if (Array.isArray(holder)) holder.push(value);
      else write(holder, '__proto__', value);
      break;
    case 'scale':
      if (typeof value === 'number') write(holder, key, value * 10 ** power);
      else if (typeof value === 'string') write(holder, key, value + key);
      else if (Array.isArray(value)) value.reverse();
      break;
    case 'lengthen':
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
