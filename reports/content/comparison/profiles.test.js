import { parseHTML } from 'linkedom';
import { writeSection } from '../../document/html.js';
import {
  makeCellProfiles,
  makeLargeView,
  NAMES,
} from '../../figures/test-support/flame-fixtures.js';
import { showProfiles } from './profiles.js';

/** @import { CellProfiles } from '../../../harness/formats/profile-types.ts' */

/** @param {CellProfiles} profiles @param {{ nodes: number, lines: number }} [detail] */
function openPage(profiles, detail = { nodes: 100, lines: 2 }) {
  const blocks = showProfiles(profiles, NAMES, detail);
  const html = String(writeSection({ id: 'cells', title: 'Cells', blocks }));
  return parseHTML(`<html><body>${html}</body></html>`).document;
}

/** @param {Document} document of a page without scripts */
function readFallback(document) {
  const inner = document.querySelector('noscript')?.innerHTML;
  const rows = parseHTML(`<html><body>${inner}</body></html>`).document.querySelectorAll(
    'tbody tr',
  );
  return [...rows].map((row) =>
    [...row.children].map(({ textContent }) => textContent?.replaceAll('\u00a0', ' ').trim()),
  );
}

describe('a flamegraph', () => {
  test('has a table of the functions that change most where scripts do not run', () => {
    const document = openPage(makeCellProfiles());
    expect(document.querySelector('.flame')).not.toBeNull();
    expect(readFallback(document).slice(0, 2)).toEqual([
      ['ObjectEntries', 'builtin', '+9.00 µs', '0 ns', '9.00 µs'],
      ['writeFields codec/writeFields.js:7', 'js', '−5.00 µs', '5.00 µs', '0 ns'],
    ]);
  });

  test('has at most fifteen functions in that table', () => {
    const document = openPage({ cellId: 'c', views: [makeLargeView(500)] });
    expect(readFallback(document)).toHaveLength(15);
  });

  test('is left out without nodes, and without anything recorded', () => {
    const none = openPage(makeCellProfiles(), { nodes: 0, lines: 2 });
    expect(none.querySelector('.flame, noscript')).toBeNull();
    expect(openPage({ cellId: 'c', views: [] }).querySelector('.flame, noscript')).toBeNull();
  });
});

test('source lines have their text, shortened, and what is left out is counted', () => {
  const line = {
    file: 'a/b.js',
    line: 3,
    name: 'f',
    text: `  ${'x'.repeat(300)}`,
    baseline: 5,
    candidate: 0,
  };
  const views = makeCellProfiles()
    .views.slice(0, 1)
    .map((view) => ({ ...view, lines: [line, line, line] }));
  const document = openPage({ cellId: 'c', views });
  const [row] = document.querySelectorAll('table.lines tbody tr');
  const cells = [...(row?.children ?? [])].map(({ textContent }) =>
    textContent?.replaceAll('\u00a0', ' '),
  );
  expect(cells).toEqual(['f a/b.js:3', '5.00 ns', '–', `${'x'.repeat(200)}…`]);
  expect(document.body.textContent).toContain('1 lighter line not shown.');
});
