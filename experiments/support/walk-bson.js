import { measureValue, nameType } from './bson-layout.js';
import { extendPath, keyComponent, ROOT_PATH } from './path-text.js';

/**
 * One stretch of bytes of a BSON document. The parts of a document follow each other without gaps.
 *
 * @typedef {object} Part
 * @property {number} start
 * @property {number} end Offset after the last byte.
 * @property {'size' | 'type byte' | 'key' | 'length' | 'value' | 'terminator' | 'remainder'} name
 *   `size` counts the bytes of a container, `length` those of one value.
 * @property {string} type Name of the BSON type.
 * @property {Level} level The document or array that the part belongs to.
 * @property {string | null} key Of the element; null where the part belongs to the whole level.
 *
 * @typedef {object} Level
 * @property {Level | null} parent
 * @property {string | null} key Under which it stands in its parent.
 * @property {string} type `document`, `array` or `scope`.
 */

const SCOPE_TYPE = 0x0f;

/** @type {Record<number, string>} */
const LEVEL_TYPES = { 0x03: 'document', 0x04: 'array', [SCOPE_TYPE]: 'scope' };

/**
 * Goes over the parts of a document in order. Bytes that make no sense are one last part
 * `remainder`; nothing is thrown, and depth costs no stack.
 *
 * @param {Uint8Array} bytes
 * @returns {Generator<Part, void>}
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
 *
 * @param {Part} part
 * @returns {import('./path-text.js').Path}
 */
export function findPath(part) {
  const components = part.key === null ? [] : [showComponent(part.level, part.key)];
  for (let level = part.level; level.parent !== null; level = level.parent) {
    if (level.type === 'scope') components.push('<scope>');
    components.push(showComponent(level.parent, level.key ?? ''));
  }
  return components.reverse().reduce(extendPath, ROOT_PATH);
}

/**
 * @param {Level} level
 * @param {string} key
 * @returns {string}
 */
function showComponent(level, key) {
  return level.type === 'array' && /^\d+$/.test(key) ? `[${key}]` : keyComponent(key);
}

/**
 * Parts of the element at `offset`, up to where a level inside it begins, or the level's end.
 *
 * @param {Uint8Array} bytes
 * @param {number} offset
 * @param {Level} level
 * @returns {Part[]}
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

/**
 * @param {Level} level
 * @param {Part['name']} name
 * @param {number} start
 * @param {number} end
 * @returns {Part}
 */
function levelPart(level, name, start, end) {
  return { start, end, name, type: level.type, level, key: null };
}
