import * as bson from 'bson';
import { describeValue } from '../../../harness/worker/describe-value.js';
import { Chance, randomDocument } from './documents.js';
import { isSameValue } from './same-value.js';

const { Binary, Code, DBRef, Decimal128, Double, Int32, Long, ObjectId, Timestamp, UUID } = bson;
const HEX = '0123456789abcdef01234567';
const OTHER_HEX = '0123456789abcdef01234568';

test.each([
  ['0 and -0', 0, -0],
  ['number and bigint', 1, 1n],
  ['number and text', 1, '1'],
  ['undefined and null', undefined, null],
  ['missing and undefined', {}, { a: undefined }],
  ['order of keys', { a: 1, b: 2 }, { b: 2, a: 1 }],
  ['array and object', ['a'], { 0: 'a' }],
  ['lengths', [undefined], []],
  ['document and null', {}, null],
  ['Int32 and number', new Int32(1), 1],
  ['Int32 and Double', new Int32(1), new Double(1)],
  ['Double of -0', new Double(0), new Double(-0)],
  ['Long, high bits', new Long(1, 0), new Long(1, 1)],
  ['Long, sign', new Long(1, 0, true), new Long(1, 0, false)],
  ['Long and Timestamp', new Long(1, 1), new Timestamp({ t: 1, i: 1 })],
  ['ObjectIds', new ObjectId(HEX), new ObjectId(OTHER_HEX)],
  ['ObjectId and its bytes', new ObjectId(HEX), Buffer.from(HEX, 'hex')],
  ['Binary, subtype', new Binary(Buffer.from('a'), 0), new Binary(Buffer.from('a'), 5)],
  ['Binary, bytes', new Binary(Buffer.from('a')), new Binary(Buffer.from('b'))],
  ['Buffer and Uint8Array', Buffer.from('a'), new Uint8Array([97])],
  ['UUID and Binary', new UUID('a'.repeat(32)), new Binary(Buffer.alloc(16, 0xaa), 4)],
  ['Code, scope', new Code('f', { a: 1 }), new Code('f', { a: 2 })],
  ['Code, no scope', new Code('f', {}), new Code('f')],
  ['DBRef, fields', makeDbRef({ a: 1 }), makeDbRef({ a: 2 })],
  ['DBRef and document', makeDbRef({}), { $ref: 'c', $id: new ObjectId(HEX) }],
  ['Decimal128', Decimal128.fromString('1'), Decimal128.fromString('1.0')],
  ['dates', new Date(1), new Date(2)],
  ['date and number', new Date(1), 1],
  ['flags', /a/i, /a/g],
  ['_bsontype in a document', { _bsontype: 'MinKey' }, new bson.MinKey()],
])('%s differ', (_label, a, b) => {
  expect(isSameValue({ a: [a] }, { a: [b] })).toBe(false);
  expect(isSameValue({ a: [b] }, { a: [a] })).toBe(false);
});

describe('random values', () => {
  const documents = Array.from({ length: 200 }, (_, seed) => writeRandom(seed)).filter(
    (bytes) => bytes !== null,
  );

  test('read twice from the same bytes are equal', () => {
    expect(documents.length).toBeGreaterThan(100);
    for (const bytes of documents) {
      for (const options of [{}, { promoteValues: false, bsonRegExp: true }, { raw: true }]) {
        const [a, b] = [bson.deserialize(bytes, options), bson.deserialize(bytes, options)];
        expect(isSameValue(a, b)).toBe(true);
      }
    }
  });

  test('differ if and only if their descriptions differ', () => {
    const values = documents.map((bytes) => bson.deserialize(bytes));
    const texts = values.map(describeValue);
    for (let at = 1; at < values.length; at++) {
      const isSame = texts[at] === texts[at - 1];
      expect(isSameValue(values[at], values[at - 1])).toBe(isSame);
    }
  });
});

test('ObjectIds are compared by their hex text, whatever their class', () => {
  class OtherId {
    get _bsontype() {
      return 'ObjectId';
    }
    toHexString() {
      return HEX;
    }
  }
  expect(isSameValue({ id: new ObjectId(HEX) }, { id: new OtherId() })).toBe(true);
  expect(isSameValue({ id: new ObjectId(OTHER_HEX) }, { id: new OtherId() })).toBe(false);
});

/** @param {Record<string, any>} fields */
function makeDbRef(fields) {
  return new DBRef('c', new ObjectId(HEX), undefined, fields);
}

/** @type {(seed: number) => Uint8Array | null} null if the document cannot be written and read */
function writeRandom(seed) {
  try {
    const bytes = bson.serialize(randomDocument(new Chance(seed + 1), 3));
    bson.deserialize(bytes);
    return bytes;
  } catch {
    return null;
  }
}
