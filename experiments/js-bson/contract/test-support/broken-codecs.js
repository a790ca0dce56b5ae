/**
 * @typedef {object} Functions
 * @property {(document: any, options?: any) => Uint8Array} serialize
 * @property {(bytes: Uint8Array, options?: any) => any} deserialize
 * @property {(document: any) => number} calculateObjectSize
 */

/** @typedef {(bson: any) => Partial<Functions & { ObjectId: any }>} Break overrides of npm `bson` */

/** A codec for every row of the contract that breaks it. @type {Record<string, Break>} */
export const BROKEN_CODECS = {
  'deep-equality': addSerialNumber,
  'lodash-is-equal': addSerialNumber,
  'lodash-clone-deep': hideBytes,
  'structured-clone': addFunction,
  json: (bson) => withId(bson, { toJSON: () => 'an id' }),
  'util-inspect': (bson) =>
    withId(bson, { [Symbol.for('nodejs.util.inspect.custom')]: () => 'id' }),
  subclassing: refuseSubclasses,
  'class-identity': ({ ObjectId }) => ({ ObjectId: class extends ObjectId {} }),
  'input-aliasing': ({ deserialize }) => ({
    deserialize: (bytes, options) => deserialize(Buffer.from(bytes), options),
  }),
  'output-aliasing': reuseOutput,
  'id-aliasing': shareIdBytes,
  'map-non-string-keys': changeDocument((document) => textKeys(document)),
  cycles: changeDocument((document) => {
    if (document.held?.scope !== undefined)
      throw new RangeError('Maximum call stack size exceeded');
    return document;
  }),
  'to-bson': changeDocument((document) => document?.toBSON?.() ?? document),
  'check-keys': changeOptions((options) => ({ ...options, checkKeys: false })),
  'undefined-and-functions': changeOptions((options) => ({ ...options, ignoreUndefined: false })),
  'changed-documents': rememberDocuments,
  'changed-ids': rememberDocuments,
  'changed-input': rememberInput,
  'changed-options': rememberOptions,
  'changed-results': shareResults,
  'dbref-promotion': changeValue((value, { DBRef }) =>
    value.in instanceof DBRef ? { ...value, in: value.in.toJSON() } : value,
  ),
  'code-with-scope': changeValue((value, { Code }) =>
    value.c instanceof Code ? { ...value, c: new Code(value.c.code) } : value,
  ),
  raw: dropOptions('raw', 'fieldsAsRaw'),
  'promotion-options': dropOptions('promoteLongs'),
  'data-properties': changeValue(computeFields),
  'proto-key': changeValue((value) => Object.assign({}, value)),
  'constructor-key': changeValue((value) => {
    delete value.constructor;
    return value;
  }),
  'bson-type-documents': changeValue((value) => {
    if (Object.hasOwn(value, '_bsontype')) throw new Error('a BSON type');
    return value;
  }),
  'non-ascii-strings': changeValue((value) =>
    typeof value.value === 'string'
      ? { ...value, value: Buffer.from(value.value, 'latin1').toString('latin1') }
      : value,
  ),
  'lone-surrogates': changeDocument((document) =>
    typeof document.value === 'string'
      ? { ...document, value: document.value.replaceAll(/\p{Cs}/gu, '?') }
      : document,
  ),
  'extreme-numbers': changeValue((value) => (value.a === 0 ? { ...value, a: 0 } : value)),
  'maximum-depth': changeDocument((document) => {
    for (let inner = document, level = 0; inner?.in !== undefined; inner = inner.in, level++) {
      if (level > 0) throw new RangeError('Maximum call stack size exceeded');
    }
    return document;
  }),
  'reuse-after-error': failOnceMore,
};

/** @type {(change: (value: any, bson: any) => any) => Break} which changes the result of reading */
function changeValue(change) {
  return (bson) => ({
    deserialize: (bytes, options) => change(bson.deserialize(bytes, options), bson),
  });
}

/** @type {(change: (document: any) => any) => Break} which changes the document to write */
function changeDocument(change) {
  return ({ serialize }) => ({
    serialize: (document, options) => serialize(change(document), options),
  });
}

/** @type {(change: (options: object) => object) => Break} which changes the options of writing */
function changeOptions(change) {
  return ({ serialize }) => ({
    serialize: (document, options = {}) => serialize(document, change(options)),
  });
}

/** @type {(...names: string[]) => Break} which ignores these options of reading */
function dropOptions(...names) {
  return ({ deserialize }) => ({
    deserialize: (bytes, options = {}) =>
      deserialize(
        bytes,
        Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name))),
      ),
  });
}

