/** The contract of every renderer in this folder. */

import { describe, expect, test } from '@jest/globals';
import { validate } from '../../harness/formats/schemas.js';
import { readPageAssets } from '../support/html-test-assets.js';
import { listRendererModules } from '../support/renderer-modules.js';
import { makeCalibration, makeHostileCalibration } from './test-support/make-calibration.js';

const renderers = await listRendererModules(import.meta.url);

const none = { count: 0, of: 0, low: 0, high: 1 };
const empty = makeCalibration({
  ended: 'interrupted',
  costs: [],
  splits: [],
  layouts: [],
  warnings: [],
  modes: makeCalibration().modes.map((mode) => ({
    ...mode,
    falsePositives: none,
    covered: none,
    byCell: {},
    points: [],
    curves: [],
    noise: { process: 0, batch: null, drift: 0 },
  })),
});

describe.each(renderers)('renderer $moduleName', ({ moduleName, renderer }) => {
  const assets = readPageAssets(renderer);

  test('is named like its file and says where its text goes', () => {
    expect(renderer.name).toBe(moduleName);
    if (renderer.fileName !== null) expect(renderer.fileName).toMatch(/^calibration\.[a-z]+$/);
  });

  test.each([
    ['that is whole', makeCalibration()],
    ['that was interrupted at once', empty],
  ])('renders one %s to text of whole lines', (_what, calibration) => {
    const text = renderer.render({ calibration, assets });
    expect(text).toMatch(/\S\n$/);
    expect(text.replace(/<script>[^]*?<\/script>/g, '')).not.toMatch(/undefined|NaN|\[object/);
  });

  test('gives the same text for the same data and leaves the data as it was', () => {
    const calibration = makeCalibration();
    const first = renderer.render({ calibration });
    expect(renderer.render({ calibration })).toBe(first);
    expect(calibration).toEqual(makeCalibration());
  });

  test('tells how to repeat it, on what host, and the notes', () => {
    const text = renderer.render({ calibration: makeCalibration() }).replace(/\s+/g, ' ');
    for (const part of ['just calibrate --for 2h --seed 7', 'AMD EPYC 7B13', 'Other processes']) {
      expect(text).toContain(part);
    }
  });

  test('lets no escape sequence and no invisible character through', () => {
    const text = renderer.render({ calibration: makeHostileCalibration() });
    for (const character of ['\u001b', '\u202e']) expect(text).not.toContain(character);
  });
});

test('the fixture is of the published format, a foreign key is not', async () => {
  validate('calibration', makeCalibration());
  const extra = { ...makeCalibration(), extra: 1 };
  expect(() => validate('calibration', extra)).toThrow(/calibration\.json/);
});
