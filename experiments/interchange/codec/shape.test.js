import { ObjectId } from 'bson';
import { describeMessages } from './messages.js';
import { deriveShape } from './shape.js';

/** @import { Shape } from './shape.js' */

/** @type {(shape: Shape) => unknown} without what is empty */
function sketch({ scalars, isNullable, fields, optional, items }) {
  return {
    ...(scalars.size === 0 ? {} : { scalars: [...scalars] }),
    ...(isNullable ? { isNullable } : {}),
    ...(fields === null
      ? {}
      : { fields: Object.fromEntries([...fields].map(([name, inner]) => [name, sketch(inner)])) }),
    ...(optional.size === 0 ? {} : { optional: [...optional] }),
    ...(items === null ? {} : { items: sketch(items) }),
  };
}

test.each([
  ['numbers of one kind', [1, -5], { scalars: ['int32'] }],
  ['the largest kind of number', [1, 2 ** 40, 0.5], { scalars: ['double'] }],
  ['integers beyond 32 bits', [1, 2 ** 31], { scalars: ['integer'] }],
  ['-0, which only a double has', [1, -0], { scalars: ['double'] }],
  ['integers that are no longer exact', [2 ** 53], { scalars: ['double'] }],
  ['several types', ['a', true, null], { scalars: ['string', 'boolean'], isNullable: true }],
  [
    'dates, ids and bytes',
    [new Date(1), new ObjectId(), Buffer.of(1)],
    {
      scalars: ['date', 'object-id', 'binary'],
    },
  ],
  [
    'fields that some lack',
    [{ a: 1, b: 'x' }, { b: 'y' }, { a: undefined, b: 'z' }],
    {
      fields: { a: { scalars: ['int32'] }, b: { scalars: ['string'] } },
      optional: ['a'],
    },
  ],
  [
    'arrays of all values together',
    [[1], [], ['x', null]],
    {
      items: { scalars: ['int32', 'string'], isNullable: true },
    },
  ],
  [
    'objects and arrays in one place',
    [{ a: 1 }, [2]],
    {
      fields: { a: { scalars: ['int32'] } },
      items: { scalars: ['int32'] },
    },
  ],
])('the shape of %s', (_, values, expected) => {
  expect(sketch(deriveShape(values))).toEqual(expected);
});

test.each([
  ['a BigInt', 1n],
  ['a Map', new Map()],
])('%s has no shape', (_, value) => {
  expect(() => deriveShape([{ value }])).toThrow(/no schema describes a value of the kind/);
});

test('a message for each object, with the fields in the order of the documents', () => {
  const { descriptor, slot } = describeMessages(
    deriveShape([{ name: 'x', inner: { n: 1 }, list: [1, null] }]),
  );
  expect(slot.toWire).not.toBeNull();
  expect(descriptor.nested[slot.type].fields).toEqual({
    name: { type: 'string', id: 1 },
    inner: { type: 'M2', id: 2 },
    list: { type: 'M3', rule: 'repeated', id: 3 },
  });
  expect(descriptor.nested.M3).toMatchObject({
    fields: { number: { type: 'int32', id: 1 } },
    oneofs: { kind: { oneof: ['number'] } },
  });
});

test('documents that need no conversion are written as they are', () => {
  const { slot } = describeMessages(deriveShape([{ name: 'x', list: [1], inner: { n: null } }]));
  expect(slot).toMatchObject({ toWire: null, fromWire: null });
});

test('conversions return what they were given', () => {
  const document = {
    at: new Date(-1),
    id: new ObjectId('0123456789abcdef01234567'),
    mixed: [1, 'x', null, [new Date(5)], { at: new Date(7) }],
  };
  const { toWire, fromWire } = describeMessages(deriveShape([document])).slot;
  expect(fromWire?.(toWire?.(document))).toEqual(document);
  expect(toWire?.(document).at).toEqual({ seconds: -1, nanos: 999_000_000 });
});
