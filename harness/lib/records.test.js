import { omitUndefined } from './records.js';

test('omitUndefined leaves out what is undefined and keeps the order of the rest', () => {
  const record = omitUndefined({ last: 0, none: undefined, first: null });
  expect(Object.entries(record)).toEqual([
    ['last', 0],
    ['first', null],
  ]);
});
