import { Decimal128, Long, ObjectId } from 'bson';
import { describeValue } from '../../../harness/worker/describe-value.js';
import { describeRoundTrip, isCarried } from './values.js';

const ID = new ObjectId('0123456789abcdef01234567');
const AT = new Date(1_234_567_890_123);

class Row {
  a = 1;
}

/** @type {(sent: unknown, received: unknown, ...breaks: string[]) => boolean} */
function isSame(sent, received, ...breaks) {
  const declared = Object.fromEntries(breaks.map((row) => [row, 'a reason']));
  return describeRoundTrip(sent, received, declared).toString() === describeValue(sent);
}

describe('a round trip', () => {
  test.each([
    ['a date as text', { at: AT }, { at: AT.toISOString() }, 'dates'],
    ['an ObjectId as text', { id: ID }, { id: ID.toHexString() }, 'object-ids'],
    ['null as nothing', { a: null, b: [{ c: null }] }, { b: [{}] }, 'missing-fields'],
    ['nothing as null', { b: [{}] }, { a: null, b: [{ c: null }] }, 'missing-fields'],
    ['no array for an empty one', { a: [], b: 1 }, { b: 1 }, 'empty-arrays'],
    [
      'keys in another order',
      { a: 1, b: { c: 2, d: 3 } },
      { b: { d: 3, c: 2 }, a: 1 },
      'key-order',
    ],
    ['an instance of a class', { inner: { a: 1 } }, { inner: new Row() }, 'plain-objects'],
    ['-0 as 0', { list: [-0, 1] }, { list: [0, 1] }, 'negative-zero'],
    ['half of a pair as U+FFFD', { a: ['b\ud800'] }, { a: ['b\ufffd'] }, 'lone-surrogates'],
  ])('%s is the same only for a variant that declares it', (_, sent, received, row) => {
    expect(isSame(sent, received)).toBe(false);
    expect(isSame(sent, received, row)).toBe(true);
    const others = ['dates', 'object-ids', 'missing-fields', 'empty-arrays', 'key-order'];
    expect(isSame(sent, received, ...others.filter((other) => other !== row))).toBe(false);
  });

  test.each([
    ['another number', { a: 1 }, { a: 2 }],
    ['a number as text', { a: 1 }, { a: '1' }],
    ['another date', { a: AT }, { a: new Date(1).toISOString() }],
    ['another ObjectId', { a: ID }, { a: 'f'.repeat(24) }],
    ['a lost value', { a: 1, b: [1, 2] }, { a: 1, b: [1] }],
    ['a null in an array', { a: [null, 1] }, { a: [1] }],
    ['a value that is too much', { a: 1 }, { a: 1, b: 0 }],
  ])('%s is never the same', (_, sent, received) => {
    const all = ['dates', 'object-ids', 'missing-fields', 'empty-arrays', 'key-order'];
    expect(isSame(sent, received, ...all, 'plain-objects')).toBe(false);
  });

  test('neither value is changed', () => {
    const sent = { a: null, b: [], c: { e: 1, d: 2 } };
    const received = structuredClone(sent);
    isSame(sent, received, 'missing-fields', 'empty-arrays', 'key-order');
    expect(JSON.stringify([sent, received])).toBe(JSON.stringify([sent, sent]));
    expect(Object.keys(sent.c)).toEqual(['e', 'd']);
  });
});

test.each([
  ['plain values, dates and ObjectIds', { a: [1, 'x', true, null, { id: ID, at: AT }] }, true],
  ['NaN', { a: NaN }, false],
  ['a BigInt', { a: 1n }, false],
  ['bytes', { a: Buffer.of(1) }, false],
  ['undefined', { a: undefined }, false],
  ['a decimal', { a: [Decimal128.fromString('1.5')] }, false],
  ['a Long', { a: Long.fromNumber(1) }, false],
])('whether all formats carry %s', (_, value, expected) => {
  expect(isCarried(value)).toBe(expected);
});

test('a Long of a sample is permitted, because parsed documents have a number there', () => {
  expect(isCarried({ a: [Long.fromNumber(1)] }, ['Long'])).toBe(true);
});
