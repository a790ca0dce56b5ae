import { describe, expect, test } from '@jest/globals';
import { makePainter } from './paint.js';
import { layOutDiagnoses, layOutFindings } from './terminal-doctor.js';

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

describe('a host', () => {
  /** @type {Parameters<typeof layOutDiagnoses>[0]['diagnoses']} */
  const diagnoses = [
    { name: 'clock', value: 'tsc', state: 'fine', sentence: 'Ticks.', advice: null },
    {
      name: 'turbo',
      value: 'on',
      state: 'note',
      sentence: 'Rises.',
      advice: 'echo 0 | sudo tee boost\nOr leave it.',
    },
    { name: 'steal', value: 'not known', state: 'unknown', sentence: 'Silent.', advice: null },
  ];
  /** @param {Parameters<typeof layOutDiagnoses>[0]['calibrations']} calibrations */
  const layOutHost = (calibrations) =>
    layOutDiagnoses({ diagnoses, calibrations }, { width: 80, paint: makePainter(false) });

  test('has a state, a meaning and advice for each thing, commands on lines of their own', () => {
    expect(layOutHost([]).slice(0, 11)).toEqual([
      'This host',
      ' ✓ clock  tsc',
      '          Ticks.',
      ' ! turbo  on',
      '          Rises.',
      '          echo 0 | sudo tee boost',
      '          Or leave it.',
      ' ? steal  not known',
      '          Silent.',
      '',
      '1 of 3 to note (!).',
    ]);
  });

  test('that is not calibrated is told how to be', () => {
    expect(layOutHost([]).join(' ')).toContain('Measure it with: just calibrate');
  });

  test('that is calibrated tells its figures, or why they do not hold, once', () => {
    const note = 'Calibration c is not cited, it is of another host.';
    const citation = {
      id: 'c',
      createdAt: '2026-01-02T03:04:05Z',
      falsePositives: { count: 1, of: 100, low: 0, high: 0.05 },
      detectable: [],
    };
    expect(layOutHost([{ mode: 'default', citation, note: null }]).join(' ')).toContain(
      '1 of 100 A/A comparisons',
    );
    const refused = /** @type {const} */ (['default', 'screen']).map((mode) => ({
      mode,
      citation: null,
      note,
    }));
    expect(layOutHost(refused).filter((line) => line === ` ${note}`)).toHaveLength(1);
  });
});
