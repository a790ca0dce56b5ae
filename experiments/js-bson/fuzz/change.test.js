import * as bson from 'bson';
import { CHANGE_NAMES, changeDocument } from './change.js';

const BYTES = bson.serialize({
  a: 1,
  in: { text: 'x', list: [1, { b: null }], code: new bson.Code('f', { c: 1 }) },
  z: new Date(5),
});

/** @param {number} seed */
function change(seed) {
  const document = bson.deserialize(BYTES);
  const name = changeDocument(document, seed);
  return { name, document };
}

test('every change occurs, and the same seed gives the same one', () => {
  const names = new Set();
  let written = 0;
  for (let seed = 0; seed < 500; seed++) {
    const [one, two] = [change(seed), change(seed)].map(({ name, document }) => {
      names.add(name);
      try {
        return Buffer.from(bson.serialize(document)).toString('hex');
      } catch (error) {
        return String(error);
      }
    });
    expect(one).toBe(two);
    if (one !== Buffer.from(BYTES).toString('hex')) written++;
  }
  expect([...names].sort()).toEqual([...CHANGE_NAMES].sort());
  expect(written).toBeGreaterThan(300);
});

test('a document without fields has no change', () => {
  expect(changeDocument({}, 1)).toBeNull();
  expect(changeDocument(new bson.DBRef('c', new bson.ObjectId()), 1)).toBeNull();
});
