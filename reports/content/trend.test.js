import { makeTrend } from '../../harness/studies/trend/test-support/fixtures.js';
import { update } from '../../harness/studies/trend/trend.js';
import { renderHtml } from '../document/html.js';
import { readPageAssets } from '../fixtures/render.js';
import { renderMarkdown } from '../document/markdown.js';
import { renderTerminal } from '../document/terminal.js';
import { describeTrend, describeTrendStep, drawBars } from './trend.js';

/** @import { SeriesChange, Trend } from '../../harness/formats/types.ts' */

const PLACES = {
  path: 'reports/runs/trend',
  commandFor: (/** @type {string[]} */ cellIds) => `just compare A B --op ${cellIds}`,
};
const TERMINAL = { width: 100, color: false };

/** @param {Partial<Trend>} [changes] */
const describeIt = (changes = {}) => describeTrend({ ...makeTrend(), ...changes }, PLACES);

describe('the report on a trend', () => {
  const text = renderTerminal(describeIt(), TERMINAL).replaceAll('\u00a0', ' ');

  test('begins with the changes, and what was measured', () => {
    expect(text).toMatch(/^serialize flat: −20 % since 1\.3\.0\. 5 of 6 points measured\.\n/);
  });

  test('has a line of bars with a mark at the change', () => {
    expect(text).toMatch(/^serialize flat +█[▇█]╎▁▁[▁▂] +1 +0\.80\d +5$/m);
  });

  test('has each change with its size, its subject and the command that continues', () => {
    expect(text).toMatch(/1\.3\.0 +1\.1\.0 +−20 % +0\.78\d–0\.81\d +side by side/);
    expect(text).toContain('1.3.0 Subject 3');
    expect(text).toMatch(/1\.3\.0 +just compare A B --op serialize flat/);
  });

  test('says where the place of a change is open, and what lies between neighbours', () => {
    const { series, ...trend } = makeTrend();
    const [{ changes, ...one }] = series;
    const spec = (/** @type {number} */ index) => trend.points[index].spec;
    const describeChange = (/** @type {Partial<SeriesChange>} */ changed) =>
      renderTerminal(
        describeIt({ series: [{ ...one, changes: [{ ...changes[0], ...changed }] }] }),
        TERMINAL,
      ).replaceAll('\u00a0', ' ');
    expect(describeChange({ range: [spec(3), spec(4)], isDirect: false })).toMatch(
      /^serialize flat: −20 % about 1\.3\.0\./,
    );
    expect(describeChange({ unmeasured: 2 })).toContain('side by side, 2 not measured');
  });

  test('says what was not measured, in one line', () => {
    expect(text).toMatch(/1\.2\.0 it does not build$/m);
    expect(text).not.toContain('at all');
  });

  test('lists what points break of the contract, alike neighbours together', () => {
    const [first, ...rest] = makeTrend().steps;
    const breaches = ['1.0.0', '1.1.0', '1.3.0'].map((name, index) => ({
      variant: makeTrend().points.find((point) => point.name === name)?.spec ?? '',
      rows: index < 2 ? ['cycles', 'json'] : ['json'],
    }));
    const steps = [{ ...first, breaches }, ...rest];
    const markdown = renderMarkdown(describeIt({ steps }));
    expect(markdown).toContain('`1.0.0` to `1.1.0`: cycles, json');
    expect(markdown).toContain('`1.3.0`: json');
    expect(renderMarkdown(describeIt())).not.toContain('behaviour contract');
  });

  test('in Markdown has the same bars', () => {
    expect(renderMarkdown(describeIt())).toMatch(/\| serialize flat \| █[▇█]╎▁▁[▁▂] \| +1 \|/);
  });

  test.each([
    [{ ended: /** @type {const} */ ('budget') }, 'The budget ended first.'],
    [{ ended: /** @type {const} */ ('interrupted') }, 'Interrupted.'],
    [update(makeTrend(), { steps: [] }), 'serialize flat was not measured.'],
    [update(makeTrend(), { steps: makeTrend().steps.slice(0, 1) }), '1.3.0'],
  ])('says how it ended', (changes, words) => {
    expect(renderTerminal(describeIt(changes), TERMINAL)).toContain(words);
  });
});

describe('the page of a trend', () => {
  const page = renderHtml(describeIt(), readPageAssets());
  const svg = /<svg [^>]*aria-label="serialize flat: 5 points, 1 change".*?<\/svg>/s.exec(
    page,
  )?.[0];

  test('draws a point with its interval for each version, and the change', () => {
    expect(svg?.match(/<circle/g)).toHaveLength(5);
    expect(svg).toContain('class="change good"');
    expect(svg?.replaceAll('&#160;', ' ')).toContain('−20 %');
    expect(svg).not.toContain('NaN');
  });

  test('shows the figures of a point on hover', () => {
    expect(svg).toMatch(/<title>1\.3\.0\n×1\.000 \[0\.98\d–1\.0\d+\]<\/title>/);
    expect(svg).not.toMatch(/<title>1\.2\.0/);
  });

  test('links to the report of the comparison of the neighbours', () => {
    expect(page).toContain('href="./20260101-000000-run/report.html"');
  });
});

test('bars of many points stand for several, and small differences stay low', () => {
  const points = Array.from({ length: 200 }, (_, index) => ({
    spec: `v${index}`,
    ratio: { estimate: 1 + (index % 2) / 1000, low: 0.9, high: 1.1 },
    level: 1,
    processes: 24,
  }));
  const bars = drawBars({ points, changes: [] });
  expect(bars).toHaveLength(23);
  expect(new Set(bars).size).toBeLessThanOrEqual(2);
  expect(bars).not.toMatch(/[▁█]/);
});

test('the line on a step says what it was for', () => {
  const trend = makeTrend();
  const line = describeTrendStep(trend.steps[1], trend).replaceAll('\u00a0', ' ');
  expect(line).toBe('neighbours side by side: 1.3.0 · 12.5 s · 5 of 6 measured · 1 change so far');
});
