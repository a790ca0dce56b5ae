import { expect, test } from '@jest/globals';
import { makePainter } from './paint.js';
import { layOutFindings } from './terminal-doctor.js';

const THERE = {
  name: 'gauge',
  summary: 'measures what there is',
  probe: /** @type {const} */ ({ available: true, detail: 'gauge 1.2' }),
};
const MISSING = {
  name: 'scale',
  summary: 'weighs',
  probe: /** @type {const} */ ({
    available: false,
    reason: 'there is no scale',
    install: 'apt-get install scale',
  }),
};

/**
 * @param {Parameters<typeof layOutFindings>[0]} sections
 * @param {{ width?: number, color?: boolean }} [terminal]
 */
function layOut(sections, { width = 80, color = false } = {}) {
  return layOutFindings(sections, { width, paint: makePainter(color) });
}

test('each tool with what it is for, and what to do where it is missing', () => {
  expect(layOut([{ title: 'Tools', findings: [THERE, MISSING] }])).toEqual([
    'Tools',
    ' ✓ gauge  measures what there is',
    '          gauge 1.2',
    ' ✗ scale  weighs',
    '          missing: there is no scale',
    '          apt-get install scale',
    '',
    '2 looked for, 1 missing.',
  ]);
});

test('a section without tools is left out', () => {
  const lines = layOut([
    { title: 'Tools', findings: [THERE] },
    { title: 'Nothing', findings: [] },
  ]);
  expect(lines).not.toContain('Nothing');
  expect(lines.at(-1)).toBe('1 looked for, nothing is missing.');
});

test('a tool that cannot be helped has a reason and no command', () => {
  const probe = { ...MISSING.probe, install: null };
  const lines = layOut([{ title: 'Tools', findings: [{ ...MISSING, probe }] }]);
  expect(lines.slice(2, 4)).toEqual(['          missing: there is no scale', '']);
});

test('colour repeats what is said and changes no text', () => {
  const sections = [{ title: 'Tools', findings: [THERE, MISSING] }];
  const painted = layOut(sections, { color: true });
  expect(painted.join('\n')).toContain('\u001b[32m');
  // eslint-disable-next-line no-control-regex -- the sequences are what is taken away
  expect(painted.map((line) => line.replaceAll(/\u001b\[\d*m/g, ''))).toEqual(layOut(sections));
});
