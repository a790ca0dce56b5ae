/**
 * What the worker uses of JavaScript and Node after a variant was loaded. It is taken before that, because a variant
 * can replace it: `JSON.stringify`, `Number.prototype.toPrecision`, the getters of byte arrays.
 */

import { createHash } from 'node:crypto';
import { types } from 'node:util';

export const { stringify } = JSON;
export const hashWith = createHash;
export const { isProxy } = types;

/** @type {(value: number, digits: number) => string} */
export const toPrecision = unbind(Number.prototype.toPrecision);
/** @type {(date: Date) => number} */
export const timeOf = unbind(Date.prototype.getTime);

/**
 * A function of a method, with `this` as its first argument.
 * @param {Function} method
 * @returns {any}
 */
export function unbind(method) {
  return Function.prototype.call.bind(method);
}

const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
/** @type {(value: unknown) => string | undefined} name of the class of a typed array, undefined for anything else */
const nameTypedArray = unbindGetter(typedArray, Symbol.toStringTag);
const lengthOf = unbindGetter(typedArray, 'length');
const memoryOf = unbindGetter(typedArray, 'buffer');
const sizeOfMemory = unbindGetter(ArrayBuffer.prototype, 'byteLength');
const setAll = unbind(typedArray.set);
const Bytes = Uint8Array;
const toBuffer = Buffer.from.bind(Buffer);

/** @param {object} prototype @param {PropertyKey} key */
function unbindGetter(prototype, key) {
  return unbind(/** @type {Function} */ (Object.getOwnPropertyDescriptor(prototype, key)?.get));
}

/**
 * Copies the bytes of a result at once: what fills it later has not written it. They are read from its memory, whatever
 * its properties say.
 *
 * @param {unknown} value
 * @returns {unknown} a Buffer; the value itself if it is no byte array, or text that says so if other threads can write to it
 */
export function takeBytes(value) {
  if (nameTypedArray(value) !== 'Uint8Array') return value;
  try {
    sizeOfMemory(memoryOf(value));
  } catch {
    return 'a byte array in memory that threads share';
  }
  const copy = new Bytes(lengthOf(value));
  setAll(copy, value);
  return toBuffer(copy.buffer);
}

/** @type {(value: unknown) => value is Uint8Array} whatever its properties say */
export function isBytes(value) {
  return nameTypedArray(value) === 'Uint8Array';
}
