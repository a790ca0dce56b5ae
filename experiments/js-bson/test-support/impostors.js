/** Codecs that look fast without being fast, for the tests of what stops them. Otherwise they are npm `bson`. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as bson from 'bson';
import {
  rememberDocuments,
  rememberInput,
  reuseOutput,
  shareResults,
} from '../contract/test-support/broken-codecs.js';

/** @import { Functions } from '../contract/test-support/broken-codecs.js' */

const { calculateObjectSize, deserialize, serialize } = bson;

export * from 'bson';

/** @typedef {() => Partial<Functions>} Impostor */

/** Their functions, by what they do. @type {Record<string, Impostor>} */
const IMPOSTORS = {
  'remembers documents': () => rememberDocuments(bson),
  'remembers documents that it often sees': rememberFrequentDocuments,
  'remembers the last document': rememberLastDocument,
  'remembers input': () => rememberInput(bson),
  'remembers content': () => shareResults(bson),
  'remembers sizes of documents that it often sees': rememberFrequentSizes,
  'reuses its output': () => reuseOutput(bson),
  'reuses its output after a while': reuseSlab,
  'writes later': writeLater,
  'reads later': readLater,
  'reads on demand': readOnDemand,
  'reads on demand behind a proxy': readBehindProxy,
  'shares empty values': shareEmptyValues,
  'works only when checked': workWhenChecked,
};

export const NAMES = Object.keys(IMPOSTORS);

/**
 * @param {string} name one of `NAMES`
 * @returns {Functions}
 */
export function openImpostor(name) {
  return { serialize, deserialize, calculateObjectSize, ...IMPOSTORS[name]?.() };
}

/**
 * Writes a module that can be compared by its path.
 * @type {(directory: string, name: string) => string} path of the module
 */
export function writeImpostor(directory, name) {
  const path = join(directory, `${name.replaceAll(' ', '-')}.js`);
  const lines = [
    `import { openImpostor } from '${import.meta.url}';`,
    `export * from '${import.meta.url}';`,
    `const impostor = openImpostor('${name}');`,
    `export const { serialize, deserialize, calculateObjectSize } = impostor;`,
  ];
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

/** More calls than the contract makes with a document. */
const FREQUENT_CALLS = 6;

/** @type {Impostor} */
function rememberFrequentDocuments() {
  /** @type {WeakMap<object, { bytes: Uint8Array, calls: number }>} */
  const known = new WeakMap();
  return {
    serialize(document, options) {
      const { bytes, calls } = known.get(document) ?? { bytes: Buffer.alloc(0), calls: 0 };
      if (calls === FREQUENT_CALLS) return Buffer.from(bytes);
      const written = serialize(document, options);
      known.set(document, { bytes: written, calls: calls + 1 });
      return Buffer.from(written);
    },
  };
}

/** @type {Impostor} */
function rememberLastDocument() {
  /** @type {{ document: any, bytes: Uint8Array } | null} */
  let last = null;
  return {
    serialize(document, options) {
      if (last?.document !== document) last = { document, bytes: serialize(document, options) };
      return Buffer.from(/** @type {{ bytes: Uint8Array }} */ (last).bytes);
    },
  };
}

/** @type {Impostor} */
function rememberFrequentSizes() {
  /** @type {WeakMap<object, { size: number, calls: number }>} */
  const known = new WeakMap();
  return {
    calculateObjectSize(document) {
      const { size, calls } = known.get(document) ?? { size: 0, calls: 0 };
      if (calls === FREQUENT_CALLS) return size;
      const calculated = calculateObjectSize(document);
      known.set(document, { size: calculated, calls: calls + 1 });
      return calculated;
    },
  };
}

/** Saves an allocation per call: when its memory is full, it starts again from the beginning. @type {Impostor} */
function reuseSlab() {
  const slab = Buffer.alloc(2 ** 16);
  let end = 0;
  return {
    serialize(document, options) {
      const bytes = serialize(document, options);
      if (end + bytes.length > slab.length) end = 0;
      const start = end;
      end += bytes.length;
      slab.set(bytes, start);
      return slab.subarray(start, end);
    },
  };
}

/** Fills its result after the call. @type {Impostor} */
function writeLater() {
  return {
    serialize(document, options) {
      const bytes = serialize(document, options);
      const output = Buffer.alloc(bytes.length);
      queueMicrotask(function fill() {
        output.set(bytes);
      });
      return output;
    },
  };
}

/** Fills its result after the call. @type {Impostor} */
function readLater() {
  return {
    deserialize(bytes, options) {
      const value = deserialize(bytes, options);
      const document = {};
      queueMicrotask(function fill() {
        Object.assign(document, value);
      });
      return document;
    },
  };
}

/** Finds the keys and copies the bytes; each value is read when it is first needed. @type {Impostor} */
function readOnDemand() {
  return {
    deserialize(bytes, options) {
      const input = Buffer.from(bytes);
      const document = {};
      for (const key of Object.keys(deserialize(input, options))) {
        Object.defineProperty(document, key, {
          get: () => deserialize(input, options)[key],
          enumerable: true,
          configurable: true,
        });
      }
      return document;
    },
  };
}

/** @type {Impostor} */
function readBehindProxy() {
  return {
    deserialize(bytes, options) {
      return new Proxy(deserialize(bytes, options), {});
    },
  };
}

/** @type {Impostor} */
function shareEmptyValues() {
  const empty = { array: [], document: {} };
  return {
    deserialize(bytes, options) {
      const document = deserialize(bytes, options);
      for (const [key, value] of Object.entries(document)) {
        if (isDeepStrictEqual(value, [])) document[key] = empty.array;
        if (isDeepStrictEqual(value, {})) document[key] = empty.document;
      }
      return document;
    },
  };
}

/** Recognises timed calls by the stack and gives them the result of the first call. @type {Impostor} */
function workWhenChecked() {
  /** @type {Map<Function, any>} */
  const first = new Map();
  /** @type {(call: (...args: any[]) => any) => (...args: any[]) => any} */
  function openLazy(call) {
    return function callLazily(...args) {
      const isTimed = /\bObject\.run \(/.test(String(new Error().stack));
      if (!isTimed) return call(...args);
      if (!first.has(call)) first.set(call, call(...args));
      return first.get(call);
    };
  }
  return {
    serialize: openLazy(serialize),
    deserialize: openLazy(deserialize),
    calculateObjectSize: openLazy(calculateObjectSize),
  };
}
