import * as bson from 'bson';
import { indexDocument } from './pool.js';

/**
 * @param {Buffer} bytes
 * @param {number} number of the element
 * @returns {any} the document without it
 */
function readWithout(bytes, number) {
  const { start, end, around } = indexDocument(bytes).elements[number];
  const cut = Buffer.from(bytes);
  for (const offset of around) cut.writeInt32LE(cut.readInt32LE(offset) - (end - start), offset);
  return bson.deserialize(Buffer.concat([cut.subarray(0, start), cut.subarray(end)]));
}

test('removing an element and correcting the sizes around it gives a valid document', () => {
  const bytes = Buffer.from(
    bson.serialize({
      a: 1,
      in: { b: 'é', list: [1, { c: 2 }] },
      code: new bson.Code('f', { d: { e: 1 }, g: 2 }),
      z: null,
    }),
  );
  const whole = bson.deserialize(bytes);
  const { elements } = indexDocument(bytes);
  expect(elements).toHaveLength(12);
  const without = elements.map((_, number) => readWithout(bytes, number));
  expect(without[0]).toEqual({ in: whole.in, code: whole.code, z: null });
  expect(without[1]).toEqual({ a: 1, code: whole.code, z: null });
  expect(without[5].in).toEqual({ b: 'é', list: [1] });
  expect(without[6].in).toEqual({ b: 'é', list: [1, {}] });
  expect(without[8].code).toEqual(new bson.Code('f', { g: 2 }));
  expect(without[9].code).toEqual(new bson.Code('f', { d: {}, g: 2 }));
  expect(without[11]).toEqual({ a: 1, in: whole.in, code: whole.code });
});

test('lists every size, length and terminator', () => {
  const bytes = bson.serialize({ s: 'ab', d: {} });
  const { sizes, ends } = indexDocument(bytes);
  expect(sizes).toEqual([0, 7, 17]);
  expect(ends).toEqual([6, 13, 16, 21, 22]);
});

test.each(['', '05', '0500000000', '0600000002', 'ffffffff07'])(
  'gives only elements within the invalid bytes %s',
  (hex) => {
    const bytes = Buffer.from(hex, 'hex');
    const { elements } = indexDocument(bytes);
    for (const { start, end } of elements) {
      expect(start).toBeLessThan(bytes.length);
      expect(end).toBeGreaterThanOrEqual(start);
    }
  },
);
