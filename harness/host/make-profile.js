import { FORMAT_VERSION } from '../formats/format-version.js';
import { takeMedian } from '../stats/median.js';
import { USUAL_THRESHOLDS } from '../stats/thresholds.js';
import { chooseBatchCount } from '../stats/calibration/split-budget.js';

/** @import { Calibration, CalibrationProfile, SplitCalibration, Thresholds, Trial } from '../formats/types.ts' */

/** A comparison is called disturbed where it has twice what is usual here, and at least what is called
 * disturbed on a host that nobody calibrated, … */
const FACTOR = 2;
/** … but always from here on, however disturbed the calibration was. */
const MOST = 0.5;

/**
 * What later comparisons on this host go by and cite.
 *
 * @param {Calibration} calibration
 * @param {Trial[]} trials its trials, for what of the host was usual in them
 * @returns {CalibrationProfile}
 */
export function makeProfile(calibration, trials) {
  const { id, createdAt, environment, modes, layouts } = calibration;
  const { node, cpuModel, cpuCount, kernel } = environment;
  return {
    formatVersion: FORMAT_VERSION,
    id,
    createdAt,
    environment: { node, cpuModel, cpuCount, kernel },
    batchCount: chooseOverCells(calibration.splits) ?? calibration.settings.batchCount,
    modes: modes.map(({ mode, falsePositives, curves }) => ({
      mode,
      falsePositives,
      detectable: curves.map(({ budgetSeconds, detectable }) => ({
        budgetSeconds,
        effect: detectable,
      })),
    })),
    layoutSpread: Object.fromEntries(
      layouts.map(({ cellId, spread }) => [cellId, spread.estimate]),
    ),
    thresholds: setThresholds(calibration, trials),
  };
}

/**
 * One number of batches for all cells: that with the least geometric mean of the detectable effects,
 * or fewer where that costs nearly nothing. Claims are made in the default mode, so its cells count
 * where there are any.
 *
 * @param {SplitCalibration[]} splits
 * @returns {number | null} null where nothing was measured for longer
 */
function chooseOverCells(splits) {
  const ofDefault = splits.filter(({ mode }) => mode === 'default');
  const counting = ofDefault.length > 0 ? ofDefault : splits;
  const [first] = counting;
  if (first === undefined) return null;
  const means = first.options.flatMap(({ batchCount }) => {
    const detectable = counting.flatMap(
      ({ options }) => options.find((option) => option.batchCount === batchCount)?.detectable ?? [],
    );
    if (detectable.length < counting.length) return [];
    const logs = detectable.reduce((sum, effect) => sum + Math.log(effect), 0);
    return [{ batchCount, detectable: Math.exp(logs / detectable.length) }];
  });
  return means.length === 0 ? null : chooseBatchCount(means);
}

/**
 * @param {Calibration} calibration
 * @param {Trial[]} trials
 * @returns {Thresholds}
 */
function setThresholds({ modes, hostNoise }, trials) {
  /** @param {'othersShare' | 'stealShare'} counter */
  const takeUsual = (counter) => {
    const shares = trials.flatMap((trial) => trial.hostNoise?.[counter] ?? []);
    return shares.length === 0 ? (hostNoise[counter] ?? 0) : takeMedian(shares);
  };
  const counting = modes.find(({ mode }) => mode === 'default') ?? modes[0];
  return {
    othersShare: setThreshold('othersShare', takeUsual('othersShare')),
    stealShare: setThreshold('stealShare', takeUsual('stealShare')),
    processSpread: setThreshold('processSpread', counting?.noise.process ?? 0),
  };
}

/**
 * @param {keyof Thresholds} name
 * @param {number} usual
 */
function setThreshold(name, usual) {
  return Math.min(MOST, Math.max(USUAL_THRESHOLDS[name], FACTOR * usual));
}
