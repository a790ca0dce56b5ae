import { Breach, demand, demandSame } from '../breach.js';

/** @import { Codec, Theme } from '../breach.js' */

const LEVELS = 10_000;

/** @type {{ wrap: (inner: any, codec: Codec) => any, unwrap: (outer: any) => any }[]} */
const NESTINGS = [
  { wrap: (inner) => ({ in: inner }), unwrap: (outer) => outer.in },
  { wrap: (inner) => [inner], unwrap: (outer) => outer[0] },
  { wrap: (inner, { Code }) => new Code('f', { inner }), unwrap: (outer) => outer.scope.inner },
];

/** Limits of a codec and its state after errors. @type {Theme} */
export const limits = {
  title: 'Limits and errors',
  rows: [
    {
      name: 'maximum-depth',
      promise: 'documents, arrays and scopes nested 10 000 deep are written and read',
      check: checkDepth,
    },
    {
      name: 'reuse-after-error',
      promise: 'after an error of the codec or the caller, the next document is correct',
      check: checkReuse,
    },
  ],
};

/** @param {Codec} codec */
function checkDepth(codec) {
  /** @type {any} */
  let document = { leaf: 1 };
  for (let level = 0; level < LEVELS; level++) document = NESTINGS[level % 3].wrap(document, codec);
  /** @type {any} */
  let found;
  try {
    found = codec.deserialize(codec.serialize({ in: document })).in;
  } catch (error) {
    throw new Breach(`${LEVELS} levels: ${String(error)}`);
  }
  for (let level = LEVELS - 1; level >= 0; level--) found = NESTINGS[level % 3].unwrap(found);
  demand(found.leaf === 1, `the value below ${LEVELS} levels differs`);
}

/** @param {Codec} codec @param {Codec} reference */
function checkReuse(codec, reference) {
  const document = {
    a: 'é',
    list: [1, { b: 2.5 }],
    in: { id: new codec.ObjectId('a'.repeat(24)) },
  };
  const bytes = Buffer.from(reference.serialize({ a: 'é', list: [1, { b: 2.5 }] }));
  for (const [label, call] of Object.entries(listFailures(codec, bytes))) {
    let isRefused = false;
    try {
      call();
    } catch {
      isRefused = true;
    }
    demand(isRefused, `${label} is not rejected`);
    demandSame(`read after ${label}`, codec, reference, (bson) => bson.deserialize(bytes));
    demandSame(`written after ${label}`, codec, reference, (bson) => bson.serialize(document));
  }
}

/**
 * @param {Codec} codec
 * @param {Buffer} bytes of a document
 * @returns {Record<string, () => unknown>} calls that must fail
 */
function listFailures({ serialize, deserialize, Code }, bytes) {
  /** @type {Record<string, any>} */
  const cycle = { in: { list: [] } };
  cycle['in'].list.push(new Code('f', cycle));
  const throwing = {
    a: 1,
    in: {
      get b() {
        return throwError();
      },
    },
  };
  return {
    'a truncated document': () => deserialize(bytes.subarray(0, 20)),
    'a truncated document with a correct size': () => deserialize(truncate(bytes, 24)),
    'text instead of bytes': () => deserialize('text'),
    'a cycle': () => serialize(cycle),
    'a toBSON that throws': () => serialize({ a: { list: [1, { toBSON: throwError }] } }),
    'a getter that throws': () => serialize(throwing),
    'a key with a NUL byte': () => serialize({ a: { list: [{ 'b\0': 1 }] } }),
    'a Map with a symbol for key': () => serialize({ a: new Map([[Symbol('key'), 1]]) }),
    checkKeys: () => serialize({ a: { list: [{ $b: 1 }] } }, { checkKeys: true }),
  };
}

/**
 * @param {Buffer} bytes
 * @param {number} sizeBytes
 * @returns {Buffer} the beginning, with a correct size and a terminator
 */
function truncate(bytes, sizeBytes) {
  const cut = Buffer.from(bytes.subarray(0, sizeBytes));
  cut.writeInt32LE(sizeBytes, 0);
  cut[sizeBytes - 1] = 0;
  return cut;
}

/** @returns {never} */
function throwError() {
  throw new Error('of the caller');
}
