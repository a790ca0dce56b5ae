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
/** More than any stack of the runtime holds, whether or not the code is optimized. */
const LEVELS_BEYOND_STACKS = 200_000;
const INTERNAL_BUFFER_BYTES = 17 * 1024 * 1024;

/** @type {[string, (inner: any) => any, (outer: any) => any][]} */
const NESTINGS = [
  ['objects', (inner) => ({ a: inner }), (outer) => outer.a],
  ['arrays', (inner) => ({ a: [inner] }), (outer) => outer.a[0]],
  ['Maps', (inner) => ({ a: new Map([['b', inner]]) }), (outer) => outer.a.b],
  ['scopes', (inner) => ({ a: new bson.Code('f', inner) }), (outer) => outer.a.scope],
];

/** @type {Map<string, { document: any, bytes: Buffer }>} */
const nested = new Map();

/**
 * A nested document and its bytes, made once for all variants.
 * @type {(kind: string, wrap: (inner: any) => any, levels: number) => { document: any, bytes: Buffer }}
 */
function nest(kind, wrap, levels) {
  const key = `${levels} ${kind}`;
  let made = nested.get(key);
  if (made === undefined) {
    let document = { leaf: 1 };
    for (let level = 0; level < levels; level++) document = wrap(document);
    made = { document, bytes: Buffer.from(bson.serialize(document)) };
    nested.set(key, made);
  }
  return made;
}

/** @type {(document: any, unwrap: (outer: any) => any) => any} the value `LEVELS` below */
function descend(document, unwrap) {
  for (let level = 0; level < LEVELS; level++) document = unwrap(document);
  return document;
}

/** @type {(outcome: ReturnType<typeof outcomeOf>) => string} short, since a message cannot show nested values */
function nameOutcome(outcome) {
  return 'error' in outcome ? outcome.error.name : 'accepted';
}

describeLong.each(variants)('%s at its limits', (_name, variant) => {
  const usesCallStack = variant.variant.usesCallStack === true;

  test.each(NESTINGS)(
    '10 000 nested %s pass, or the call stack is declared',
    (kind, wrap, unwrap) => {
      const { document, bytes } = nest(kind, wrap, usesCallStack ? LEVELS_BEYOND_STACKS : LEVELS);
      const written = outcomeOf(() => variant.serialize(document));
      const read = outcomeOf(() => variant.deserialize(bytes));
      const expected = usesCallStack ? 'RangeError' : 'accepted';
      expect([written, read].map(nameOutcome)).toEqual([expected, expected]);
      if (!('value' in written && 'value' in read)) return;
      expect(bytes.equals(written.value)).toBe(true);
      expect(descend(read.value, unwrap)).toEqual({ leaf: 1 });
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
