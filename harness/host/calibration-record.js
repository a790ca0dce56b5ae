import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { CACHE_REMEDY, makeDirectory, writeAtomic } from '../lib/files.js';
import { countOf } from '../lib/numbers.js';
import { PROJECT } from '../lib/project.js';
import { chooseBatchCount } from '../stats/calibration/batch-count.js';
import { takeMedian } from '../stats/robust.js';
import { USUAL_THRESHOLDS } from '../stats/host-facts.js';

/** @import { Calibration, CalibrationCitation, CalibrationProfile, Environment, Question, SplitCalibration, Thresholds, Trial } from '../formats/types.ts' */

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

const WRITE_REMEDY = `${CACHE_REMEDY}; the calibration itself is kept`;
const OWNER = { name: 'the profile of this host', resume: 'just calibrate --resume DIR --for 1s' };

/**
 * What the last calibration found of this host. A file that is broken, or of another version, is as
 * good as none: it can be measured again, and no comparison should fail for it.
 *
 * @param {string} [file] absolute path
 * @returns {CalibrationProfile | null}
 */
export function readProfile(file = PROJECT.profilePath) {
  if (!existsSync(file)) return null;
  try {
    const profile = JSON.parse(readFileSync(file, 'utf8'));
    return profile.formatVersion === FORMAT_VERSION && isComplete(profile) ? profile : null;
  } catch {
    return null;
  }
}

/**
 * @param {CalibrationProfile} profile
 * @param {string} [file] absolute path
 */
export function writeProfile(profile, file = PROJECT.profilePath) {
  makeDirectory(dirname(file), WRITE_REMEDY);
  writeAtomic(file, `${JSON.stringify(profile, null, 2)}\n`, OWNER);
}

/**
 * What reading relies on. Every command reads the profile, so this is plain code; the published
 * schema says more.
 *
 * @param {CalibrationProfile} profile
 */
function isComplete({ id, createdAt, environment, batchCount, modes, layoutSpread, thresholds }) {
  return (
    typeof id === 'string' &&
    !Number.isNaN(Date.parse(createdAt)) &&
    [environment?.cpuModel, environment?.node, environment?.kernel].every(isText) &&
    Number.isFinite(environment.cpuCount) &&
    Number.isInteger(batchCount) &&
    batchCount >= 1 &&
    batchCount <= 1000 &&
    Array.isArray(modes) &&
    modes.every(
      ({ falsePositives, detectable }) => falsePositives.of >= 0 && detectable.length >= 0,
    ) &&
    typeof layoutSpread === 'object' &&
    Object.values(thresholds).every((share) => share > 0 && share < 1)
  );
}

/** @param {unknown} value */
function isText(value) {
  return typeof value === 'string';
}

/**
 * What a run takes from a calibration.
 *
 * @typedef {object} UsedProfile
 * @property {CalibrationCitation} calibration
 * @property {Thresholds} thresholds
 * @property {number} batchCount in each process
 */

/**
 * What a calibration gives to a run on its host. One that is not cited gives nothing: what is not good
 * enough for a reader decides on no figure and no note either.
 *
 * @param {CalibrationProfile | null} profile
 * @param {object} run
 * @param {Question['mode']} run.mode
 * @param {Environment} run.environment
 * @returns {UsedProfile | null} null where there is none, or it is of another host
 */
export function useProfile(profile, { mode, environment }) {
  if (profile === null) return null;
  const { citation } = citeProfile(profile, { mode, environment, ageDays: 0 });
  if (citation === null) return null;
  const { thresholds, batchCount } = profile;
  return { calibration: citation, thresholds, batchCount };
}

/** A host is taken for the same for so long without a word. */
const MAX_AGE_DAYS = 30;
const CALIBRATE_AGAIN = 'Calibrate anew with: just calibrate.';

/**
 * What a comparison can say of its instrument.
 *
 * @typedef {object} ProfileUse
 * @property {CalibrationCitation | null} citation
 * @property {string | null} note why there is none, or what a reader should know of the one there
 *   is: a sentence
 */

/**
 * Takes from a profile what it says of comparisons in one mode, as long as it is of the host that
 * compared.
 *
 * @param {CalibrationProfile} profile
 * @param {object} run
 * @param {Question['mode']} run.mode
 * @param {Pick<Environment, 'node' | 'cpuModel' | 'cpuCount' | 'kernel'>} run.environment
 * @param {number} run.ageDays of the profile when the run was made
 * @returns {ProfileUse}
 */
export function citeProfile(profile, { mode, environment, ageDays }) {
  const changed = listChanges(profile.environment, environment);
  if (changed.length > 0) return refuse(profile, `is of another host: ${changed.join(', ')}`);
  const found = profile.modes.find((each) => each.mode === mode);
  if (found === undefined || found.falsePositives.of === 0) {
    return refuse(profile, `says nothing of the ${mode} mode`);
  }
  const { id, createdAt } = profile;
  const { falsePositives, detectable } = found;
  return { citation: { id, createdAt, falsePositives, detectable }, note: tellAge(id, ageDays) };
}

/**
 * @param {CalibrationProfile} profile
 * @param {string} reason
 * @returns {ProfileUse}
 */
function refuse({ id }, reason) {
  return {
    citation: null,
    note: `Calibration ${id} is not cited, it ${reason}. ${CALIBRATE_AGAIN}`,
  };
}

/**
 * @param {string} id
 * @param {number} ageDays
 * @returns {string | null}
 */
function tellAge(id, ageDays) {
  if (ageDays <= MAX_AGE_DAYS) return null;
  return `Calibration ${id} was ${countOf(Math.floor(ageDays), 'day')} old. ${CALIBRATE_AGAIN}`;
}

/**
 * @param {CalibrationProfile['environment']} then
 * @param {CalibrationProfile['environment']} now
 * @returns {string[]} what differs, in words
 */
function listChanges(then, now) {
  const parts = [
    { name: 'Node', then: takeMajor(then.node), now: takeMajor(now.node) },
    { name: 'processor', then: then.cpuModel, now: now.cpuModel },
    { name: 'number of processors', then: String(then.cpuCount), now: String(now.cpuCount) },
    { name: 'kernel', then: then.kernel, now: now.kernel },
  ];
  return parts
    .filter((part) => part.then !== part.now)
    .map((part) => `${part.name} ${part.now} instead of ${part.then}`);
}

/** @param {string} version `20.20.2`, with or without a `v` before it */
function takeMajor(version) {
  return version.replace(/^v/, '').split('.')[0];
}
