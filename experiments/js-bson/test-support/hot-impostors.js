/**
 * Codecs that look fast in a timed loop only: they behave for the first calls, and then rely on what the loop and the
 * contract do not change. Otherwise they are npm `bson`. What stops them: spot checks, decision 0027.
 */

import * as bson from 'bson';

export * from 'bson';

/** @typedef {(document: any, options?: any) => any} Serialize */
/** @typedef {(bytes: any, options?: any) => any} Deserialize */
/** @typedef {Record<string, any>} Codec exports of `bson`, some replaced */

const { deserialize, serialize } = bson;

/** More calls than the contract and the gate make with a document. */
const HOT = 8;

/** @type {(make: () => Serialize) => () => Codec} a codec with another `serialize` for frequent documents */
function writing(make) {
  return () => ({ serialize: whenHot(serialize, make()) });
}

/** @type {(make: () => Deserialize) => () => Codec} */
function reading(make) {
  return () => ({ deserialize: whenHot(deserialize, make()) });
}

/** @type {(call: Serialize, hot: Serialize) => Serialize} `hot` for what it has been called with often */
function whenHot(call, hot) {
  /** @type {WeakMap<object, number>} */
  const counts = new WeakMap();
  return function callOften(input, options) {
    const count = (counts.get(input) ?? 0) + 1;
    counts.set(input, count);
    return count < HOT || options !== undefined ? call(input, options) : hot(input);
  };
}

/** @type {(keyOf: (document: any) => unknown) => () => Serialize} remembers bytes by a key of the document */
function rememberBy(keyOf) {
  return function open() {
    const known = new Map();
    return function serializeByKey(document) {
      const key = keyOf(document);
      if (!known.has(key)) known.set(key, serialize(document));
      return Buffer.from(known.get(key));
    };
  };
}

/** @type {(value: any) => any[]} the values in a document, outer levels first */
function listLeaves(value) {
  /** @type {any[]} */
  const leaves = [];
  const open = [value];
  for (const holder of open) {
    for (const inner of Object.values(holder)) {
      (isHolder(inner) ? open : leaves).push(inner);
    }
  }
  return leaves;
}

/** @param {any} value */
function isHolder(value) {
  return Array.isArray(value) || Object.getPrototypeOf(value ?? 0) === Object.prototype;
}

/** The value that a loop varies is the first number or text. @param {any} document */
function findVaried(document) {
  return listLeaves(document).find((leaf) => typeof leaf === 'string' || typeof leaf === 'number');
}

/** Stands for a clock: pauses between calls so far. */
export const pauses = { count: 0 };

