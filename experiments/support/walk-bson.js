import { ROOT_PATH, extendPath, keyComponent } from '../../harness/worker/path-text.js';

/**
 * A range of bytes of a BSON document. The parts of a document are contiguous.
 * @typedef {object} Part
 * @property {number} start
 * @property {number} end offset after the last byte
 * @property {'size' | 'type byte' | 'key' | 'length' | 'value' | 'terminator' | 'remainder'} name
 *   `size` counts the bytes of a container, `length` those of one value.
 * @property {string} type name of the BSON type
 * @property {Level} level the document or array that the part belongs to
 * @property {string | null} key of the element; null if the part belongs to the whole level
 *
 * @typedef {object} Level
 * @property {Level | null} parent
 * @property {string | null} key key in its parent
 * @property {string} type `document`, `array` or `scope`
 */

const SCOPE_TYPE = 0x0f;

/** @type {Record<number, string>} */
const LEVEL_TYPES = { 0x03: 'document', 0x04: 'array', [SCOPE_TYPE]: 'scope' };

/**
 * Iterates over the parts of a document. Invalid bytes become one last part `remainder`. Does not
 * throw or recurse.
 * @type {(bytes: Uint8Array) => Generator<Part, void>}
 */
export function* walkBson(bytes) {
  /** @type {Level | null} */
  let level = { parent: null, key: null, type: 'document' };
  let last = levelPart(level, 'size', 0, 4);
  yield last;
  while (level !== null && last.end < bytes.length) {
    for (last of readParts(bytes, last.end, level)) yield last;
    level = last.name === 'terminator' ? last.level.parent : last.level;
  }
}

/**
 * Path of the element that a part belongs to, or of its level.
 * @type {(part: Part) => import('../../harness/worker/path-text.js').Path}
 */
export function findPath(part) {
  const components = part.key === null ? [] : [showComponent(part.level, part.key)];
  for (let level = part.level; level.parent !== null; level = level.parent) {
    if (level.type === 'scope') components.push('<scope>');
    components.push(showComponent(level.parent, level.key ?? ''));
  }
  return components.reverse().reduce(extendPath, ROOT_PATH);
}

/** @type {(level: Level, key: string) => string} */
function showComponent(level, key) {
  return level.type === 'array' && /^\d+$/.test(key) ? `[${key}]` : keyComponent(key);
}

/**
 * Parts of the element at `offset`, up to the start of a nested level, or the end of the level.
 * @type {(bytes: Uint8Array, offset: number, level: Level) => Part[]}
 */
function readParts(bytes, offset, level) {
  const typeByte = bytes[offset] ?? 0;
  if (typeByte === 0) return [levelPart(level, 'terminator', offset, offset + 1)];
  const keyEnd = bytes.indexOf(0, offset + 1);
  const type = nameType(typeByte);
  if (keyEnd === -1 || type === null) return [levelPart(level, 'remainder', offset, bytes.length)];

  const key = Buffer.from(bytes.subarray(offset + 1, keyEnd)).toString();
  const element = { type, level, key };
  const valueStart = keyEnd + 1;
  /** @type {Part[]} */
  const parts = [
    { ...element, name: 'type byte', start: offset, end: offset + 1 },
    { ...element, name: 'key', start: offset + 1, end: valueStart },
  ];
  if (typeByte === SCOPE_TYPE) {
    parts.push({ ...element, name: 'size', start: valueStart, end: valueStart + 4 });
  }
  const { lengthEnd, valueEnd } = measureValue(bytes, typeByte, valueStart);
  const isBroken = valueEnd > bytes.length;
  parts.push(
    { ...element, name: 'length', start: parts.at(-1)?.end ?? valueStart, end: lengthEnd },
    { ...element, name: isBroken ? 'remainder' : 'value', start: lengthEnd, end: valueEnd },
  );
  const innerType = LEVEL_TYPES[typeByte];
  if (innerType !== undefined && !isBroken) {
    const inner = { parent: level, key, type: innerType };
    parts.push(levelPart(inner, 'size', valueEnd, valueEnd + 4));
  }
  return parts;
}

