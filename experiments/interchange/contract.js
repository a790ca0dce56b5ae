import { isNativeError } from 'node:util/types';
import { ObjectId } from 'bson';
import { describeRoundTrip } from './codec/values.js';
import { describeValue } from '../../harness/worker/describe-value.js';

/** @import { FormatModule, Value } from './codec/types.ts' */
/** @import { Row } from '../support/contract.js' */

/** Values that every format carries as they are. */
const PLAIN = Object.freeze({ name: 'one', count: 7, list: [1, 2, 3], inner: { is: true } });
const OTHER = Object.freeze({ name: 'two', count: 8, list: [4, 5, 6], inner: { is: false } });
const SOME_ID = new ObjectId('0123456789abcdef01234567');

/**
 * What becomes of values, and of bytes that are no message. A format without a type breaks its row.
 * @type {import('../support/contract.js').Theme<[FormatModule]>[]}
 */
export const CONTRACT = [
  {
    title: 'Types',
    rows: [
      returnsAll('dates', 'a Date comes back as the same Date', [
        { at: new Date(1_234_567_890_123), before: new Date(-1) },
      ]),
      returnsAll('object-ids', 'an ObjectId comes back as the same ObjectId', [{ id: SOME_ID }]),
      returnsAll(
        'int64',
        'a BigInt of 64 bits comes back as the same integer, of whatever class',
        [{ large: 2n ** 53n + 1n }],
        ({ large }) => ({ large: String(large) }),
      ),
      returnsAll(
        'binary',
        'a Buffer comes back as the same bytes, of whatever class',
        [{ bytes: Buffer.of(0, 128, 255) }],
        ({ bytes }) => ({ bytes: showBytes(bytes) }),
      ),
      returnsAll('unset-fields', 'a field whose value is undefined comes back with that value', [
        { a: undefined },
      ]),
      returnsAll('maps', 'a Map comes back as the same Map', [{ map: new Map([['a', 1]]) }]),
    ],
  },
  {
    title: 'Numbers and text',
    rows: [
      returnsAll('safe-integers', 'whole numbers below 2^53 come back exactly', [
        { all: [0, 2 ** 31, -(2 ** 31) - 1, 2 ** 52 + 1, 2 ** 53 - 1, 1 - 2 ** 53] },
      ]),
      returnsAll('doubles', 'finite doubles come back exactly', [
        { all: [0.1, -1e-7, 5e-324, Number.MAX_VALUE, 2 ** 53 + 2] },
      ]),
      returnsAll('non-finite-numbers', 'numbers that are not finite come back as they were', [
        { all: [NaN, Infinity, -Infinity] },
      ]),
      returnsAll('negative-zero', '-0 comes back with its sign', [{ zero: -0 }]),
      returnsAll('text', 'text comes back with every character, NUL included', [
        { text: 'aé\0ß€漢😀"\\\u2028', empty: '' },
      ]),
      returnsAll('lone-surrogates', 'text with half of a surrogate pair comes back', [
        { text: 'a\ud800b' },
      ]),
    ],
  },
  {
    title: 'Documents',
    rows: [
      returnsAll('missing-fields', 'a missing field comes back as missing, and null as null', [
        { a: 1, b: 1 },
        { a: null, b: 1 },
        { b: 1 },
      ]),
      returnsAll('empty-arrays', 'an empty array comes back as one', [
        { list: [] },
        { list: [1] },
        {},
      ]),
      returnsAll('mixed-arrays', 'arrays may have nulls, arrays and objects', [
        { all: [1, null, 'a', [[2], []], { b: true }] },
      ]),
      returnsAll('mixed-fields', 'a field may have values of several types', [
        { a: 1 },
        { a: 'text' },
        { a: true },
        { a: [1] },
        { a: { b: 1 } },
      ]),
      returnsAll('key-order', 'fields come back in the order of each document', [
        { a: 1, b: 2 },
        { b: 1, a: 2 },
      ]),
      returnsAll('all-keys', 'every text without NUL can be a key', [
        { '': 1, 'a.b': 2, $c: 3, ключ: 4, 0: 5 },
      ]),
      returnsAll('proto-key', '__proto__ can be a key', [JSON.parse('{"__proto__":1,"a":2}')]),
      returnsAll('plain-objects', 'objects come back as plain objects', [PLAIN]),
    ],
  },
  {
    title: 'Messages',
    rows: [
      {
        name: 'kept-documents',
        promise: 'a document is not changed by writing it',
        check: checkKeptDocuments,
      },
      {
        name: 'kept-messages',
        promise: 'a message stays as it is when others are written',
        check: checkKeptMessages,
      },
      {
        name: 'kept-values',
        promise:
          'text, dates and ObjectIds that were read stay as they are when the message is overwritten',
        check: checkKeptValues,
      },
      {
        name: 'truncated-input',
        promise: 'every part of a message from its beginning is refused',
        check: checkTruncatedInput,
      },
      {
        name: 'trailing-bytes',
        promise: 'a message that is followed by another one is refused',
        check: checkTrailingBytes,
      },
      {
        name: 'changed-bytes',
        promise: 'a message with a changed byte is read as something, or refused with an Error',
        check: checkChangedBytes,
      },
    ],
  },
];

