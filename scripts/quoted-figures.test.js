import { readFileSync } from 'node:fs';
import { QUOTES, takeFigures } from './quoted-figures.js';

/** @param {string} path */
function read(path) {
  return readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
}

test.each(QUOTES)('$page has the figures of $report', (quote) => {
  const page = read(quote.page);
  expect(takeFigures(page, quote)).toBe(page);
});

describe('a figure that differs from the report is replaced', () => {
  const report = 'reports/golden/mixed.full.txt';
  const markdown = 'reports/golden/mixed.markdown.txt';

  test('in a sentence that is broken into lines', () => {
    const says = 'on {a} of {n} cells, faster on {b}';
    expect(takeFigures('It is\non 7 of\n6 cells, faster on 6.', { page: '', report, says })).toBe(
      'It is\non 1 of\n6 cells, faster on 1.',
    );
  });

  test('in a table, which has the rows of the report', () => {
    const columns = ['corpus', 'ratio'];
    const keeps = (/** @type {string[]} */ [corpus]) => corpus === 'deep';
    const quote = { page: '', report: markdown, columns, keeps };
    expect(takeFigures('| corpus | ratio |\n| - | - |\n| deep | 2 |\n', quote)).toBe(
      '| corpus | ratio |\n| - | - |\n| deep | 0.992 |\n| deep | – |\n',
    );
  });

  test('in lines of a terminal', () => {
    const quote = { page: '', report, from: 'linked-list is', until: 'Both' };
    expect(takeFigures('So:\n\n    linked-list is faster.\n\n    Here.\n\nEnd.\n', quote)).toBe(
      `So:\n\n${read(report)
        .split('\n', 2)
        .map((line) => `    ${line}\n`)
        .join('')}\nEnd.\n`,
    );
  });

  test('words that neither has are named', () => {
    const says = 'on {a} of {n} planets';
    expect(() => takeFigures('on 1 of 2 planets', { page: 'a.md', report, says })).toThrow(
      `a.md or ${report} lacks`,
    );
  });
});
