import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { least } from 'd3-array';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { isOfFormat } from '../formats/schemas.js';
import { CACHE_REMEDY, makeDirectory, writeAtomic } from '../lib/files.js';
import { countOf } from '../lib/numbers.js';
import { PROGRAM } from '../lib/program.js';
import { PROJECT } from '../lib/project.js';
import { chooseBatchCount } from '../stats/calibration/batch-count.js';
import { describeConditions, isUnder } from '../stats/calibration/trials.js';
import { meanOf } from '../stats/means.js';
import { takeMedian } from '../stats/robust.js';
import { listCalibrationChanges } from '../stats/host/host.js';
import { USUAL_THRESHOLDS } from '../stats/host/state.js';

/** @import { Calibration, CalibrationCitation, CalibrationRecord, Conditions, Environment, HostIdentity, SplitCalibration, Thresholds, Trial } from '../formats/types.ts' */

/** A comparison is disturbed where it has twice the usual noise of this host, and at least the threshold
 * of a host without a calibration, … */
const FACTOR = 2;
/** … but always from here on, even if the calibration was disturbed. */
const MOST = 0.5;

/**
 * The part of a calibration that later comparisons on this host use and cite.
 *
 * @param {Calibration} calibration
 * @param {Trial[]} trials its trials, for the usual noise of the host
 * @returns {CalibrationRecord}
 */
export function makeCalibrationRecord(calibration, trials) {
  const { id, createdAt, environment, modes, placements } = calibration;
  const { node, cpuModel, cpuCount, kernel } = environment;
  return {
    formatVersion: FORMAT_VERSION,
    id,
    createdAt,
    environment: { node, cpuModel, cpuCount, kernel },
    batchCount: chooseOverCells(calibration.splits) ?? calibration.settings.batchCount,
    ...chooseSchedule(modes),
    modes: modes.map(({ mode, schedule, falsePositives, curves }) => ({
      mode,
      ...(schedule === undefined ? {} : { schedule }),
      falsePositives,
      detectable: curves.map(({ budgetSeconds, detectable }) => ({
        budgetSeconds,
        effect: detectable,
      })),
    })),
    placementSpread: Object.fromEntries(
      placements.map(({ cellId, spread }) => [cellId, spread.estimate]),
    ),
    thresholds: setThresholds(calibration, trials),
  };
}

/** A schedule whose A/A rate is certainly higher is never preferred. */
const MAX_FALSE_POSITIVES = 0.02;
/** Seconds a cell at which schedules are compared. */
const USUAL_BUDGET_SECONDS = 10;

/**
 * The schedule that finds the smaller effect in default mode within about ten seconds a cell.
 *
 * @param {Calibration['modes']} modes
 * @returns {Pick<CalibrationRecord, 'schedule'>} none unless both were calibrated, and where neither is good
 */
function chooseSchedule(modes) {
  const both = modes.filter(({ mode }) => mode === 'default');
  const good = both
    .filter(({ falsePositives }) => falsePositives.low <= MAX_FALSE_POSITIVES)
    .map(({ schedule = /** @type {const} */ ('sequential'), curves }) => ({
      schedule,
      effect: least(curves, distanceOf)?.detectable ?? Infinity,
    }));
  const best = least(good, ({ effect }) => effect);
  if (both.length < 2 || best === undefined) return {};
  const isKnown = good.length === 1 || best.effect < Infinity;
  return isKnown ? { schedule: best.schedule } : {};
}

/** @type {(curve: { budgetSeconds: number }) => number} */
function distanceOf({ budgetSeconds }) {
  return Math.abs(Math.log(budgetSeconds / USUAL_BUDGET_SECONDS));
}

/**
 * One number of batches for all cells: the one with the least geometric mean of the detectable effects,
 * or fewer at hardly any cost. It is derived from the cells in the default mode, which claims use, if
 * there are any.
 *
 * @param {SplitCalibration[]} splits
 * @returns {number | null} null where no process measured more batches than usual
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
    return [{ batchCount, detectable: Math.exp(meanOf(detectable.map(Math.log))) }];
  });
  return means.length === 0 ? null : chooseBatchCount(means);
}

/** @type {(calibration: Calibration, trials: Trial[]) => Thresholds} */
function setThresholds({ modes, hostNoise }, trials) {
  /** @param {'othersShare' | 'stealShare'} counter */
  const takeUsual = (counter) => {
    const shares = trials.flatMap((trial) => trial.hostNoise?.[counter] ?? []);
    return shares.length === 0 ? (hostNoise[counter] ?? 0) : takeMedian(shares);
  };
  const ofDefault = modes.filter(({ mode }) => mode === 'default');
  const counting = ofDefault.length > 0 ? ofDefault : modes;
  return {
    othersShare: setThreshold('othersShare', takeUsual('othersShare')),
    stealShare: setThreshold('stealShare', takeUsual('stealShare')),
    processSpread: setThreshold(
      'processSpread',
      Math.max(0, ...counting.map(({ noise }) => noise.process)),
    ),
  };
}

