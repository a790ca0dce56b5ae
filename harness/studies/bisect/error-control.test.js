import { describe, expect, test } from '@jest/globals';
import { judgeCells } from '../../stats/decision-rule.js';
import { drawNoise } from '../../testing/simulation/noise.js';
import { seedGenerator } from '../../stats/random.js';
import { makeStep } from './test-support/fixtures.js';
import { judgeStep } from './step.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */
/** @import { CellInput, CellJudgement } from '../../stats/decision-rule.js' */
/** @import { NoiseShape } from '../../testing/simulation/noise.js' */
/** @import { ArmComparison, StepAnswer } from '../../formats/types.ts' */

const LOOKS = [12, 24, 48, 96];
const SPREAD = 0.042;
/** Few, for the time that a test may take; decision 0011 has the rates of thousands. */
const RUNS = 60;

/**
 * @typedef {object} World
 * @property {number} ratio true ratio to the good end
 * @property {number} [controlRatio] that of the control, of a machine that is not sound
 * @property {number} boundary
 * @property {NoiseShape} noise
 * @property {number} alpha
 */

/**
 * Plays a step look by look, as a run does.
 *
 * @param {World} world
 * @param {RandomGenerator} random
 * @returns {StepAnswer}
 */
function playStep({ ratio, controlRatio = 1, boundary, noise, alpha }, random) {
  const rule = { alpha, minimumEffect: 0.03, looks: LOOKS, boundary };
  /** @param {number} center */
  const draw = (center) =>
    Array.from(
      { length: LOOKS[LOOKS.length - 1] },
      () => center + SPREAD * drawNoise(noise, random),
    );
  const arms = {
    baseline: draw(0),
    candidate: draw(Math.log(ratio)),
    control: draw(Math.log(controlRatio)),
  };
  /** @type {CellInput} */
  const input = { samples: [], refused: false };
  for (const size of LOOKS) {
    const values = {
      baseline: arms.baseline.slice(0, size),
      candidate: arms.candidate.slice(0, size),
      control: arms.control.slice(0, size),
    };
    input.samples.push({ size, values });
    const [judgement] = judgeCells([input], rule);
    if (judgement.decided) return answerOf(judgement, size, boundary);
  }
  throw new Error('the last look decides');
}

/**
 * @param {CellJudgement} judgement
 * @param {number} size processes a side
 * @param {number} boundary
 */
function answerOf({ verdict, effect }, size, boundary) {
  const { estimate, low, high } = effect?.interval ?? { estimate: 0, low: 0, high: 0 };
  const ratio = { estimate: Math.exp(estimate), low: Math.exp(low), high: Math.exp(high) };
  const processes = { baseline: size, candidate: size, control: size };
  const step = makeStep({ verdict, processes, effect: /** @type {ArmComparison} */ ({ ratio }) });
  return judgeStep(step, boundary).answer;
}

/**
 * @param {World} world
 * @returns {Record<StepAnswer, number>} shares
 */
function playSteps(world) {
  const random = seedGenerator(3);
  const counts = { good: 0, bad: 0, unsettled: 0, unusable: 0 };
  for (let run = 0; run < RUNS; run++) counts[playStep(world, random)] += 1;
  const share = (/** @type {StepAnswer} */ answer) => counts[answer] / RUNS;
  return {
    good: share('good'),
    bad: share('bad'),
    unsettled: share('unsettled'),
    unusable: share('unusable'),
  };
}

describe('a step errs no more often than it allows itself', () => {
  test('a candidate on the boundary itself, where either answer is wrong', () => {
    // A high rate shows in few runs: without the correction for four looks it would be 0.4.
    const alpha = 0.2;
    const world = { ratio: 1.2, boundary: 1.2, noise: /** @type {const} */ ('normal'), alpha };
    const { good, bad } = playSteps(world);
    const twoErrors = 2 * Math.sqrt((alpha * (1 - alpha)) / RUNS);
    expect(good + bad).toBeLessThanOrEqual(alpha + twoErrors);
    // A step that allows itself so much and never errs would need more processes than it should.
    expect(good + bad).toBeGreaterThanOrEqual(alpha - twoErrors);
  });

  test.each(
    /** @type {[number, StepAnswer][]} */ ([
      [1, 'good'],
      [1.3, 'bad'],
    ]),
  )('×%d is told from a boundary half way to ×1.3: %s', (ratio, answer) => {
    const world = { boundary: Math.sqrt(1.3), noise: /** @type {const} */ ('t3'), alpha: 0.005 };
    expect(playSteps({ ...world, ratio })[answer]).toBeGreaterThan(0.95);
  });
});

describe('a control that is off', () => {
  const shape = { noise: /** @type {const} */ ('normal'), alpha: 0.005 };

  test.each(
    /** @type {[string, number, number, StepAnswer][]} */ ([
      ['far from 1, where the word alone would stand', 1.45, 1.35, 'good'],
      ['near to 1, where there may be no word', 1.02, 1.07, 'bad'],
    ]),
  )('leaves no wrong answer that it could have made: %s', (_, ratio, boundary, wrong) => {
    const answers = playSteps({ ...shape, ratio, boundary, controlRatio: 1.1 });
    expect(answers.unsettled).toBeGreaterThan(0.75);
    expect(answers[wrong]).toBe(0);
  });

  test.each(
    /** @type {[number, StepAnswer][]} */ ([
      [1, 'good'],
      [1.6, 'bad'],
    ]),
  )('takes no answer away that it could not have made: ×%d is %s', (ratio, answer) => {
    const world = { ...shape, ratio, boundary: 1.2, controlRatio: 1.08 };
    expect(playSteps(world)[answer]).toBeGreaterThan(0.9);
  });
});
