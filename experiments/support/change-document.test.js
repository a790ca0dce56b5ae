import { ObjectId } from 'bson';
import { chooseChange } from './change-document.js';

/** Number of the maker that changes what a value consists of, among those of any change. */
const INSIDE = 2;

/** @type {(bound: number) => number} */
function pickInside(bound) {
  return bound === 7 ? INSIDE : bound - 1;
}

/** @type {(document: any) => import('./change-document.js').Change} a change inside its only value */
function chooseInside(document) {
  const change = chooseChange(document, (bound) => (bound === 1 ? 0 : pickInside(bound)));
  if (change === null) throw new Error('no change');
  return change;
}

describe.each([
  ['the time of v', () => new Date(1), () => new Date(2)],
  ['the bytes of v', () => new ObjectId('a'.repeat(24)), () => new ObjectId('b'.repeat(24))],
])('a change of %s', (what, make, makeOther) => {
  test('is seen and undone', () => {
    const document = { v: make() };
    const change = chooseInside(document);
    expect(change.what).toBe(what);
    const { v } = document;
    change.apply();
    expect(document.v).toBe(v);
    expect(document).not.toEqual({ v: make() });
    change.undo();
    expect(document).toEqual({ v: make() });
  });

  test('is seen where the loop has put another value in its place', () => {
    const document = { v: make() };
    const change = chooseInside(document);
    document.v = makeOther();
    change.apply();
    const changed = JSON.stringify(document);
    change.undo();
    expect(changed).not.toBe(JSON.stringify(document));
  });
});
