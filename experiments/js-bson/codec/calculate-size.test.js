import * as bson from 'bson';
import vm from 'node:vm';
import { calculateObjectSize } from './calculate-size.js';
import { assertSameOutcome, outcomeOf } from './test-support/variants.js';
import { Chance, randomDocument } from '../fuzz/documents.js';

const OPTION_SETS = [
  undefined,
  {},
  { ignoreUndefined: false },
  { ignoreUndefined: true },
  { serializeFunctions: true },
  { serializeFunctions: true, ignoreUndefined: false },
  { serializeFunctions: 1, ignoreUndefined: 0 },
];

/** @param {any} document @param {any} options @param {string} label */
function compare(document, options, label) {
  const ours = outcomeOf(() => calculateObjectSize(document, options));
  assertSameOutcome(
    ours,
    outcomeOf(() => bson.calculateObjectSize(document, options)),
    `${label} ${JSON.stringify(options)}`,
  );
  return ours;
}

describe('calculateObjectSize counts like bson', () => {
  test('random documents of all types under all options', () => {
    let accepted = 0;
    for (let seed = 1; seed <= 100; seed++) {
      const document = randomDocument(new Chance(seed), 4);
      for (const options of OPTION_SETS) {
        if ('value' in compare(document, options, `seed ${seed}`)) accepted++;
      }
    }
    expect(accepted).toBeGreaterThan(330);
  });

  test.each([
    ['null', null],
    ['undefined', undefined],
    ['array', [1, undefined, 'a']],
    ['text', 'text'],
    ['number', 5],
    ['date', new Date(0)],
    ['bytes', Buffer.from('ab')],
    ['BSON value', new bson.Long(1)],
    ['Map', new Map([['a', 1]])],
    ['object without prototype', Object.assign(Object.create(null), { a: 1 })],
    ['toBSON that returns an object', { toBSON: () => ({ a: 1 }) }],
    ['toBSON that returns a number', { toBSON: () => 5 }],
    ['toBSON that returns null', { toBSON: () => null }],
    ['toBSON that returns an array', { toBSON: () => ['a', undefined] }],
  ])('%s as the whole document', (label, document) => {
    for (const options of OPTION_SETS) compare(document, options, label);
  });

  test.each([
    ['Map', new Map([['key', 'value']])],
    ['Int32', new bson.Int32(5)],
    ['BSONSymbol', new bson.BSONSymbol('symbol')],
    ['code with an empty scope', new bson.Code('f', {})],
    ['minus zero', -0],
    ['typed array', new Float64Array(3)],
    ['data view', new DataView(new ArrayBuffer(7))],
    ['shared bytes', new SharedArrayBuffer(9)],
    ['other flags of a pattern', /a/dgimsuy],
    [
      'DBRef whose fields name a database',
      new bson.DBRef('c', new bson.ObjectId(), 'db', { $db: 'longer' }),
    ],
  ])('%s, whose counted size differs from the written one or is easily wrong', (label, value) => {
    for (const options of OPTION_SETS) compare({ value, list: [value] }, options, label);
  });

  test('values of another realm', () => {
    const document = vm.runInNewContext(
      `({ d: new Date(7), r: /a/gi, u: new Uint8Array(5), b: new ArrayBuffer(3), a: [1], m: new Map() })`,
    );
    expect('value' in compare(document, {}, 'other realm')).toBe(true);
  });

  test('value classes of another major version are rejected', () => {
    const foreign = { a: { _bsontype: 'Int32', value: 1 } };
    const outcome = compare(foreign, {}, 'other version');
    expect(outcome).toMatchObject({ error: { name: 'BSONVersionError' } });
  });

  test('toBSON is called as often and in the same order', () => {
    /** @type {(calculate: (document: any) => number) => string[]} */
    const logCalls = (calculate) => {
      /** @type {string[]} */
      const calls = [];
      const make = (/** @type {string} */ name, /** @type {any} */ fields) => ({
        ...fields,
        toBSON() {
          calls.push(name);
          return this;
        },
      });
      const first = make('first', { inner: make('inner', { x: 1 }) });
      calculate(make('root', { first, list: [make('item', {})], last: make('last', {}) }));
      return calls;
    };
    expect(logCalls(calculateObjectSize)).toEqual(logCalls(bson.calculateObjectSize));
  });

  test('10 000 nested documents', () => {
    /** @type {any} */
    let document = {};
    for (let level = 0; level < 10_000; level++)
      document = level % 2 ? [document] : { a: document };
    expect('value' in compare(document, {}, 'nested')).toBe(true);
  });
});

test('the size of common values is that of their bytes', () => {
  const document = {
    text: 'é漢😀',
    numbers: [0, 1.5, 2 ** 31, -(2 ** 31), NaN],
    dates: [new Date(0)],
    nested: { id: new bson.ObjectId(), code: new bson.Code('f', { a: 1 }), none: null },
    bytes: new bson.Binary(Buffer.from('old'), bson.Binary.SUBTYPE_BYTE_ARRAY),
  };
  expect(calculateObjectSize(document)).toBe(bson.serialize(document).length);
});

test('a cyclic document is rejected, a shared one is not', () => {
  /** @type {Record<string, any>} */
  const self = { a: 1 };
  self['list'] = [{ self }];
  expect(() => calculateObjectSize(self)).toThrow(bson.BSONError);
  const shared = { x: 1 };
  compare({ one: shared, two: [shared, shared], code: new bson.Code('f', shared) }, {}, 'shared');
});
