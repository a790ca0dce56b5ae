import { takeProportion } from '../../harness/stats/calibration/noise.js';
import { renderHtml } from '../document/html.js';
import { renderMarkdown } from '../document/markdown.js';
import { renderTerminal } from '../document/terminal.js';
import { describeCalibration } from './calibration.js';
import { makeCalibration } from './test-support/make-calibration.js';

/** @param {string} text */
const onOneLine = (text) => text.replace(/\s+/g, ' ');

test('begins with the errors and the smallest effect found in 20 s, both modes', () => {
  const made = makeCalibration();
  const modes = made.modes.map((mode) => ({
    ...mode,
    falsePositives: mode.mode === 'default' ? takeProportion(3, 212) : takeProportion(1, 200),
    curves: mode.curves.map((curve) => ({ ...curve, detectable: 0.36 / curve.budgetSeconds })),
  }));
  const text = onOneLine(renderTerminal(describeCalibration({ ...made, modes })));
  expect(text).toMatch(
    /^On this host and with linked-list, 3 of 212 A\/A comparisons in default mode \(1\.4 %, 95 % interval 0\.3–4\.1 %\) were called different; 1 of 200 A\/A comparisons in screen mode \(0\.5 %, .*?\) was called different\. /,
  );
  expect(text).toMatch(/5 %: 1\.8 % in default mode with 20 s per cell, 1\.8 % in screen mode/);
});

test('names both specs where the arms have different ones', () => {
  const specs = { variant: 'linked-list@node=20.20.2', against: 'linked-list@node=20' };
  const document = describeCalibration({ ...makeCalibration(), ...specs });
  expect(onOneLine(renderTerminal(document))).toMatch(
    /^On this host and with linked-list@node=20\.20\.2 and linked-list@node=20, 1 of 212 /,
  );
  expect(renderMarkdown(document)).toContain(
    '- compared with itself: `linked-list@node=20.20.2`, `linked-list@node=20`\n',
  );
});

test('says where the smallest effect lies beyond what was looked at', () => {
  const made = makeCalibration();
  const modes = made.modes.slice(0, 1).map((mode) => ({
    ...mode,
    curves: mode.curves.slice(0, 1).map((curve) => ({ ...curve, detectable: null })),
  }));
  const text = onOneLine(renderTerminal(describeCalibration({ ...made, modes })));
  expect(text).toContain('none up to 30 % in default mode with 5 s per cell');
  expect(text).toMatch(/default 5 s .* above 30 %/);
});

test('has a row a cost with what it was called, its bias and coverage', () => {
  const text = renderTerminal(describeCalibration(makeCalibration()), { width: 200 });
  expect(text).toMatch(/default +none +– +212 +0\.5 % +0\.01–2\.6 % +0 %/);
  expect(text).toMatch(
    /default +1 % +[\d.–]+ % +40 +\d+ % +\d+–\d+ % +0 % +[+−]0\.\d\d % .* +98 %/,
  );
});

test('has power by effect and budget until every budget finds it, and where it falls to', () => {
  const text = renderTerminal(describeCalibration(makeCalibration()), { width: 200 });
  expect(text).toMatch(/effect +5 s +10 s +20 s +40 s\n/);
  expect(text).toMatch(/ 2 % +72 % +95 % +100 % +100 %\n/);
  expect(text.match(/ +100 % +100 % +100 % +100 %\n/g)).toHaveLength(2);
  expect(text).toMatch(/screen +40 s +212 +64 .* 0\.17 %/);
});

test('shows both schedules next to each other', () => {
  const made = makeCalibration();
  const [first, screen] = made.modes;
  const inPairs = {
    ...first,
    schedule: /** @type {const} */ ('paired'),
    falsePositives: takeProportion(4, 300),
    points: [
      ...first.points,
      { ...first.points[4], injected: 0.5, cost: /** @type {const} */ ('allocation') },
    ],
    curves: first.curves.map((curve) => ({ ...curve, detectable: 0.1 / curve.budgetSeconds })),
  };
  const document = describeCalibration({ ...made, modes: [first, inPairs, screen] });
  const text = renderTerminal(document, { width: 200 });
  expect(onOneLine(text)).toContain('; 4 of 300 A/A comparisons in default mode in pairs (1.3 %,');
  expect(text).toMatch(/default +10 s .*\n.*pairs +10 s .* 1 %\n/);
  expect(text).toMatch(/default +1 % .*\n.*pairs +1 % /);
  expect(text).toMatch(/pairs +50 % garbage +not verified +40 /);
  expect(renderHtml(document)).toContain('>pairs</text>');
});

test('says where the noise comes from and marks the best split', () => {
  const text = renderTerminal(describeCalibration(makeCalibration()), { width: 200 });
  expect(text).toMatch(/default +1\.8 % +0\.45 % +0\.3 %/);
  expect(text).toMatch(/serialize deep +16 +\d+ +2\.4 % .*×1\.080 +1\.7 %/);
  expect(text).toMatch(/default +serialize flat +2\.2 % +2\.1 %\* +2\.2 %/);
});

test('one that was interrupted says so', () => {
  const text = renderTerminal(describeCalibration(makeCalibration({ ended: 'interrupted' })));
  expect(text).toContain('Interrupted: the report covers only the comparisons that finished.');
});

describe('as a page', () => {
  const page = renderHtml(describeCalibration(makeCalibration()));

  test('draws a line a budget, with a name on it, and a dot a cost', () => {
    const [, plot = ''] =
      /(<svg[^>]*aria-label="Power by effect in default[^]*?<\/svg>)/.exec(page) ?? [];
    for (const number of [1, 2, 3, 4]) expect(plot).toContain(`course line-${number}`);
    for (const name of ['5 s', '10 s', '20 s', '40 s']) expect(plot).toContain(`>${name}</text>`);
    expect(plot.match(/<circle/g)).toHaveLength(5);
    expect(plot.match(/class="whisker"/g)).toHaveLength(1);
  });

  test('draws how the smallest effect falls, and no plot where there are no curves', () => {
    expect(page).toContain('aria-label="Smallest effect found in 4 of 5 comparisons, by budget"');
    const made = makeCalibration();
    const modes = made.modes.map((mode) => ({ ...mode, curves: [] }));
    expect(renderHtml(describeCalibration({ ...made, modes }))).not.toContain('<svg');
  });
});