/** @param {keyof Thresholds} name @param {number} usual */
function setThreshold(name, usual) {
  return Math.min(MOST, Math.max(USUAL_THRESHOLDS[name], FACTOR * usual));
}

const WRITE_REMEDY = `${CACHE_REMEDY}; the calibration itself is kept`;
const CONTEXT = {
  name: 'the calibration record of this host',
  resume: `${PROGRAM} calibrate --resume DIR --for 1s`,
};

/**
 * Reads the record of the last calibration of this host. A broken file, or one of another version,
 * counts as none: it can be measured again, and no comparison should fail because of it.
 *
 * @param {string} [file] absolute path
 * @returns {CalibrationRecord | null}
 */
export function readCalibrationRecord(file = PROJECT.calibrationPath) {
  if (!existsSync(file)) return null;
  try {
    const record = JSON.parse(readFileSync(file, 'utf8'));
    const isWhole = isOfFormat('calibration-profile', record);
    return isWhole && !Number.isNaN(Date.parse(record.createdAt)) ? record : null;
  } catch {
    return null;
  }
}

/** @param {CalibrationRecord} record @param {string} [file] absolute path */
export function writeCalibrationRecord(record, file = PROJECT.calibrationPath) {
  makeDirectory(dirname(file), WRITE_REMEDY);
  writeAtomic(file, `${JSON.stringify(record, null, 2)}\n`, CONTEXT);
}

/**
 * @typedef {object} AppliedRecord
 * @property {CalibrationCitation} calibration
 * @property {Thresholds} thresholds
 * @property {number} batchCount in each process
 */

/**
 * What a run takes from the calibration record of its host. A record that is not cited is not used at
 * all: what is not good enough for readers must not affect figures or notes.
 *
 * @param {CalibrationRecord | null} record
 * @param {Conditions & { environment: Environment }} run
 * @returns {AppliedRecord | null} null without a record of this host
 */
export function applyCalibration(record, run) {
  if (record === null) return null;
  const { citation } = citeCalibration(record, { ...run, ageDays: 0 });
  if (citation === null) return null;
  const { thresholds, batchCount } = record;
  return { calibration: citation, thresholds, batchCount };
}

/**
 * @param {CalibrationRecord | null} record
 * @param {HostIdentity} environment
 * @returns {NonNullable<CalibrationRecord['schedule']> | null} the better schedule of comparisons on this host;
 *   null if that is not known
 */
export function preferredSchedule(record, environment) {
  if (record === null || listCalibrationChanges(record.environment, environment).length > 0)
    return null;
  return record.schedule ?? null;
}

/**
 * @param {CalibrationRecord | null} record
 * @param {HostIdentity} environment
 * @returns {CalibrationRecord['placementSpread'] | null} null without a record of this host
 */
export function calibratedSpread(record, environment) {
  if (record === null || listCalibrationChanges(record.environment, environment).length > 0)
    return null;
  return record.placementSpread;
}

/** An older record is cited together with its age. */
const MAX_AGE_DAYS = 30;
const CALIBRATE_AGAIN = `Calibrate again with: ${PROGRAM} calibrate.`;

/**
 * @typedef {object} Citation
 * @property {CalibrationCitation | null} citation
 * @property {string | null} note a sentence: why there is none, or what a reader should know about it
 */

/**
 * The error rates of comparisons in one mode and schedule, if the record belongs to the host that compared.
 *
 * @param {CalibrationRecord} record
 * @param {Conditions & { environment: HostIdentity, ageDays: number }} run `ageDays`: of the record when the run
 *   was created
 * @returns {Citation}
 */
export function citeCalibration(record, { environment, ageDays, ...conditions }) {
  const changed = listCalibrationChanges(record.environment, environment);
  if (changed.length > 0) return refuse(record, `belongs to another host: ${changed.join(', ')}`);
  const found = record.modes.find((each) => isUnder(each, conditions));
  if (found === undefined || found.falsePositives.of === 0) {
    return refuse(record, `has no results for the ${describeConditions(conditions)}`);
  }
  const { id, createdAt } = record;
  const { falsePositives, detectable } = found;
  return {
    citation: { id, createdAt, falsePositives, detectable },
    note: describeAge(id, ageDays),
  };
}

/** @type {(record: CalibrationRecord, reason: string) => Citation} */
function refuse({ id }, reason) {
  return {
    citation: null,
    note: `Calibration ${id} is not cited because it ${reason}. ${CALIBRATE_AGAIN}`,
  };
}

/** @type {(id: string, ageDays: number) => string | null} */
function describeAge(id, ageDays) {
  if (ageDays <= MAX_AGE_DAYS) return null;
  return `Calibration ${id} was ${countOf(Math.floor(ageDays), 'day')} old. ${CALIBRATE_AGAIN}`;
}
