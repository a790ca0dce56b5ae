/// <reference lib="dom" />
/**
 * What measured code and the worker use of Node's modules, in a page: every `node:` specifier is this module. A
 * function that a page cannot have is missing, so that a module which imports it does not load.
 */

import { ask, askJson } from './ask.js';
import { locate, requireModule, resolveModule } from './require.js';

/** @import { Stats } from 'node:fs' */

// As with a bundler for browsers, which puts the npm package in the place of Node's class.
export const { Buffer } = requireModule('buffer', import.meta.url);

// fs

/** @typedef {string | URL} Path */

/** Open files, whole, by descriptor. @type {Map<number, { bytes: Uint8Array, at: number, path: string, isNew: boolean }>} */
const files = new Map();
/** After those of the standard streams. */
let nextDescriptor = 3;

/** @param {Path} path */
function nameFile(path) {
  return path instanceof URL ? fileURLToPath(path) : path;
}

/** @param {Path} path @param {string | { encoding?: string }} [options] */
export function readFileSync(path, options) {
  const bytes = ask('read', nameFile(path));
  const encoding = typeof options === 'object' ? options.encoding : options;
  const buffer = Buffer.from(bytes.buffer);
  return encoding === undefined ? buffer : buffer.toString(encoding);
}

/** @param {Path} path @param {string | Uint8Array} content */
export function writeFileSync(path, content) {
  ask('write', nameFile(path), Uint8Array.from(Buffer.from(content)));
}

/** @param {Path} path */
export function existsSync(path) {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/**
 * @param {Path} path
 * @param {{ throwIfNoEntry?: boolean }} [options]
 * @returns {Pick<Stats, 'size' | 'isFile' | 'isDirectory'> | undefined}
 */
export function statSync(path, { throwIfNoEntry = true } = {}) {
  const found = askJson('stat', nameFile(path));
  if (found === null && throwIfNoEntry) {
    throw Object.assign(new Error(`ENOENT: no such file '${path}'`), { code: 'ENOENT' });
  }
  if (found === null) return undefined;
  return {
    size: found.size,
    isFile: () => found.kind === 'file',
    isDirectory: () => found.kind === 'directory',
  };
}

/** @param {Path} path @returns {string[]} */
export function readdirSync(path) {
  return askJson('list', nameFile(path));
}

/** @param {string} path @param {string} [flags] */
export function openSync(path, flags = 'r') {
  const descriptor = nextDescriptor++;
  const bytes = flags === 'r' ? ask('read', path) : new Uint8Array();
  files.set(descriptor, { bytes, at: 0, path, isNew: flags !== 'r' });
  return descriptor;
}

/** @param {number} descriptor */
export function fstatSync(descriptor) {
  return { size: findOpen(descriptor).bytes.length };
}

/**
 * @param {number} descriptor
 * @param {Uint8Array} target
 * @param {number} [offset]
 * @param {number} [length]
 * @param {number | null} [position]
 */
export function readSync(
  descriptor,
  target,
  offset = 0,
  length = target.length - offset,
  position = null,
) {
  const file = findOpen(descriptor);
  const start = position ?? file.at;
  const part = file.bytes.subarray(start, start + length);
  target.set(part, offset);
  if (position === null) file.at += part.length;
  return part.length;
}

/** @param {number} descriptor @param {string} text */
export function writeSync(descriptor, text) {
  writeFileSync(findOpen(descriptor).path, text);
}

/** @param {number} descriptor */
export function closeSync(descriptor) {
  files.delete(descriptor);
}

/** @param {number} descriptor */
function findOpen(descriptor) {
  const file = files.get(descriptor);
  if (file === undefined) throw new Error(`EBADF: bad file descriptor ${descriptor}`);
  return file;
}

// path

export const sep = '/';

/** @param {...string} parts */
export function join(...parts) {
  const isAbsolute = parts[0].startsWith('/');
  const path = new URL(parts.map(encodeURIComponent).join('/').replaceAll('%2F', '/'), 'x:///');
  const text = decodeURIComponent(path.pathname).replaceAll(/\/{2,}/g, '/');
  return isAbsolute ? text : text.slice(1);
}

/** @param {string} path */
export function dirname(path) {
  const end = path.lastIndexOf('/');
  return end === -1 ? '.' : path.slice(0, end) || '/';
}

/** @param {string} path */
export function basename(path) {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** @param {string} path */
export function extname(path) {
  return /[^/](\.[^./]*)$/.exec(path)?.[1] ?? '';
}

// url

export { locate as pathToFileURL };

/** @param {string | URL} url */
export function fileURLToPath(url) {
  return decodeURIComponent(new URL(url).pathname);
}

// module

/** @param {string | URL} from */
export function createRequire(from) {
  const base = from instanceof URL ? from.href : locate(from).href;
  /** @param {string} specifier */
  const require = (specifier) => requireModule(specifier, base);
  return Object.assign(require, {
    /** @param {string} specifier */
    resolve: (specifier) => resolveModule(specifier, base),
  });
}

// crypto

/** @param {string} algorithm */
export function createHash(algorithm) {
  /** @type {Uint8Array[]} */
  const parts = [];
  const hash = {
    /** @param {string | Uint8Array} part */
    update(part) {
      parts.push(Buffer.from(part));
      return hash;
    },
    /** @param {string} encoding */
    digest(encoding) {
      const bytes = ask('digest', algorithm, Uint8Array.from(Buffer.concat(parts)));
      return Buffer.from(bytes.buffer).toString(encoding);
    },
  };
  return hash;
}

/** @param {number} size */
export function randomBytes(size) {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(size)));
}

