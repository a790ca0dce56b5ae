import {
  couldControlExplain,
  excludesWidened,
  isStrong,
  judgeInterval,
  MIN_PROCESSES,
} from './cell-verdict.js';
import { poolBaseline } from './collect-cells.js';
import { adjustByHolm } from './holm.js';
import { nominalLevel, overallLevel } from './sequential-levels.js';
import { compareTrimmedMeans, halfWidth } from './yuen-test.js';

/** @import { Question, VerdictWord } from '../formats/types.ts' */
/** @import { LogInterval } from './cell-verdict.js' */
/** @import { LookSample } from './collect-cells.js' */
/** @import { MeanDifference } from './yuen-test.js' */

/**
 * Chance that the control of a cell without a direction is called deviating, at one look or another,
 * although nothing is wrong. Nearly every cell of two equal variants comes here, so it is strict. A
 * direction is rarer and gets acted on: its control is called deviating at α, that is when the
 * interval shown for it excludes 1. Decision 0003 has the figures.
 */
const CALM_CONTROL_LEVEL = 0.005;

/**
 * @typedef {object} CellInput
 * @property {LookSample[]} samples ascending; the last one is everything there is
 * @property {boolean} refused whether an output was wrong
 */

/** @typedef {Pick<Question, 'alpha' | 'minimumEffect' | 'looks' | 'boundary' | 'shard'>} Rule */

/**
 * One arm against the baseline, over the looks so far.
 *
 * @typedef {object} ArmTest
 * @property {MeanDifference} test of the last sample
 * @property {LogInterval} interval repeated confidence interval
 * @property {number} pSequential
 */

/**
 * @typedef {object} CellJudgement
 * @property {VerdictWord} verdict
 * @property {boolean} strong
 * @property {boolean} decided whether measuring of this cell can stop
 * @property {ArmTest | null} effect null when a side has fewer than two processes
 * @property {ArmTest | null} control
 * @property {number} pAdjusted
 * @property {boolean} controlDiffers
 * @property {boolean} heldBackByHolm a direction that the adjustment for the other cells forbids
 * @property {number[]} looks planned ones and, if the data end between two, the size they end at
 */

/**
 * The rule, from samples to verdicts; decision 0002 explains it.
 *
 * @param {CellInput[]} cells every cell of the question: those without data count in Holm's
 *   adjustment, else a verdict given early could be taken back when they arrive
 * @param {Rule} question
 * @returns {CellJudgement[]} in the order given
 */
export function judgeCells(cells, question) {
  const tested = cells.map(({ samples }) => {
    const looks = mergeLooks(question.looks, samples);
    return {
      looks,
      effect: testArms(samples, holdCandidate, looks, question.alpha),
      control: testArms(samples, holdControl, looks, question.alpha),
    };
  });
  // So do the cells of the plan that other hosts measure.
  const elsewhere = (question.shard?.cells.length ?? cells.length) - cells.length;
  const pValues = tested.map(({ effect }) => effect?.pSequential ?? 1);
  const adjusted = adjustByHolm([...pValues, ...Array(elsewhere).fill(1)]);
  return cells.map((cell, index) => judgeCell(cell, tested[index], adjusted[index], question));
}

/** @param {LookSample['values']} values */
function holdCandidate(values) {
  return compareTrimmedMeans(values.candidate, poolBaseline(values));
}

/** @param {LookSample['values']} values */
function holdControl({ control, baseline }) {
  return compareTrimmedMeans(control, baseline);
}

/**
 * Compares two arms at every look so far.
 *
 * @param {LookSample[]} samples
 * @param {(values: LookSample['values']) => MeanDifference | null} hold
 * @param {number[]} looks
 * @param {number} alpha
 * @returns {ArmTest | null}
 */
function testArms(samples, hold, looks, alpha) {
  const tests = samples.map(({ values }) => hold(values));
  const test = tests.at(-1);
  if (test == null) return null;
  const lowestP = Math.min(...tests.map((each) => each?.p ?? 1));
  const half = halfWidth(test, nominalLevel(alpha, looks));
  const { difference } = test;
  const interval = { estimate: difference, low: difference - half, high: difference + half };
  return { test, interval, pSequential: overallLevel(lowestP, looks) };
}

/**
 * @param {CellInput} cell
 * @param {{ looks: number[], effect: ArmTest | null, control: ArmTest | null }} tested
 * @param {number} pAdjusted
 * @param {Rule} question
 * @returns {CellJudgement}
 */
function judgeCell({ samples, refused }, { looks, effect, control }, pAdjusted, question) {
  const minimumEffect = Math.log1p(question.minimumEffect);
  const atLastLook = (samples.at(-1)?.size ?? 0) >= (question.looks.at(-1) ?? 0);
  const enough = effect !== null && hasEnough(samples);
  /** @param {boolean} rejected */
  const judge = (rejected) =>
    enough ? judgeInterval(effect.interval, minimumEffect, rejected) : 'inconclusive';
  const word = judge(pAdjusted <= question.alpha);
  const heldBackByHolm = word === 'inconclusive' && judge(true) !== 'inconclusive';

  const controlLevel = isDirection(word) ? question.alpha : CALM_CONTROL_LEVEL;
  const controlDiffers = control !== null && control.test.p <= nominalLevel(controlLevel, looks);
  const boundary = question.boundary === undefined ? null : Math.log(question.boundary);
  /** @param {LogInterval} interval  @param {number} deviation of the control */
  const isExplained = (interval, deviation) => {
    // What is claimed of a cell with a boundary is its side of that, whatever the word.
    if (boundary !== null) return !excludesWidened(interval, boundary, deviation);
    return word !== 'inconclusive' && couldControlExplain(word, interval, deviation, minimumEffect);
  };
  const explained =
    controlDiffers && enough && isExplained(effect.interval, control.interval.estimate);

  const settled =
    boundary === null
      ? word !== 'inconclusive'
      : enough && excludesWidened(effect.interval, boundary, 0);
  const verdict = refused ? 'refused' : explained ? 'untrusted' : word;
  return {
    verdict,
    strong: effect !== null && isDirection(verdict) && isStrong(effect.interval, minimumEffect),
    // A disturbed control may calm down, so an untrusted cell goes on to its next look.
    decided: atLastLook || refused || (settled && !explained),
    effect,
    control,
    pAdjusted,
    controlDiffers,
    heldBackByHolm,
    looks,
  };
}

/** @param {VerdictWord} word */
function isDirection(word) {
  return word === 'faster' || word === 'slower';
}

/**
 * @param {LookSample[]} samples
 * @returns {boolean} whether both sides have enough processes for a verdict
 */
function hasEnough(samples) {
  const values = samples.at(-1)?.values;
  return (
    values !== undefined &&
    values.baseline.length >= MIN_PROCESSES &&
    values.candidate.length >= MIN_PROCESSES
  );
}

/**
 * Planned looks and the sizes really looked at, ascending. A run cut off between two looks has been
 * looked at once more than planned, and may still go on to all the others.
 *
 * @param {readonly number[]} planned
 * @param {LookSample[]} samples
 * @returns {number[]}
 */
function mergeLooks(planned, samples) {
  const sizes = new Set([...planned, ...samples.map(({ size }) => size)]);
  return [...sizes].sort((a, b) => a - b);
}
