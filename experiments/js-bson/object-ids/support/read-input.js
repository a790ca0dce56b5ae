import { BSONError } from '../../codec/values.js';
import { ID_BYTES } from './generate.js';
import { HEX_LENGTH, isHexId } from './hex.js';

const BASE64_LENGTH = 16;

/**
 * The bytes of constructor input other than undefined, null and strings. Accepts the same as bson
 * 7.3.1: a view of 12 bytes, and objects with `id` and perhaps `toHexString`.
 * @type {(input: any) => Uint8Array} may be the caller's own memory: copy it
 * @throws {BSONError}
 */
export function readInput(input) {
  if (typeof input !== 'object' || !('id' in input)) return checkBytes(input);
  const { id } = input;
  if (typeof id !== 'string' && !ArrayBuffer.isView(id)) {
    throw new BSONError(
      `an object becomes an ObjectId by an 'id' of 12 bytes or 24 hex digits, its 'id' is ${nameOf(id)}`,
    );
  }
  if (typeof input.toHexString === 'function') {
    return checkBytes(Buffer.from(input.toHexString(), 'hex'));
  }
  if (typeof id !== 'string') return checkBytes(id);
  if (!isHexId(id)) throw refuseHex(id);
  return Buffer.from(id, 'hex');
}

/** Whether a value is accepted by the constructors. @type {(value: any) => boolean} */
export function isIdInput(value) {
  if (value == null) return false;
  if (typeof value === 'string') return isHexId(value);
  try {
    readInput(value);
    return true;
  } catch {
    return false;
  }
}

/**
 * The input of `createFromHexString`, for the constructor.
 * @type {(text: any) => string | Uint8Array} hex text or bytes
 * @throws {BSONError}
 */
export function readHexText(text) {
  if (text?.length !== HEX_LENGTH) throw refuseHex(text);
  if (typeof text === 'string' && isHexId(text)) return text;
  // Node accepts other characters as hex, such as those whose low byte is a digit.
  return checkBytes(Buffer.from(text, 'hex'));
}

/**
 * The bytes of the input of `createFromBase64`.
 * @type {(text: any) => Uint8Array}
 * @throws {BSONError}
 */
export function readBase64Text(text) {
  if (text?.length !== BASE64_LENGTH) {
    throw new BSONError(`an ObjectId in base64 has 16 characters, found ${nameOf(text)}`);
  }
  return checkBytes(Buffer.from(text, 'base64'));
}

/**
 * A view of 12 bytes of any type as bytes.
 * @type {(view: any) => Uint8Array} the same memory
 * @throws {BSONError} if it is not one
 */
export function checkBytes(view) {
  if (!ArrayBuffer.isView(view) || view.byteLength !== ID_BYTES) {
    throw new BSONError(
      `an ObjectId is made of 12 bytes, 24 hex digits or another ObjectId, found ${nameOf(view)}`,
    );
  }
  if (view instanceof Uint8Array) return view;
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

/** @type {(text: unknown) => BSONError} */
export function refuseHex(text) {
  return new BSONError(`an ObjectId as text has 24 hex digits, found ${nameOf(text)}`);
}

/** @type {(value: unknown) => string} */
function nameOf(value) {
  if (typeof value === 'string') return `a string of ${value.length} characters`;
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
  return value === null ? 'null' : typeof value;
}
