import { explainByteDifference } from '../../support/explain-difference.js';
import { EXACT, nameError, READINGS } from './read-bytes.js';

/** @import { Vector } from './parse-vector.js' */
/** @import { Codec } from './read-bytes.js' */
/** @import { Explanation } from '../../support/explain-difference.js' */

/**
 * @typedef {Explanation & { check: string }} Miss
 *   `check` describes the attempt; `path` is the place of the difference.
 */

/**
 * Checks a codec against a vector.
 *
 * @param {Codec} codec
 * @param {Vector} vector
 * @returns {Miss[]} Empty if all checks pass.
 */
export function checkStated(codec, vector) {
  if (vector.kind === 'decode-error') return checkRefusal(codec, vector);
  let value;
  try {
    value = codec.deserialize(vector.bytes, { ...EXACT, ...vector.options });
  } catch (error) {
    return [miss('decode', 'a value', `refused: ${String(error)}`)];
  }
  const misses = checkEncoding('encode', () => codec.serialize(value), vector.reencoded);
  return vector.kind === 'valid' ? [...misses, ...checkJson(codec, vector, value)] : misses;
}

/**
 * @param {Codec} codec
 * @param {Vector} vector
 * @returns {Miss[]}
 */
function checkRefusal(codec, vector) {
  /** @type {Miss[]} */
  const misses = [];
  for (const reading of vector.refusedBy) {
    try {
      codec.deserialize(vector.bytes, { ...READINGS[reading], ...vector.options });
      misses.push(miss(`decode, ${reading}`, 'refused', 'accepted'));
    } catch (error) {
      if (error instanceof Error || nameError(error).endsWith('Error')) continue;
      misses.push(miss(`decode, ${reading}`, 'an Error', nameError(error)));
    }
  }
  return misses;
}

/**
 * @param {string} check
 * @param {() => Uint8Array} encode
 * @param {Uint8Array | null} expected Null if encoding must fail.
 * @returns {Miss[]}
 */
function checkEncoding(check, encode, expected) {
  let found;
  try {
    found = encode();
  } catch (error) {
    return expected === null ? [] : [miss(check, 'bytes', `refused: ${String(error)}`)];
  }
  if (expected === null) return [miss(check, 'refused', 'bytes')];
  if (Buffer.compare(found, expected) === 0) return [];
  return [{ check, ...explainByteDifference(expected, found) }];
}

/**
 * @param {Codec} codec
 * @param {Vector} vector
 * @param {unknown} value Decoded with exact types.
 * @returns {Miss[]}
 */
function checkJson({ EJSON, serialize }, vector, value) {
  if (EJSON === undefined) return [];
  const { extendedJson, relaxedJson } = vector;
  const misses = checkText(
    'Extended JSON',
    () => EJSON.stringify(value, { relaxed: false }),
    extendedJson,
  );
  if (relaxedJson !== null) {
    misses.push(
      ...checkText('relaxed JSON', () => EJSON.stringify(value, { relaxed: true }), relaxedJson),
    );
  }
  if (extendedJson === null || vector.jsonIsLossy) return misses;
  const encode = () => serialize(EJSON.parse(extendedJson, { relaxed: false }));
  return [...misses, ...checkEncoding('encode from Extended JSON', encode, vector.bytes)];
}

/**
 * @param {string} check
 * @param {() => string} write
 * @param {string | null} expected Null if writing must fail.
 * @returns {Miss[]}
 */
function checkText(check, write, expected) {
  let found = null;
  try {
    found = write();
  } catch (error) {
    if (expected !== null) return [miss(check, expected, `refused: ${String(error)}`)];
  }
  return found === expected ? [] : [miss(check, expected ?? 'refused', found ?? 'refused')];
}

/**
 * @param {string} check
 * @param {string} expected
 * @param {string} found
 * @returns {Miss}
 */
function miss(check, expected, found) {
  return { check, path: '(whole document)', expected, found };
}
