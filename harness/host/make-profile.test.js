import { describe, expect, test } from '@jest/globals';

import { makeProfile } from './calibration-record.js';
import { makeCalibration } from '../studies/calibration/test-support/made-up-calibration.js';

const { calibration, trials } = makeCalibration();

describe('a profile', () => {
  const profile = makeProfile(calibration, trials);

  test('says what comparisons cite', () => {
    const [mode] = calibration.modes;
    expect(profile.modes).toEqual([
      {
        mode: 'default',
        falsePositives: mode.falsePositives,
        detectable: mode.curves.map(({ budgetSeconds, detectable }) => ({
          budgetSeconds,
          effect: detectable,
        })),
      },
    ]);
    expect(profile.modes[0].detectable.map(({ budgetSeconds }) => budgetSeconds)).toEqual([
      5, 10, 20,
    ]);
    expect(profile.layoutSpread).toEqual({ 'deserialize deep': 0.031 });
  });

  test('has of the host what tells it from another', () => {
    expect(profile.environment).toEqual({
      node: '20.20.2',
      cpuModel: 'Example CPU @ 2.80GHz',
      cpuCount: 2,
      kernel: '6.1.0-13-amd64',
    });
  });
});

describe('batches in each process', () => {
  test('are those that serve all cells best', () => {
    expect(makeProfile(calibration, trials).batchCount).toBe(6);
  });

  test('go by the default mode', () => {
    const [split] = calibration.splits;
    const options = split.options.map((option) => ({ ...option, detectable: 1 }));
    const screen = { ...split, mode: /** @type {const} */ ('screen'), options };
    const splits = [screen, ...calibration.splits];
    expect(makeProfile({ ...calibration, splits }, trials).batchCount).toBe(6);
    expect(makeProfile({ ...calibration, splits: [screen] }, trials).batchCount).toBe(3);
  });

  test('stay as they were where nothing was measured for longer', () => {
    expect(makeProfile({ ...calibration, splits: [] }, trials).batchCount).toBe(4);
  });
});

describe('thresholds', () => {
  test('are twice what is usual here', () => {
    const disturbed = trials.map((trial) => ({
      ...trial,
      hostNoise: { stealShare: 0.02, othersShare: 0.1, throttledMs: null },
    }));
    const [mode] = calibration.modes;
    const modes = [{ ...mode, noise: { ...mode.noise, process: 0.06 } }];
    const { thresholds } = makeProfile({ ...calibration, modes }, disturbed);
    expect(thresholds.stealShare).toBeCloseTo(0.04, 10);
    expect(thresholds.othersShare).toBeCloseTo(0.2, 10);
    expect(thresholds.processSpread).toBeCloseTo(0.12, 10);
  });

  test('are never stricter than on a host without a calibration', () => {
    const [mode] = calibration.modes;
    const modes = [{ ...mode, noise: { ...mode.noise, process: 0.003 } }];
    expect(makeProfile({ ...calibration, modes }, trials).thresholds).toEqual({
      othersShare: 0.05,
      stealShare: 0.01,
      processSpread: 0.08,
    });
  });

  test('do not excuse a host that was busy all the time', () => {
    const busy = trials.map((trial) => ({
      ...trial,
      hostNoise: { stealShare: 0.4, othersShare: 0.9, throttledMs: null },
    }));
    expect(makeProfile(calibration, busy).thresholds).toMatchObject({
      othersShare: 0.5,
      stealShare: 0.5,
    });
  });

  test('go by the whole calibration where trials have no counters', () => {
    const plain = trials.map(({ hostNoise: _, ...trial }) => trial);
    const { thresholds } = makeProfile(calibration, plain);
    expect(thresholds.othersShare).toBeCloseTo(0.08, 10);
  });
});
