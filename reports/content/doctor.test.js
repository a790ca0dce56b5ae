import { renderTerminal } from '../document/terminal.js';
import { describeDoctor } from './doctor.js';

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
 * @param {{ title: string, findings: import('./doctor.js').Finding[] }[]} groups
 * @param {import('./doctor.js').Host} [host]
 */
function print(groups, host = { diagnoses: [], calibrations: [], schedule: null }) {
  return renderTerminal(describeDoctor(host, groups));
}

test('each tool with what it is for, and what to do where it is missing', () => {
  expect(print([{ title: 'Tools', findings: [THERE, MISSING] }])).toContain(`Tools
✓ gauge   measures what there is
          gauge 1.2
✗ scale   weighs
          missing: there is no scale
          apt-get install scale

2 checked, 1 missing.
`);
});

test('a group without tools is left out', () => {
  const text = print([
    { title: 'Tools', findings: [THERE] },
    { title: 'Others', findings: [] },
  ]);
  expect(text).not.toContain('Others');
  expect(text).toContain('1 checked, none missing.');
});

test('a tool that cannot be installed has a reason and no command', () => {
  const probe = { ...MISSING.probe, install: null };
  const text = print([{ title: 'Tools', findings: [{ ...MISSING, probe }] }]);
  expect(text).toContain('          missing: there is no scale\n\n');
});

describe('a host', () => {
  /** @type {import('./doctor.js').Host['diagnoses']} */
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
  const printHost = (/** @type {import('./doctor.js').Host['calibrations']} */ calibrations) =>
    print([], { diagnoses, calibrations, schedule: null }).replaceAll(/\n {2,}/g, '\n    ');

  test('has a state, a meaning and advice for each thing, commands on separate lines', () => {
    expect(printHost([])).toContain(`This host
✓ clock   tsc
    Ticks.
! turbo   on
    Rises.
    echo 0 | sudo tee boost
    Or leave it.
? steal   not known
    Silent.

1 of 3 needs attention (!).
`);
  });

  test('that is not calibrated says how to calibrate it', () => {
    expect(printHost([]).replaceAll('\n', ' ')).toContain('To measure them: just calibrate');
  });

  test('that is calibrated has its figures, or once the reason why they do not apply', () => {
    const note = 'Calibration c is not cited, it is of another host.';
    const citation = {
      id: 'c',
      createdAt: '2026-01-02T03:04:05Z',
      falsePositives: { count: 1, of: 100, low: 0, high: 0.05 },
      detectable: [],
    };
    expect(printHost([{ mode: 'default', citation, note: null }])).toContain(
      '1 of 100 A/A comparisons',
    );
    const refused = /** @type {const} */ (['default', 'screen']).map((mode) => ({
      mode,
      citation: null,
      note,
    }));
    expect(printHost(refused).split(note)).toHaveLength(2);
  });

  test('that was calibrated for both schedules has both, and which of them is used', () => {
    const calibrations = /** @type {const} */ ([undefined, 'paired']).map((schedule, index) => ({
      mode: /** @type {const} */ ('default'),
      ...(schedule === undefined ? {} : { schedule }),
      citation: {
        id: 'c',
        createdAt: '2026-01-02T03:04:05Z',
        falsePositives: { count: index, of: 100, low: 0, high: 0.05 },
        detectable: [],
      },
      note: null,
    }));
    const text = print([], { diagnoses, calibrations, schedule: 'paired' }).replaceAll(/\s+/g, ' ');
    expect(text).toContain('0 of 100 A/A comparisons (');
    expect(text).toContain('1 of 100 A/A comparisons in pairs (');
    expect(text).toContain('Comparisons measure two jobs at a time');
  });
});