/** What they do. @type {Record<string, () => Codec>} */
export const HOT_IMPOSTORS = {
  'looks at the value that varies': writing(() => {
    /** @type {WeakMap<object, Map<unknown, Uint8Array>>} */
    const known = new WeakMap();
    return function serializeVaried(document) {
      const own = known.get(document) ?? new Map();
      known.set(document, own);
      const varied = findVaried(document);
      if (!own.has(varied)) own.set(varied, serialize(document));
      return Buffer.from(own.get(varied));
    };
  }),

  'looks at the first values': writing(
    rememberBy((document) => listLeaves(document).slice(0, 4).join()),
  ),

  'looks at half of the values': writing(
    rememberBy((document) =>
      listLeaves(document)
        .filter((_, index) => index % 2 === 0)
        .join(),
    ),
  ),

  'looks at text and numbers': writing(
    rememberBy((document) => {
      const leaves = listLeaves(document).filter((leaf) => typeof leaf !== 'object');
      return leaves.join();
    }),
  ),

  'looks at values, not at keys': writing(
    rememberBy((document) => JSON.stringify(listLeaves(document))),
  ),

  'knows documents by their keys': writing(
    rememberBy((document) => `${Object.keys(document)} ${findVaried(document)}`),
  ),

  'looks again after a pause': writing(() => {
    const open = rememberBy(findVaried);
    let remembered = open();
    let seen = 0;
    return function serializeInBursts(document) {
      if (pauses.count > seen) remembered = open();
      seen = pauses.count;
      return remembered(document);
    };
  }),

  'looks again every hundred calls': writing(() => {
    const open = rememberBy(findVaried);
    let remembered = open();
    let calls = 0;
    return function serializeForAWhile(document) {
      if (++calls % 100 === 0) remembered = open();
      return remembered(document);
    };
  }),

  'returns bytes that are made when they are read': writing(
    () => (document) =>
      Object.defineProperties(new Uint8Array(0), {
        length: { get: () => serialize(document).length },
        buffer: { get: () => serialize(document).buffer },
      }),
  ),

  'returns memory that another thread fills': writing(() => (document) => {
    const bytes = serialize(document);
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    return shared;
  }),

  'fills its bytes later': writing(() => (document) => {
    const bytes = serialize(document);
    const later = Buffer.alloc(bytes.length);
    queueMicrotask(() => later.set(bytes));
    return later;
  }),

  'has documents that notice changes': () => {
    let version = 0;
    /** @type {(value: any) => any} */
    const track = (value) =>
      !isHolder(value)
        ? value
        : new Proxy(value, {
            get: (target, key) => track(target[key]),
            set(target, key, inner) {
              version++;
              target[key] = inner;
              return true;
            },
          });
    const known = new WeakMap();
    return {
      EJSON: {
        ...bson.EJSON,
        parse: (/** @type {string} */ text) => track(bson.EJSON.parse(text)),
      },
      serialize(/** @type {any} */ document) {
        if (known.get(document)?.version !== version) {
          known.set(document, { version, bytes: serialize(document) });
        }
        return Buffer.from(known.get(document).bytes);
      },
    };
  },

  'reads behind a proxy': reading(() => (bytes) => new Proxy(deserialize(Buffer.from(bytes)), {})),

  'reads when it is asked': reading(() => (bytes) => {
    const input = Buffer.from(bytes);
    const document = {};
    for (const key of Object.keys(deserialize(input))) {
      Object.defineProperty(document, key, {
        get: () => deserialize(input)[key],
        enumerable: true,
        configurable: true,
      });
    }
    return document;
  }),

  'reads the values later': reading(() => (bytes) => {
    const document = deserialize(bytes);
    const later = Object.fromEntries(Object.keys(document).map((key) => [key, null]));
    queueMicrotask(() => Object.assign(later, document));
    return later;
  }),

  'reads only bytes that have varied': reading(() => {
    /** @type {WeakMap<Uint8Array, { input: Buffer, varied: Set<number> }>} */
    const known = new WeakMap();
    return function deserializeVaried(bytes) {
      const { input, varied } = known.get(bytes) ?? {
        input: Buffer.from(bytes),
        varied: new Set(),
      };
      known.set(bytes, { input, varied });
      // It has learnt enough after some calls.
      for (let at = 0; varied.size < 4 && at < bytes.length; at++) {
        if (bytes[at] !== input[at]) for (let near = -4; near < 5; near++) varied.add(at + near);
      }
      for (const at of varied) input[at] = bytes[at];
      return deserialize(input);
    };
  }),

  'knows input by its length and every fourth byte': reading(() => {
    /** @type {Map<string, any>} */
    const known = new Map();
    return function deserializeKnown(bytes) {
      const key = `${bytes.length} ${bytes.filter((/** @type {number} */ _, /** @type {number} */ at) => at % 4 === 0)}`;
      if (!known.has(key)) known.set(key, Buffer.from(bytes));
      return deserialize(known.get(key));
    };
  }),

  'shares what did not change between results': reading(() => {
    /** @type {Map<string, any>} */
    const known = new Map();
    return function deserializeShared(bytes) {
      const document = deserialize(bytes);
      for (const [key, value] of Object.entries(document)) {
        if (typeof value !== 'object' || value === null) continue;
        const text = `${key} ${bson.EJSON.stringify(value)}`;
        if (!known.has(text)) known.set(text, value);
        document[key] = known.get(text);
      }
      return document;
    };
  }),

  'freezes what it reads': reading(() => (bytes) => Object.freeze(deserialize(bytes))),

  'remembers sizes while the number of keys is the same': () => {
    const known = new Map();
    const { calculateObjectSize } = bson;
    return {
      calculateObjectSize: whenHot(calculateObjectSize, (document) => {
        const key = `${Object.keys(document)} ${String(findVaried(document)).length}`;
        if (!known.has(key)) known.set(key, calculateObjectSize(document));
        return known.get(key);
      }),
    };
  },
};
