import { parseHTML } from 'linkedom';
import { drawFlamegraph } from './flamegraph.js';
import { markup } from '../document/markup.js';
import { makeCellProfiles, makeLargeView, makeView, NAMES } from './test-support/flame-fixtures.js';

/** @import { CellProfiles } from '../../harness/formats/profile-types.ts' */

const HOSTILE = '</script><img src=x onerror=alert(1)><!--"\'\u2028\u2029\u202e';

/** @type {(cell: CellProfiles, names?: typeof NAMES) => string} */
function writeSection(cell, names = NAMES) {
  return markup`${drawFlamegraph(cell, names)}`.text;
}

/** @param {string} html */
function readPayload(html) {
  const { document } = parseHTML(`<html><body>${html}</body></html>`);
  return JSON.parse(document.querySelector('.flame-data')?.textContent ?? '');
}

describe('the flamegraph section', () => {
  test('offers a source for each profile, the two arms and their difference', () => {
    const { document } = parseHTML(`<html><body>${writeSection(makeCellProfiles())}</body></html>`);
    const labels = (/** @type {string} */ name) =>
      [...document.querySelectorAll(`.flame-${name} label`)].map(({ textContent }) => textContent);
    expect(labels('source')).toEqual(['V8’s functions', 'allocation']);
    expect(labels('view')).toEqual(['difference', 'recursive', 'generator']);
    expect(labels('measure')).toEqual(['self', 'total']);
    expect(document.querySelectorAll('[checked]').length).toBe(3);
  });

  test('explains the colours of only those kinds of frames that occur', () => {
    const view = makeView([['a', -1, 1, 1]]);
    const [frame] = view.differential.frames;
    const code = { .../** @type {NonNullable<typeof frame>} */ (frame), kind: 'code' };
    const rust = { ...view, differential: { ...view.differential, frames: [code] } };
    const html = writeSection({ cellId: 'c', views: [/** @type {typeof view} */ (rust)] });
    expect([...html.matchAll(/kind-(\w+)"><\/i> ([^<]+)/g)].map(([, ...kind]) => kind)).toEqual([
      ['code', 'compiled code'],
    ]);
  });

  test('offers no choice of source where there is only one', () => {
    const cell = { cellId: 'c', views: makeCellProfiles().views.slice(0, 1) };
    expect(writeSection(cell)).not.toContain('flame-source');
  });

  test('is nothing without anything to draw', () => {
    expect(writeSection({ cellId: 'c', views: [] })).toBe('');
    expect(writeSection({ cellId: 'c', views: [makeView([])] })).toBe('');
  });

  test('says where the figures come from and how much is not drawn separately', () => {
    const { notes } = readPayload(writeSection(makeCellProfiles()));
    expect(notes[0].replaceAll('\u00a0', ' ')).toBe(
      'Time per document; recursive: 3 900 samples from 3 processes, ' +
        'generator: 4 100 samples from 1 process. “(other)” combines the smallest nodes of the ' +
        'call tree (1 of 7): 0.012 % of recursive, 0.0054 % of generator.',
    );
    expect(notes[1]).toMatch(/^Bytes allocated per document.*1 process\.$/);
  });

  test('draws no more nodes than allowed', () => {
    const cell = { cellId: 'c', views: [makeLargeView(6000)] };
    const html = markup`${drawFlamegraph(cell, NAMES, 200)}`.text;
    expect(readPayload(html).views[0].nodes.frame.length).toBeLessThanOrEqual(200);
  });

  test('escapes names', () => {
    const cell = { cellId: HOSTILE, views: [makeView([[HOSTILE, -1, 10, 20]])] };
    const html = writeSection(cell, { baseline: HOSTILE, candidate: `${HOSTILE}2` });
    expect(html).not.toContain('<img');
    expect(html.match(/<\/script>/g)).toHaveLength(1);
    expect(html).not.toMatch(/[\u2028\u2029\u202e]/);
    expect(readPayload(html).views[0].frames[0][0]).toContain('</script><img src=x');
  });
});
