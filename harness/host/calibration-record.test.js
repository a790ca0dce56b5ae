import { makeManifest } from '../../reports/fixtures/build.js';
import { makeCalibration } from '../studies/calibration/test-support/make-calibration.js';
import {
  citeCalibration,
  makeCalibrationRecord,
  applyCalibration,
  preferredSchedule,
} from './calibration-record.js';

const { calibration, trials } = makeCalibration();
const record = makeCalibrationRecord(calibration, trials);

describe('a calibration record', () => {
  test('has what comparisons cite', () => {
    const [mode] = calibration.modes;
    expect(record.modes).toEqual([
      {
        mode: 'default',
        falsePositives: mode.falsePositives,
        detectable: mode.curves.map(({ budgetSeconds, detectable }) => ({
          budgetSeconds,
          effect: detectable,
        })),
      },
    ]);
    expect(record.modes[0].detectable.map(({ budgetSeconds }) => budgetSeconds)).toEqual([
      5, 10, 20,
    ]);
    expect(record.placementSpread).toEqual({ 'deserialize deep': 0.031 });
  });

  test('identifies its host', () => {
    expect(record.environment).toEqual({
      node: '20.20.2',
      cpuModel: 'Example CPU @ 2.80GHz',
      cpuCount: 2,
      kernel: '6.1.0-13-amd64',
    });
  });
});

describe('batches in each process', () => {
  test('are the best for all cells', () => {
    expect(record.batchCount).toBe(6);
  });

  test('follow the default mode', () => {
    const [split] = calibration.splits;
    const options = split.options.map((option) => ({ ...option, detectable: 1 }));
    const screen = { ...split, mode: /** @type {const} */ ('screen'), options };
    const splits = [screen, ...calibration.splits];
    expect(makeCalibrationRecord({ ...calibration, splits }, trials).batchCount).toBe(6);
    expect(makeCalibrationRecord({ ...calibration, splits: [screen] }, trials).batchCount).toBe(3);
  });

  test('stay the same where no process measured more', () => {
    expect(makeCalibrationRecord({ ...calibration, splits: [] }, trials).batchCount).toBe(4);
  });
});

describe('thresholds', () => {
  /**
   * @param {{ stealShare: number, othersShare: number }} shares of each trial
   * @param {number} process deviation between processes
   */
  const thresholdsOf = (shares, process) => {
    const [mode] = calibration.modes;
    const modes = [{ ...mode, noise: { ...mode.noise, process } }];
    const hostNoise = { ...shares, throttledMs: null };
    const measured = trials.map((trial) => ({ ...trial, hostNoise }));
    return makeCalibrationRecord({ ...calibration, modes }, measured).thresholds;
  };

  test.each([
    ['twice the usual noise of this host', [0.02, 0.1, 0.06], [0.04, 0.2, 0.12]],
    ['never stricter than without a calibration', [0.001, 0.02, 0.003], [0.01, 0.05, 0.08]],
    ['bounded on a host that is always busy', [0.4, 0.9, 0.3], [0.5, 0.5, 0.5]],
  ])('are %s', (_, [stealShare, othersShare, process], [steal, others, spread]) => {
    const thresholds = thresholdsOf({ stealShare, othersShare }, process);
    expect(thresholds.stealShare).toBeCloseTo(steal, 10);
    expect(thresholds.othersShare).toBeCloseTo(others, 10);
    expect(thresholds.processSpread).toBeCloseTo(spread, 10);
  });

  test('follow the whole calibration where trials have no counters', () => {
    const plain = trials.map(({ hostNoise: _, ...trial }) => trial);
    const { thresholds } = makeCalibrationRecord(calibration, plain);
    expect(thresholds.othersShare).toBeCloseTo(0.08, 10);
  });
});

describe('the preferred schedule', () => {
  const [mode] = calibration.modes;
  /**
   * @param {number | null} detectable effect at 10 s
   * @param {number} [low] of the rate of false positives
   */
  const sequential = (detectable, low = 0) => ({
    ...mode,
    falsePositives: { ...mode.falsePositives, low },
    curves: mode.curves.map((curve) => ({
      ...curve,
      detectable: curve.budgetSeconds === 10 ? detectable : 0.001,
    })),
  });
  /** @param {Parameters<typeof sequential>} how */
  const paired = (...how) => ({
    ...sequential(...how),
    schedule: /** @type {const} */ ('paired'),
  });

  test.each([
    ['the one that finds the smaller effect in ten seconds', [0.03, 0.01], 'paired'],
    ['the other one, too', [0.01, 0.03], 'sequential'],
    ['the one that finds any', [0.05, null], 'sequential'],
    ['none where neither does', [null, null], null],
  ])('is %s', (_, [first, second], expected) => {
    const modes = [sequential(first), paired(second)];
    const made = makeCalibrationRecord({ ...calibration, modes }, trials);
    expect(preferredSchedule(made, made.environment)).toBe(expected);
  });

  test('is never one with too many false positives', () => {
    const modes = [sequential(0.03), paired(0.01, 0.021)];
    const made = makeCalibrationRecord({ ...calibration, modes }, trials);
    expect(preferredSchedule(made, made.environment)).toBe('sequential');
  });

  test('is known only where both were calibrated, and on the same host', () => {
    expect(preferredSchedule(record, record.environment)).toBeNull();
    expect(preferredSchedule(null, record.environment)).toBeNull();
    const modes = [sequential(0.03), paired(0.01)];
    const made = makeCalibrationRecord({ ...calibration, modes }, trials);
    expect(preferredSchedule(made, { ...made.environment, cpuCount: 64 })).toBeNull();
  });
});

