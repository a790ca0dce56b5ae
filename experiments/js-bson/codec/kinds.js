/**
 * Type checks by tag, which also work for objects of another realm (a vm context, a worker's
 * message), where `instanceof` fails. The same checks as in bson 7.3.1.
 */

const readTypedArrayTag = /** @type {(this: unknown) => string | undefined} */ (
  /** @type {PropertyDescriptor} */ (
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)
  ).get
);

/** Whether the value is a Date. @type {(value: object) => value is Date} */
export function isDate(value) {
  return value instanceof Date || Object.prototype.toString.call(value) === '[object Date]';
}

/** Whether the value is a RegExp. @type {(value: object) => value is RegExp} */
export function isRegExp(value) {
  return value instanceof RegExp || Object.prototype.toString.call(value) === '[object RegExp]';
}

/**
 * Whether the value is a Uint8Array or Buffer; other typed arrays are not.
 * @type {(value: unknown) => value is Uint8Array}
 */
export function isUint8Array(value) {
  return value instanceof Uint8Array || readTypedArrayTag.call(value) === 'Uint8Array';
}

/** Whether the value is a Map. @type {(value: object) => value is Map<unknown, unknown>} */
export function isMap(value) {
  return value instanceof Map || readTag(value) === 'Map';
}

/**
 * Whether the value is an ArrayBuffer or SharedArrayBuffer.
 * @type {(value: object) => value is ArrayBuffer}
 */
export function isAnyArrayBuffer(value) {
  const tag = readTag(value);
  return tag === 'ArrayBuffer' || tag === 'SharedArrayBuffer';
}

/** @type {(value: object) => unknown} */
function readTag(value) {
  return Symbol.toStringTag in value ? value[Symbol.toStringTag] : undefined;
}
