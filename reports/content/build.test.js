import { tabulateIntervals } from './build.js';

const ratio = { estimate: 1.1, low: 1, high: 1.21 };

test.each([
  ['the title, where all have the same', [0.02, 0.02], /^98\s% interval$/, [/1\.21/, /1\.21/]],
  ['each row otherwise', [0.02, 0.05], /^interval$/, [/1\.21.* \(98\s%\)/, /1\.21.* \(95\s%\)/]],
  ['none where it holds no level', [null, 0.05], /^interval$/, [/1\.21\d*$/, /\(95\s%\)/]],
  ['none where none holds one', [null], /^interval$/, [/1\.21\d*$/]],
])('the level of intervals stands in %s', (_where, alphas, title, cells) => {
  const table = tabulateIntervals(alphas.map((alpha) => ({ ratio, alpha })));
  expect(table.column.title).toMatch(title);
  expect(table.cells).toEqual(cells.map((cell) => expect.stringMatching(cell)));
});
