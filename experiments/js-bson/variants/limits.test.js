import * as bson from 'bson';
import { describeLong } from '../../../harness/testing/support/gates.js';
import {
  assertSameOutcome,
  differsIn,
  loadVariants,
  outcomeOf,
} from '../codec/test-support/variants.js';

const loaded = await loadVariants({ again: true });
/** Without those that write with the functions of another variant, whose buffer would have grown before. */
const variants = loaded.filter(
  ([, { serialize }], index) =>
    loaded.findIndex(([, other]) => other.serialize === serialize) === index,
);

const LEVELS = 10_000;
/** More than any stack of the runtime holds, whether or not the code is optimized. */
const LEVELS_BEYOND_STACKS = 200_000;
const INTERNAL_BUFFER_BYTES = 17 * 1024 * 1024;

/** Objects, arrays, Maps and scopes in turn. @type {{ wrap: (inner: any) => any, unwrap: (outer: any) => any }[]} */
const NESTINGS = [
  { wrap: (inner) => ({ a: inner }), unwrap: (outer) => outer.a },
  { wrap: (inner) => ({ a: [inner] }), unwrap: (outer) => outer.a[0] },
  { wrap: (inner) => ({ a: new Map([['b', inner]]) }), unwrap: (outer) => outer.a.b },
  { wrap: (inner) => ({ a: new bson.Code('f', inner) }), unwrap: (outer) => outer.a.scope },
];

/** @type {(levels: number) => { document: any, bytes: Buffer }} */
function nest(levels) {
  let document = { leaf: 1 };
  for (let level = 0; level < levels; level++) {
    document = NESTINGS[level % NESTINGS.length].wrap(document);
  }
  return { document, bytes: Buffer.from(bson.serialize(document)) };
}

/** @type {(document: any) => any} the value `LEVELS` below */
function descend(document) {
  for (let level = LEVELS - 1; level >= 0; level--) {
    document = NESTINGS[level % NESTINGS.length].unwrap(document);
  }
  return document;
}

/** @type {(outcome: ReturnType<typeof outcomeOf>) => string} short, since a message cannot show nested values */
function nameOutcome(outcome) {
  return 'error' in outcome ? outcome.error.name : 'accepted';
}

const large = { bytes: Buffer.alloc(INTERNAL_BUFFER_BYTES, 7) };
const lastValueTooLong = {
  bytes: Buffer.alloc(INTERNAL_BUFFER_BYTES - 64),
  text: 'x'.repeat(200),
};
const ENLARGED = { minInternalBufferSize: INTERNAL_BUFFER_BYTES + 1024 };
/** What all variants share. @type {Uint8Array} */
let largeBytes;
/** @type {Map<number, ReturnType<typeof nest>>} by levels */
const nested = new Map();
beforeAll(() => {
  largeBytes = bson.serialize(large, /** @type {any} */ (ENLARGED));
});

describeLong.each(variants)('%s at its limits', (_name, variant) => {
  const usesCallStack = variant.variant.usesCallStack === true;

  test('documents nested 10 000 deep pass, or the call stack is declared', () => {
    const levels = usesCallStack ? LEVELS_BEYOND_STACKS : LEVELS;
    const { document, bytes } = nested.get(levels) ?? nest(levels);
    nested.set(levels, { document, bytes });
    const written = outcomeOf(() => variant.serialize(document));
    const read = outcomeOf(() => variant.deserialize(bytes));
    const expected = usesCallStack ? 'RangeError' : 'accepted';
    expect([written, read].map(nameOutcome)).toEqual([expected, expected]);
    if (!('value' in written && 'value' in read)) return;
    expect(bytes.equals(written.value)).toBe(true);
    expect(descend(read.value)).toEqual({ leaf: 1 });
  });

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
    expect(() => variant.serialize(large)).toThrow();
    expect(() => variant.serialize(lastValueTooLong)).toThrow(/minInternalBufferSize/);
    expect(differsIn(variant, /exceed the internal buffer/)).toBe(true);
    expect(variant.serialize(large, ENLARGED).equals(largeBytes)).toBe(true);
    expect(variant.serialize(lastValueTooLong)).toHaveLength(INTERNAL_BUFFER_BYTES - 64 + 228);
  });
});