/** bson with another class of ids. @type {(bson: any, OwnId: any) => ReturnType<Break>} */
function withClass({ ObjectId, deserialize }, OwnId) {
  return {
    ObjectId: OwnId,
    deserialize(bytes, options) {
      const value = deserialize(bytes, options);
      for (const [key, inner] of Object.entries(value)) {
        if (inner instanceof ObjectId) value[key] = new OwnId(inner);
      }
      return value;
    },
  };
}

/** bson whose ids have other members. @type {(bson: any, members: object) => ReturnType<Break>} */
function withId(bson, members) {
  class OwnId extends bson.ObjectId {}
  Object.assign(OwnId.prototype, members);
  return withClass(bson, OwnId);
}

/** @type {Break} */
function addSerialNumber(bson) {
  let made = 0;
  class NumberedId extends bson.ObjectId {
    /** @param {any} input */
    constructor(input) {
      super(input);
      this.number = made++;
    }
  }
  return withClass(bson, NumberedId);
}

/** @type {Break} */
function addFunction(bson) {
  class BusyId extends bson.ObjectId {
    run = () => this;
  }
  return withClass(bson, BusyId);
}

/** @type {Break} */
function hideBytes(bson) {
  class HiddenId extends bson.ObjectId {
    #hex;
    /** @param {any} input */
    constructor(input) {
      super(input);
      this.#hex = super.toHexString();
    }
    toHexString() {
      return this.#hex;
    }
  }
  return withClass(bson, HiddenId);
}

/** @type {Break} */
function refuseSubclasses({ ObjectId }) {
  /** @param {any} input */
  function FinalId(input) {
    return new ObjectId(input);
  }
  FinalId.prototype = ObjectId.prototype;
  return { ObjectId: FinalId };
}

/** @type {Break} */
export function reuseOutput({ serialize }) {
  const output = Buffer.alloc(2 ** 20);
  return {
    serialize(document, options) {
      const bytes = serialize(document, options);
      output.set(bytes);
      return output.subarray(0, bytes.length);
    },
  };
}

/** @type {Break} */
function shareIdBytes(bson) {
  const shared = Buffer.alloc(12);
  class SharingId extends bson.ObjectId {
    /** @param {any} input */
    constructor(input) {
      super(input);
      shared.set(super.id);
    }
    get id() {
      return shared;
    }
    set id(bytes) {
      super.id = bytes;
    }
    toHexString() {
      return shared.toString('hex');
    }
  }
  return withClass(bson, SharingId);
}

/** @type {(document: any) => any} with Map keys as text */
function textKeys(document) {
  if (!(document instanceof Map)) return document;
  return new Map([...document].map(([key, value]) => [String(key), value]));
}

/** @type {Break} */
function failOnceMore({ deserialize }) {
  let isBroken = false;
  return {
    deserialize(bytes, options) {
      if (isBroken) {
        isBroken = false;
        throw new Error('still busy');
      }
      isBroken = true;
      const value = deserialize(bytes, options);
      isBroken = false;
      return value;
    },
  };
}

/** Returns copies of the bytes that a document was first written as. @type {Break} */
export function rememberDocuments({ serialize }) {
  /** @type {WeakMap<object, Uint8Array>} */
  const known = new WeakMap();
  return {
    serialize(document, options) {
      const bytes = known.get(document) ?? serialize(document, options);
      known.set(document, bytes);
      return Buffer.from(bytes);
    },
  };
}

/** Reads what the input was when it was first read. @type {Break} */
export function rememberInput({ deserialize }) {
  /** @type {WeakMap<Uint8Array, Uint8Array>} */
  const known = new WeakMap();
  return {
    deserialize(bytes, options) {
      const first = known.get(bytes) ?? Buffer.from(bytes);
      known.set(bytes, first);
      return deserialize(first, options);
    },
  };
}

/** Keeps the options that a document was first written with. @type {Break} */
function rememberOptions({ serialize }) {
  const known = new WeakMap();
  return {
    serialize(document, options = {}) {
      if (!known.has(document)) known.set(document, options);
      return serialize(document, known.get(document));
    },
  };
}

/** Returns the same document for the same bytes. @type {Break} */
export function shareResults({ deserialize }) {
  /** @type {Map<string, object>} */
  const known = new Map();
  return {
    deserialize(bytes, options) {
      const key = Buffer.from(bytes).toString('hex') + JSON.stringify(options);
      const value = known.get(key) ?? deserialize(bytes, options);
      known.set(key, value);
      return value;
    },
  };
}

/** @type {(value: any) => any} the same document with getters */
function computeFields(value) {
  const fields = Object.entries(value).map(([key, field]) => [
    key,
    { get: () => field, enumerable: true, configurable: true },
  ]);
  return Object.defineProperties({}, Object.fromEntries(fields));
}
