import { makeTrend } from '../../harness/studies/trend/test-support/fixtures.js';
import { update } from '../../harness/studies/trend/trend.js';
import { plainText } from '../document/inline.js';
import { renderTerminal } from '../document/terminal.js';
import { DOCUMENTS } from '../fixtures/documents.js';
import { drawTrend } from '../figures/trend-plot.js';
import { describeTrend, describeTrendStep, drawBars } from './trend.js';

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

test('a version is skipped only where it has no point', () => {
  const { question, points, ...trend } = makeTrend();
  const [cell] = question.cells;
  const cells = [cell, { ...cell, id: 'serialize deep', corpus: 'deep' }];
  const reason = 'too few of its processes gave a usable figure';
  const skipped = [
    { spec: points[1].spec, cellIds: ['serialize flat'], reason },
    { spec: points[3].spec, cellIds: ['serialize deep'], reason },
    { spec: points[2].spec, reason: 'it does not build' },
  ];
  const shown = update({ ...trend, points, question: { ...question, cells }, skipped }, {});
  const document = describeTrend(shown, { path: 'x', commandFor: () => '' });
  const section = document.sections.find(({ id }) => id === 'skipped');
  const [list] = section?.blocks ?? [];
  const items = list.kind === 'list' ? list.items : [];
  expect(
    items.map((item) => plainText(/** @type {any} */ (item)).replaceAll('\u00a0', ' ')),
  ).toEqual([`1.3.0 on serialize deep: ${reason}`, '1.2.0 it does not build']);
});

test('the short form has a line for each version that changed something, in their order', () => {
  const { variants, describe: describeIt } = DOCUMENTS.trend;
  const lines = renderTerminal(describeIt(variants['with many changes'])).split('\n');
  const from = lines.findIndex((line) => line.startsWith('changed at'));
  const changes = lines.slice(from + 1, lines.indexOf('', from)).filter((line) => /^\S/.test(line));
  expect(changes.map((line) => line.split(/ {2,}/))).toEqual([
    ['1.1.0', '0.0 % to +30 %', 'all 4'],
    ['about 1.3.0', '−20 %', 'all 4'],
    ['1.3.0 to 1.4.0', '+20 %', 'serialize full'],
  ]);
});

test('a change within the minimum effect has no colour', () => {
  const trend = makeTrend();
  const [{ changes, ...one }] = trend.series;
  const at = (/** @type {number} */ estimate) => ({
    ...trend,
    series: [{ ...one, changes: [{ ...changes[0], step: { ...changes[0].step, estimate } }] }],
  });
  const draw = (/** @type {number} */ estimate) =>
    renderTerminal(describeTrend(at(estimate), { path: 'x', commandFor: () => '' }), {
      color: true,
      full: true,
    });
  const lineOf = (/** @type {number} */ estimate) =>
    draw(estimate)
      .split('\n')
      .find((line) => line.includes('side by side'));
  expect(lineOf(0.98)).not.toContain('\u001b[32m');
  expect(lineOf(0.8)).toContain('\u001b[32m');
});

test('names of changes do not overlap, and what leaves the axis has an arrow', () => {
  const names = Array.from({ length: 30 }, (_, index) => `1.${index}.0`);
  const points = names.map((name, index) => ({
    ...{ index, name, level: 1 },
    ratio: { estimate: 1, low: index === 3 ? 0.1 : 0.98, high: 1.02 },
  }));
  const changes = [4, 5, 6].map((to) => ({
    ...{ from: to - 1, to, ratio: 0.8 },
    tone: /** @type {const} */ ('good'),
  }));
  const { text } = drawTrend('a trend', names, points, changes);
  const groups = text.match(/<g [^>]*change-name[^>]*>/g) ?? [];
  expect(new Set(groups).size).toBe(3);
  expect(text.match(/class="estimate"/g)).toHaveLength(1);
});
