import { describe, expect, test } from '@jest/globals';
import { takeProportion } from '../../harness/stats/calibration/noise.js';
import { renderer as html } from '../html.js';
import { renderer as markdown } from '../markdown.js';
import { renderer as terminal } from '../terminal.js';
import { calibrationLine } from './calibration-line.js';
import { recordedRun } from './recorded-runs.js';

/** @import { CalibrationCitation } from '../../harness/formats/types.ts' */

/** @type {CalibrationCitation} */
const citation = {
  id: '20260102-030405-calibration',
  createdAt: '2026-01-02T03:04:05.678Z',
  falsePositives: takeProportion(3, 212),
  detectable: [
    { budgetSeconds: 5, effect: 0.034 },
    { budgetSeconds: 20, effect: 0.018 },
    { budgetSeconds: 40, effect: 0.012 },
  ],
};

/** @param {string | null} text */
const toPlain = (text) => text?.replaceAll('\u00a0', ' ');

test('gives the rate, its interval, what the usual budget finds, and the day', () => {
  expect(toPlain(calibrationLine(citation, 'default'))).toBe(
    'On this host 3 of 212 A/A comparisons (1.4 %, 0.3–4.1 %) were called different; 20 s a cell find 1.8 %. Calibrated 2026-01-02.',
  );
});

test('names screen mode, whose rate is another', () => {
  expect(calibrationLine(citation, 'screen')).toMatch(/A\/A comparisons in screen mode \(/);
});

test('takes the largest budget that finds anything where the usual one was not tried', () => {
  const detectable = [
    { budgetSeconds: 5, effect: 0.034 },
    { budgetSeconds: 10, effect: null },
  ];
  expect(toPlain(calibrationLine({ ...citation, detectable }, 'default'))).toMatch(
    /different; 5 s a cell find 3\.4 %\. Cal/,
  );
  expect(calibrationLine({ ...citation, detectable: [] }, 'default')).toMatch(/different\. Cal/);
});

test('is not there without a calibration or without a comparison in it', () => {
  expect(calibrationLine(undefined, 'default')).toBeNull();
  const falsePositives = takeProportion(0, 0);
  expect(calibrationLine({ ...citation, falsePositives }, 'default')).toBeNull();
});

describe.each([terminal, markdown, html])('the $name report of a comparison', ({ render }) => {
  test('cites the calibration of the host where there is one', () => {
    const run = recordedRun('equivalent');
    const cited = { ...run, verdict: { ...run.verdict, calibration: citation } };
    const text = render(cited).replace(/\s+/g, ' ');
    expect(text).toMatch(/On this host 3 of 212 A\/A comparisons .*Calibrated 2026-01-02\./);
    expect(render(run)).not.toContain('Calibrated');
  });
});
