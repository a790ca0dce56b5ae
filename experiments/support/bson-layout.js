/**
 * How the value of each BSON type is laid out, by type byte (bsonspec.org, version 1.1): bytes of
 * fixed length; or a length in front with `extra` bytes that it does not count; or something of its
 * own, which `measureValue` knows.
 *
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

/**
 * Name of a BSON type.
 *
 * @param {number} typeByte
 * @returns {string | null} Null for a byte that is no type.
 */
export function nameType(typeByte) {
  return LAYOUTS[typeByte]?.name ?? null;
}

/**
 * Where the value of an element ends, not counting what is nested in it: nothing of a document or
 * array, and of code with scope the code alone.
 *
 * @param {Uint8Array} bytes
 * @param {number} typeByte One that `nameType` knows.
 * @param {number} start Offset of the value.
 * @returns {{ lengthEnd: number, valueEnd: number }} Offsets after the length in front, if there is
 *   one, and after the value; the latter is beyond the last byte where the value is broken.
 */
export function measureValue(bytes, typeByte, start) {
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
 * @param {number} start Of the length.
 * @param {number} extra
 * @returns {{ lengthEnd: number, valueEnd: number }}
 */
function measureCounted(bytes, start, extra) {
  const lengthEnd = start + 4;
  if (lengthEnd > bytes.length) return { lengthEnd, valueEnd: Infinity };
  const length = new DataView(bytes.buffer, bytes.byteOffset).getInt32(start, true);
  return { lengthEnd, valueEnd: length < 0 ? Infinity : lengthEnd + length + extra };
}