/** @type {(level: Level, name: Part['name'], start: number, end: number) => Part} */
function levelPart(level, name, start, end) {
  return { start, end, name, type: level.type, level, key: null };
}

/**
 * Layout of the value of each BSON type, by type byte (bsonspec.org, version 1.1): a fixed number
 * of bytes; or a length prefix, with `extra` bytes that it does not count; or a special layout,
 * handled by `measureValue`.
 * @typedef {{ name: string, bytes?: number, extra?: number }} Layout
 */

/** @type {Record<number, Layout>} */
const LAYOUTS = {
  0x01: { name: 'double', bytes: 8 },
  0x02: { name: 'string', extra: 0 },
  0x03: { name: 'document', bytes: 0 },
  0x04: { name: 'array', bytes: 0 },
  0x05: { name: 'binary', extra: 1 },
  0x06: { name: 'undefined', bytes: 0 },
  0x07: { name: 'objectId', bytes: 12 },
  0x08: { name: 'boolean', bytes: 1 },
  0x09: { name: 'date', bytes: 8 },
  0x0a: { name: 'null', bytes: 0 },
  0x0b: { name: 'regex' },
  0x0c: { name: 'dbPointer', extra: 12 },
  0x0d: { name: 'code', extra: 0 },
  0x0e: { name: 'symbol', extra: 0 },
  0x0f: { name: 'code with scope' },
  0x10: { name: 'int32', bytes: 4 },
  0x11: { name: 'timestamp', bytes: 8 },
  0x12: { name: 'int64', bytes: 8 },
  0x13: { name: 'decimal128', bytes: 16 },
  0x7f: { name: 'maxKey', bytes: 0 },
  0xff: { name: 'minKey', bytes: 0 },
};

const REGEX = 0x0b;
const CODE_WITH_SCOPE = 0x0f;

/** Name of a BSON type. @type {(typeByte: number) => string | null} null for an unknown type */
function nameType(typeByte) {
  return LAYOUTS[typeByte]?.name ?? null;
}

/**
 * End of the value of an element without nested levels: empty for a document or array, and only the
 * code for code with scope.
 * @param {Uint8Array} bytes
 * @param {number} typeByte A known type
 * @param {number} start offset of the value
 * @returns {{ lengthEnd: number, valueEnd: number }} Offsets after the length prefix, if there is
 *   one, and after the value; the latter is beyond the last byte if the value is broken.
 */
function measureValue(bytes, typeByte, start) {
  if (typeByte === REGEX) {
    const patternEnd = bytes.indexOf(0, start);
    const optionsEnd = patternEnd === -1 ? -1 : bytes.indexOf(0, patternEnd + 1);
    return { lengthEnd: start, valueEnd: optionsEnd === -1 ? Infinity : optionsEnd + 1 };
  }
  if (typeByte === CODE_WITH_SCOPE) return measureCounted(bytes, start + 4, 0);
  const layout = LAYOUTS[typeByte];
  if (layout?.extra !== undefined) return measureCounted(bytes, start, layout.extra);
  return { lengthEnd: start, valueEnd: start + (layout?.bytes ?? 0) };
}

/**
 * @param {Uint8Array} bytes
 * @param {number} start of the length
 * @param {number} extra
 * @returns {{ lengthEnd: number, valueEnd: number }}
 */
function measureCounted(bytes, start, extra) {
  const lengthEnd = start + 4;
  if (lengthEnd > bytes.length) return { lengthEnd, valueEnd: Infinity };
  const length = new DataView(bytes.buffer, bytes.byteOffset).getInt32(start, true);
  return { lengthEnd, valueEnd: length < 0 ? Infinity : lengthEnd + length + extra };
}
