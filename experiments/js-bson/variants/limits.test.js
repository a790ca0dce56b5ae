import * as bson from 'bson';
import { describeLong } from '../../../harness/testing/support/gates.js';
import {
  assertSameOutcome,
  differsIn,
  loadVariants,
  outcomeOf,
} from '../codec/test-support/variants.js';

const variants = await loadVariants({ again: true });

const LEVELS = 10_000;
const INTERNAL_BUFFER_BYTES = 17 * 1024 * 1024;

/** @type {(wrap: (inner: any) => any) => any} a document nested `LEVELS` deep */
function nest(wrap) {
  let document = { leaf: 1 };
  for (let level = 0; level < LEVELS; level++) document = wrap(document);
  return document;
}

/** @type {(document: any, unwrap: (outer: any) => any) => any} the value `LEVELS` below */
function descend(document, unwrap) {
  for (let level = 0; level < LEVELS; level++) document = unwrap(document);
  return document;
}

/** @type {[string, (inner: any) => any, (outer: any) => any][]} */
const NESTINGS = [
  ['objects', (inner) => ({ a: inner }), (outer) => outer.a],
  ['arrays', (inner) => ({ a: [inner] }), (outer) => outer.a[0]],
  ['Maps', (inner) => ({ a: new Map([['b', inner]]) }), (outer) => outer.a.b],
  ['scopes', (inner) => ({ a: new bson.Code('f', inner) }), (outer) => outer.a.scope],
];

describeLong.each(variants)('%s at its limits', (_name, variant) => {
  const usesCallStack = variant.variant.usesCallStack === true;

  test.each(NESTINGS)(
    '10 000 nested %s pass, or the call stack is declared',
    (_kind, wrap, unwrap) => {
      const document = nest(wrap);
      const expected = Buffer.from(bson.serialize(document));
      const written = outcomeOf(() => variant.serialize(document));
      const read = outcomeOf(() => variant.deserialize(expected));
      if (usesCallStack) {
        expect([written, read]).toMatchObject([
          { error: { name: 'RangeError' } },
          { error: { name: 'RangeError' } },
        ]);
        return;
      }
      expect('value' in written && expected.equals(written.value)).toBe(true);
      expect('value' in read && descend(read.value, unwrap)).toEqual({ leaf: 1 });
    },
  );

  test('cyclic documents are rejected, shared ones are not', () => {
    /** @type {Record<string, any>} */
    const self = { a: 1 };
    const shared = { s: [self] };
    /** @type {Record<string, () => any>} */
    const holders = {
      object: () => self,
      array: () => [[self]],
      map: () => new Map([['m', self]]),
      toBSON: () => ({ toBSON: () => self }),
      scope: () => new bson.Code('f', self),
      reference: () => new bson.DBRef('c', new bson.ObjectId('a'.repeat(24)), 'd', { self }),
    };
    for (const [name, hold] of Object.entries(holders)) {
      self['held'] = hold();
      const ours = outcomeOf(() => variant.serialize(self));
      expect(ours).toMatchObject({ error: { name: 'BSONError' } });
      assertSameOutcome(
        ours,
        outcomeOf(() => bson.serialize(self)),
        name,
      );
    }
    delete self['held'];
    const twice = {
      one: shared,
      two: shared,
      list: [shared, shared],
      code: new bson.Code('f', shared),
    };
    expect(variant.serialize(twice).equals(bson.serialize(twice))).toBe(true);
  });

  test('a toBSON or getter can change a later sibling, unless the variant declares otherwise', () => {
    const make = () => ({
      get first() {
        this.second = 'changed';
        return 1;
      },
      second: 'original',
    });
    const [ours, theirs] = [variant.serialize(make()), Buffer.from(bson.serialize(make()))];
    const makeByToBson = () => {
      /** @type {Record<string, any>} */
      const document = { first: { toBSON: () => (document['second'] = 'changed') } };
      document['second'] = 'original';
      return document;
    };
    const isSame =
      variant.serialize(makeByToBson()).equals(bson.serialize(makeByToBson())) &&
      ours.equals(theirs);
    expect(isSame).toBe(!differsIn(variant, /read before/));
  });

  test('a document larger than the internal buffer is rejected unless the buffer may grow', () => {
    const large = { bytes: Buffer.alloc(INTERNAL_BUFFER_BYTES, 7) };
    const lastValueTooLong = {
      bytes: Buffer.alloc(INTERNAL_BUFFER_BYTES - 64),
      text: 'x'.repeat(200),
    };
    expect(() => variant.serialize(large)).toThrow();
    expect(() => variant.serialize(lastValueTooLong)).toThrow(/minInternalBufferSize/);
    expect(differsIn(variant, /exceed the internal buffer/)).toBe(true);
    const options = { minInternalBufferSize: INTERNAL_BUFFER_BYTES + 1024 };
    const written = variant.serialize(large, options);
    expect(written.equals(bson.serialize(large, /** @type {any} */ (options)))).toBe(true);
    expect(variant.serialize(lastValueTooLong)).toHaveLength(INTERNAL_BUFFER_BYTES - 64 + 228);
  });
});