/**
 * A row that holds if documents come back as they were, apart from what other rows are for.
 * @param {string} name
 * @param {string} promise
 * @param {Value[]} documents
 * @param {(document: Value) => Value} [unify] makes equal what the row permits to differ
 * @returns {Row<[FormatModule]>}
 */
function returnsAll(name, promise, documents, unify = (document) => document) {
  return {
    name,
    promise,
    check({ openFormat, variant: { breaks = {} } }) {
      const others = Object.fromEntries(Object.entries(breaks).filter(([row]) => row !== name));
      const { encode, decode } = openFormat(documents);
      for (const document of documents) {
        demandSame(unify(document), unify(decode(copyOf(encode(document)))), others);
      }
    },
  };
}

/** @param {Value} expected @param {Value} found @param {Record<string, string>} breaks */
function demandSame(expected, found, breaks) {
  const after = describeRoundTrip(expected, found, breaks).toString();
  if (after === describeValue(expected)) return;
  throw new Error(`${summarize(describeValue(expected))} came back as ${summarize(after)}`);
}

/** @type {(description: string) => string} */
function summarize(description) {
  return description.split('\n').slice(1, 4).join(', ').replaceAll('\t', ' ');
}

/** @type {(bytes: unknown) => string} */
function showBytes(bytes) {
  return ArrayBuffer.isView(bytes)
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
    : String(Reflect.get(Object(bytes), 'buffer')?.toString('hex'));
}

/** @type {(message: Uint8Array) => Buffer} */
function copyOf(message) {
  return Buffer.from(message);
}

/** @param {FormatModule} format */
function checkKeptDocuments({ openFormat }) {
  const document = structuredClone(PLAIN);
  openFormat([PLAIN]).encode(document);
  demandSame(PLAIN, document, {});
}

/** @param {FormatModule} format */
function checkKeptMessages({ openFormat }) {
  const { encode } = openFormat([PLAIN, OTHER]);
  const message = encode(PLAIN);
  const copy = copyOf(message);
  for (let count = 0; count < 1000; count++) encode(OTHER);
  if (Buffer.compare(copy, message) !== 0)
    throw new Error('the bytes of an earlier message have changed');
}

/** @param {FormatModule} format */
function checkKeptValues({ openFormat }) {
  const document = { ...PLAIN, id: SOME_ID, at: new Date(5) };
  const { encode, decode } = openFormat([document]);
  const message = copyOf(encode(document));
  const read = decode(message);
  const before = describeValue(read);
  message.fill(0x7f);
  if (describeValue(read) !== before) throw new Error('the document changed with its message');
}

/** @param {FormatModule} format */
function checkTruncatedInput({ openFormat }) {
  const { encode, decode } = openFormat([PLAIN]);
  const message = copyOf(encode(PLAIN));
  for (let length = 0; length < message.length; length++) {
    if (isAccepted(() => decode(copyOf(message.subarray(0, length))))) {
      throw new Error(`the first ${length} of ${message.length} bytes are accepted`);
    }
  }
}

/** @param {FormatModule} format */
function checkTrailingBytes({ openFormat }) {
  const { encode, decode } = openFormat([PLAIN]);
  const message = encode(PLAIN);
  if (isAccepted(() => decode(Buffer.concat([message, message])))) {
    throw new Error('two messages are accepted as one');
  }
}

/** @param {FormatModule} format */
function checkChangedBytes({ openFormat }) {
  const { encode, decode } = openFormat([PLAIN]);
  const message = copyOf(encode(PLAIN));
  for (let offset = 0; offset < message.length; offset++) {
    for (const change of CHANGES) {
      const changed = copyOf(message);
      changed[offset] ^= change;
      const thrown = findThrown(() => decode(changed));
      if (thrown !== null && !isNativeError(thrown)) {
        throw new Error(`byte ${offset} changed: threw ${String(thrown)}, which is no Error`);
      }
    }
  }
}

/** Bits that are changed in every byte of a message. */
const CHANGES = [0x01, 0x10, 0x80, 0xff];

/** @type {(read: () => unknown) => unknown} null if nothing is thrown */
function findThrown(read) {
  try {
    read();
    return null;
  } catch (error) {
    return error;
  }
}

/** @type {(read: () => unknown) => boolean} */
function isAccepted(read) {
  return findThrown(read) === null;
}