/** @param {number} limit */
export function randomInt(limit) {
  return Math.floor((crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32) * limit);
}

// timers/promises

/** Resolves when the event loop has turned. */
export function setImmediate() {
  const { port1, port2 } = new MessageChannel();
  return /** @type {Promise<void>} */ (
    new Promise((resolve) => {
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    })
  );
}

// v8, module

/** Flags of V8 cannot change in a page. */
export default { setFlagsFromString() {} };
export const syncBuiltinESMExports = () => {};

// zlib

/** @param {string} name */
const makeCompressor =
  (name) =>
  /** @param {Uint8Array} bytes */
  (bytes) =>
    ask('compress', name, Uint8Array.from(bytes));
export const gzipSync = makeCompressor('gzipSync');
export const brotliCompressSync = makeCompressor('brotliCompressSync');
export const zstdCompressSync = askJson('canCompress', 'zstdCompressSync')
  ? makeCompressor('zstdCompressSync')
  : undefined;

// util

/** @param {object} prototype @param {string} name of a method or accessor that only instances have */
function hasBrand(prototype, name) {
  const { get, value } = /** @type {PropertyDescriptor} */ (
    Object.getOwnPropertyDescriptor(prototype, name)
  );
  return (/** @type {unknown} */ candidate) => {
    try {
      (get ?? value).call(candidate);
      return typeof candidate === 'object' && candidate !== prototype;
    } catch {
      return false;
    }
  };
}

const BOXES = [String, Number, Boolean, BigInt, Symbol].map(({ prototype }) =>
  hasBrand(prototype, 'valueOf'),
);
const isArrayBuffer = hasBrand(ArrayBuffer.prototype, 'byteLength');
const isSharedArrayBuffer = hasBrand(SharedArrayBuffer.prototype, 'byteLength');
const TypedArray = Object.getPrototypeOf(Uint8Array);
const { get: nameTypedArray } = /** @type {PropertyDescriptor} */ (
  Object.getOwnPropertyDescriptor(TypedArray.prototype, Symbol.toStringTag)
);

export const isDate = hasBrand(Date.prototype, 'getTime');
export const isRegExp = hasBrand(RegExp.prototype, 'source');
export const isMap = hasBrand(Map.prototype, 'size');
export const isSet = hasBrand(Set.prototype, 'size');
/** @param {unknown} value */
export const isUint8Array = (value) => nameTypedArray?.call(value) === 'Uint8Array';
/** @param {unknown} value */
export const isNativeError = (value) => /** @type {any} */ (Error).isError(value);
export const types = {
  isDate,
  isRegExp,
  isMap,
  isSet,
  isUint8Array,
  isNativeError,
  /** @param {unknown} value */
  isAnyArrayBuffer: (value) => isArrayBuffer(value) || isSharedArrayBuffer(value),
  /** @param {unknown} value */
  isBoxedPrimitive: (value) => BOXES.some((isBoxed) => isBoxed(value)),
  // A page cannot tell.
  isProxy: () => false,
};

/** For messages. @param {unknown} value */
export const inspect = (value) => String(value);
/** Rows of a contract that compare with it are for Node alone. */
export const isDeepStrictEqual = undefined;
