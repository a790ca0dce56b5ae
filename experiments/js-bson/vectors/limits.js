import { isSameValue } from '../fuzz/same-value.js';
import { compareReading } from './check-vectors.js';
import { EXACT, readBytes } from './read-bytes.js';

/** @import { Codec } from './read-bytes.js' */
/** @import { Miss, Outcome } from './check-vectors.js' */

/**
 * The document of a limit and what the reference makes of it, cached because it takes as long as checking a variant.
 * @typedef {object} PreparedLimit
 * @property {Codec} reference
 * @property {Uint8Array} bytes
 * @property {unknown} value
 * @property {Uint8Array} written the value, written again
 * @property {() => string} describe the outcome as text
 */

const STACK_OVERFLOW = 'RangeError';

/** @type {WeakMap<Limit, PreparedLimit>} */
const preparedLimits = new WeakMap();

/**
 * Checks a module with documents of maximum size, length and depth. A variant that declares
 * `usesCallStack` may exhaust the stack.
 * @param {Codec} module namespace of a variant
 * @param {Codec} reference namespace of npm `bson`
 * @param {Limit[]} [limits]
 * @returns {Outcome}
 */
export function runLimits(module, reference, limits = LIMITS) {
  /** @type {Outcome} */
  const outcome = { passed: 0, failures: [] };
  for (const limit of limits) {
    const misses = checkLimit(module, limit, prepareLimit(limit, reference));
    if (misses.length === 0) outcome.passed++;
    outcome.failures.push(...misses.map((miss) => ({ vector: `limits: ${limit.name}`, ...miss })));
  }
  return outcome;
}

/**
 * Comparing is far quicker than describing, but recursive.
 * @type {(module: Codec, limit: Limit, prepared: PreparedLimit) => Miss[]}
 */
function checkLimit(module, { isDeep }, prepared) {
  if (!isDeep && isSame(module, prepared)) return [];
  const found = readBytes(module, prepared.bytes, EXACT);
  const isExcused = isDeep && module.variant?.usesCallStack === true;
  if (isExcused && found.includes(`\trefused\t${STACK_OVERFLOW}`)) return [];
  return compareReading('decode, exact', prepared.describe(), found);
}

/** @type {(module: Codec, prepared: PreparedLimit) => boolean} */
function isSame(module, { bytes, value, written }) {
  try {
    const found = module.deserialize(bytes, EXACT);
    return isSameValue(value, found) && Buffer.compare(module.serialize(found), written) === 0;
  } catch {
    return false;
  }
}

/** @type {(limit: Limit, reference: Codec) => PreparedLimit} */
function prepareLimit(limit, reference) {
  const known = preparedLimits.get(limit);
  if (known?.reference === reference) return known;
  const bytes = limit.build();
  const value = reference.deserialize(bytes, EXACT);
  /** @type {string | undefined} */
  let description;
  const prepared = {
    reference,
    bytes,
    value,
    written: Buffer.from(reference.serialize(value)),
    describe: () => (description ??= readBytes(reference, bytes, EXACT)),
  };
  preparedLimits.set(limit, prepared);
  return prepared;
}

/**
 * A document too large for a hex string.
 * @typedef {object} Limit
 * @property {string} name
 * @property {() => Uint8Array} build
 * @property {boolean} isDeep whether a recursive codec may exhaust the stack
 */

const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
const MAX_LEVELS = 10_000;
const ARRAY_LENGTH = 50_000;
const FIELD_COUNT = 20_000;

const STRING = 0x02;
const DOCUMENT = 0x03;
const ARRAY = 0x04;
const BINARY = 0x05;
const NULL = 0x0a;
const CODE_WITH_SCOPE = 0x0f;
const INT32 = 0x10;

/** @type {Limit[]} */
export const LIMITS = [
  { name: 'a string that makes 16 MiB', build: buildLargeString, isDeep: false },
  { name: 'a binary value that makes 16 MiB', build: buildLargeBinary, isDeep: false },
  { name: 'a key of 1 MiB', build: buildLargeKey, isDeep: false },
  { name: 'an array of 50 000 numbers', build: buildLongArray, isDeep: false },
  { name: 'a document of 20 000 fields', build: buildWideDocument, isDeep: false },
  { name: '10 000 nested documents', build: () => nest(DOCUMENT, 'k'), isDeep: true },
  { name: '10 000 nested arrays', build: () => nest(ARRAY, '0'), isDeep: true },
  { name: '10 000 nested scopes', build: nestScopes, isDeep: true },
];

/** @type {(elements: Buffer[]) => Uint8Array} */
function makeDocument(elements) {
  const body = Buffer.concat(elements);
  return Buffer.concat([int32(body.length + 5), body, Buffer.of(0)]);
}

/** @type {(type: number, key: string, ...value: Uint8Array[]) => Buffer} */
function element(type, key, ...value) {
  return Buffer.concat([Buffer.of(type), Buffer.from(`${key}\0`), ...value]);
}

/** @type {(value: number) => Buffer} */
function int32(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

/** @returns {Uint8Array} */
function buildLargeString() {
  const length = MAX_DOCUMENT_BYTES - 12;
  return makeDocument([
    element(STRING, 's', int32(length), Buffer.alloc(length - 1, 'pear '), Buffer.of(0)),
  ]);
}

/** @returns {Uint8Array} */
function buildLargeBinary() {
  const length = MAX_DOCUMENT_BYTES - 13;
  return makeDocument([
    element(BINARY, 'b', int32(length), Buffer.of(0), Buffer.alloc(length, 0xa5)),
  ]);
}

/** @returns {Uint8Array} */
function buildLargeKey() {
  return makeDocument([element(NULL, 'k'.repeat(1024 * 1024))]);
}

/** @returns {Uint8Array} */
function buildLongArray() {
  const items = Array.from({ length: ARRAY_LENGTH }, (_, index) =>
    element(INT32, `${index}`, int32(index)),
  );
  return makeDocument([element(ARRAY, 'a', makeDocument(items))]);
}

/** @returns {Uint8Array} */
function buildWideDocument() {
  const fields = Array.from({ length: FIELD_COUNT }, (_, index) =>
    element(INT32, `f${index}`, int32(index)),
  );
  return makeDocument(fields);
}

/**
 * @param {number} type
 * @param {string} key one character
 * @returns {Uint8Array}
 */
function nest(type, key) {
  return nestWith(8, (size) => [int32(size), element(type, key)]);
}

/** @returns {Uint8Array} */
function nestScopes() {
  const emptyCode = Buffer.concat([int32(1), Buffer.of(0)]);
  return nestWith(17, function openScope(size) {
    // The total length excludes type byte, key and the closing byte of the level.
    return [int32(size), element(CODE_WITH_SCOPE, 'k', int32(size - 8), emptyCode)];
  });
}

/**
 * Writes nested documents from both ends, because building from the inside out would take quadratic
 * time.
 * @param {number} levelBytes bytes that a level adds to the size of the document inside
 * @param {(size: number) => Buffer[]} open start of a level whose document has that size
 * @returns {Uint8Array}
 */
function nestWith(levelBytes, open) {
  const innermost = makeDocument([]);
  /** @type {Uint8Array[]} */
  const starts = [];
  for (let level = MAX_LEVELS; level > 0; level--) {
    starts.push(...open(innermost.length + level * levelBytes));
  }
  return Buffer.concat([...starts, innermost, Buffer.alloc(MAX_LEVELS)]);
}