const { environment } = record;
const run = { mode: /** @type {const} */ ('default'), environment, ageDays: 2 };

test('a comparison on the same host cites the errors of its mode', () => {
  const [mode] = record.modes;
  expect(citeCalibration(record, run)).toEqual({
    citation: {
      id: 'calibration-1',
      createdAt: '2026-02-03T04:05:06.000Z',
      falsePositives: mode.falsePositives,
      detectable: mode.detectable,
    },
    note: null,
  });
});

test('an old calibration is cited with its age', () => {
  expect(citeCalibration(record, { ...run, ageDays: 30 }).note).toBeNull();
  const { citation, note } = citeCalibration(record, { ...run, ageDays: 41.7 });
  expect(citation?.id).toBe('calibration-1');
  expect(note).toBe(
    'Calibration calibration-1 was 41 days old. Calibrate again with: just calibrate.',
  );
});

describe('a comparison cites nothing', () => {
  test.each([
    ['another major version of Node', { node: '22.11.0' }, 'Node 22 instead of 20'],
    ['another processor', { cpuModel: 'Other' }, 'processor Other instead of Example CPU'],
    ['more processors', { cpuCount: 8 }, 'number of processors 8 instead of 2'],
    ['another kernel', { kernel: '6.8.0' }, 'kernel 6.8.0 instead of 6.1.0-13-amd64'],
  ])('under %s', (_, change, words) => {
    const changed = { ...run, environment: { ...environment, ...change } };
    const { citation, note } = citeCalibration(record, changed);
    expect(citation).toBeNull();
    expect(note).toContain(`is not cited because it belongs to another host: ${words}`);
  });

  test('in a mode that was not calibrated, or has no finished trial', () => {
    const { citation, note } = citeCalibration(record, { ...run, mode: 'screen' });
    expect(citation).toBeNull();
    expect(note).toContain('has no results for the screen mode');
    const falsePositives = { count: 0, of: 0, low: 0, high: 1 };
    const untried = { ...record, modes: [{ ...record.modes[0], falsePositives }] };
    expect(citeCalibration(untried, run).citation).toBeNull();
  });
});

test('a comparison in pairs cites what was found in pairs', () => {
  const inPairs = { ...run, schedule: /** @type {const} */ ('paired') };
  expect(citeCalibration(record, inPairs).note).toContain(
    'no results for the default mode in pairs',
  );
  const falsePositives = { count: 1, of: 90, low: 0, high: 0.06 };
  const found = { ...record.modes[0], schedule: inPairs.schedule, falsePositives };
  const both = { ...record, modes: [...record.modes, found] };
  expect(citeCalibration(both, inPairs).citation).toMatchObject({ falsePositives });
  expect(citeCalibration(both, run)).toEqual(citeCalibration(record, run));
});

test('another patch of Node is the same host', () => {
  const patched = { ...run, environment: { ...environment, node: '20.21.0' } };
  expect(citeCalibration(record, patched).citation?.id).toBe('calibration-1');
});

const here = { ...makeManifest().environment, ...record.environment };

test('a calibration of the host is cited and gives thresholds and the number of batches', () => {
  const used = applyCalibration(record, { mode: 'default', environment: here });
  expect(used?.calibration.falsePositives).toEqual(record.modes[0].falsePositives);
  expect(used?.thresholds).toEqual(record.thresholds);
  expect(used?.batchCount).toBe(record.batchCount);
});

test('one that is not cited is not used', () => {
  expect(applyCalibration(null, { mode: 'default', environment: here })).toBeNull();
  expect(applyCalibration(record, { mode: 'screen', environment: here })).toBeNull();
  const elsewhere = { ...here, cpuModel: 'Other CPU' };
  expect(applyCalibration(record, { mode: 'default', environment: elsewhere })).toBeNull();
});
