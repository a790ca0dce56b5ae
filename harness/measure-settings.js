import { readProfile } from './calibration/profile-file.js';

/** @import { Family, MeasureSettings } from './types.ts' */

/** How long and how often a timed job measures: decisions 0001 and 0017 have the reasons. */
const MEASURE_SETTINGS = Object.freeze({
  warmUpMs: 80,
  warmUpCalls: 5_000,
  maxWarmUpMs: 400,
  batchCount: 24,
  batchMs: 5,
});

/**
 * What timed jobs of a family are told: the family's own wishes before what a calibration of this host
 * found best, before the defaults.
 *
 * @param {Pick<Family, 'settings'>} family
 * @returns {MeasureSettings}
 */
export function chooseSettings(family) {
  const batchCount = readProfile()?.batchCount;
  return chooseUsualSettings(family, batchCount === undefined ? {} : { batchCount });
}

/**
 * What they are told where no calibration has its say: a calibration must see longer processes than
 * the last one found best.
 *
 * @param {Pick<Family, 'settings'>} family
 * @param {Partial<MeasureSettings>} [found] on this host
 * @returns {MeasureSettings}
 */
export function chooseUsualSettings({ settings }, found = {}) {
  return { ...MEASURE_SETTINGS, ...found, ...settings };
}
