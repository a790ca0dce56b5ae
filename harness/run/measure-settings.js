/** @import { Family, MeasureSettings } from '../formats/types.ts' */

/** How long and how often a timed job measures: decisions 0001 and 0017 have the reasons. */
const MEASURE_SETTINGS = Object.freeze({
  warmUpMs: 80,
  warmUpCalls: 5_000,
  maxWarmUpMs: 400,
  batchCount: 24,
  batchMs: 5,
});

/**
 * What timed jobs of a family are told: the family's own wishes before what a calibration of the host
 * found best, before the defaults.
 *
 * @param {Pick<Family, 'settings'>} family
 * @param {{ batchCount: number } | null} calibrated null where there is no calibration, or it is not
 *   to have its say
 * @returns {MeasureSettings}
 */
export function chooseSettings({ settings }, calibrated) {
  const { batchCount = MEASURE_SETTINGS.batchCount } = calibrated ?? {};
  return { ...MEASURE_SETTINGS, batchCount, ...settings };
}
