import { judgeCells } from '../../stats/decision-rule.js';
import { seedGenerator } from '../../stats/random.js';
import { drawNoise } from '../../studies/simulation/noise.js';
import { judgeStep } from './step.js';
import { makeStep } from './test-support/fixtures.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */
/** @import { CellInput, CellJudgement } from '../../stats/decision-rule.js' */
/** @import { NoiseShape } from '../../studies/simulation/noise.js' */
/** @import { ArmComparison, ContractRow, StepAnswer, VerdictWord } from '../../formats/types.ts' */

/**
 * @param {number} low
 * @param {number} high
 */
function between(low, high) {
  return /** @type {ArmComparison} */ ({ ratio: { estimate: Math.sqrt(low * high), low, high } });
}

describe('a step of the search', () => {
  test.each([
    ['above the boundary', between(1.21, 1.4), 'bad'],
    ['below the boundary', between(1.02, 1.19), 'good'],
    ['around the boundary', between(1.1, 1.3), 'unsettled'],
  ])('is judged by its interval, whatever the verdict: %s', (_, effect, answer) => {
    // The usual rule calls all three slower.
    expect(judgeStep(makeStep({ effect }), 1.2).answer).toBe(answer);
  });

  test('with an inconclusive verdict has an answer if the interval excludes the boundary', () => {
    const step = makeStep({ verdict: 'inconclusive', effect: between(0.9, 1.1) });
    expect(judgeStep(step, 1.2)).toMatchObject({ answer: 'good', reason: null });
  });

  test('with three processes per variant is unsettled', () => {
    const processes = { baseline: 12, candidate: 3, control: 12 };
    const judged = judgeStep(makeStep({ processes, effect: between(2, 3) }), 1.2);
    expect(judged).toMatchObject({ answer: 'unsettled', processes: 3 });
  });
});

test.each(
  /** @type {[VerdictWord, StepAnswer][]} */ ([
    ['slower', 'bad'],
    ['faster', 'good'],
    ['equivalent', 'good'],
    ['inconclusive', 'unsettled'],
  ]),
)('without a boundary, %s is %s', (verdict, answer) => {
  expect(judgeStep(makeStep({ verdict }), null).answer).toBe(answer);
});

describe('whatever the figures', () => {
  /** @type {import('../../formats/types.ts').Difference} */
  const difference = {
    ...{ variant: 'npm:codec@1.2.0', cellId: 'serialize flat', document: 3 },
    ...{ path: 'a.b', expected: '1', found: '2' },
  };
  /** @param {string} name @returns {ContractRow} */
  const row = (name) => ({ theme: '', name, promise: '', outcome: 'fails', detail: null });
  const contracts = {
    'npm:codec@1.0.0': [row('cycles')],
    'npm:codec@1.2.0': [row('known'), row('key-order'), row('cycles')],
  };
  const failedJob = {
    jobId: 'serialize flat/000/1/candidate',
    failedAttempts: 1,
    failure: {
      reason: /** @type {const} */ ('signal'),
      detail: 'ended by SIGKILL',
      lastLines: [],
    },
  };

  test.each([
    [
      'a failed control leaves it unsettled',
      makeStep({ verdict: 'untrusted' }),
      'unsettled',
      /^the control differs as well/,
    ],
    [
      'an interruption leaves it unsettled',
      makeStep({}, { ended: 'interrupted' }),
      'unsettled',
      /^interrupted$/,
    ],
    [
      'wrong bytes make it unusable, with their place',
      makeStep({ verdict: 'refused' }, { differences: [difference] }),
      'unusable',
      /npm:codec@1\.2\.0, document 3, a\.b/,
    ],
    [
      'a failing row of the contract makes it unusable, unless it is accepted',
      makeStep({ verdict: 'refused' }, {}, contracts),
      'unusable',
      /^breaks the behaviour contract: cycles \(npm:codec@1\.0\.0\); key-order,cycles \(npm:codec@1\.2\.0\)$/,
    ],
    [
      'a job that never measured makes it unusable',
      makeStep({}, { failedJobs: [{ ...failedJob, measured: false }] }),
      'unusable',
      /^the job serialize flat\/000\/1\/candidate ended by SIGKILL/,
    ],
  ])('%s', (_, step, answer, reason) => {
    expect(judgeStep(step, 1.2)).toMatchObject({ answer, reason: expect.stringMatching(reason) });
  });

  test('a job that measured when it was repeated does not count', () => {
    const failedJobs = [{ ...failedJob, measured: true }];
    expect(judgeStep(makeStep({}, { failedJobs }), 1.2).answer).toBe('bad');
  });
});

const LOOKS = [16, 32, 64, 128];
const SPREAD = 0.042;
/** Few, to limit the time of the test; decision 0011 has rates of thousands. */
const RUNS = 60;

/**
 * @typedef {object} World
 * @property {number} ratio true ratio to the good end
 * @property {number} [controlRatio] that of the control; 1 on a sound host
 * @property {number} boundary
 * @property {NoiseShape} noise
 * @property {number} alpha
 */

/**
 * Simulates a step look by look, as a run measures it.
 * @type {(world: World, random: RandomGenerator) => StepAnswer}
 */
function simulateStep({ ratio, controlRatio = 1, boundary, noise, alpha }, random) {
  const rule = { alpha, minimumEffect: 0.03, looks: LOOKS, boundary };
  const draw = (/** @type {number} */ trueRatio) =>
    Array.from(
      { length: LOOKS[LOOKS.length - 1] },
      () => Math.log(trueRatio) + SPREAD * drawNoise(noise, random),
    );
  const [baseline, candidate, control] = [draw(1), draw(ratio), draw(controlRatio)];
  /** @type {CellInput} */
  const input = { samples: [], refused: false };
  for (const size of LOOKS) {
    const figures = {
      baseline: baseline.slice(0, size / 2),
      candidate: candidate.slice(0, size),
      control: control.slice(0, size / 2),
    };
    input.samples.push({ size, isEarly: false, figures });
    const [judgement] = judgeCells([input], rule);
    if (judgement.decided) return answerOf(judgement, size, boundary);
  }
  throw new Error('the last look decides');
}

/**
 * @param {CellJudgement} judgement
 * @param {number} size processes per variant
 * @param {number} boundary
 */
function answerOf({ verdict, effect }, size, boundary) {
  const { estimate, low, high } = effect?.interval ?? { estimate: 0, low: 0, high: 0 };
  const ratio = { estimate: Math.exp(estimate), low: Math.exp(low), high: Math.exp(high) };
  const processes = { baseline: size / 2, candidate: size, control: size / 2 };
  const step = makeStep({ verdict, processes, effect: /** @type {ArmComparison} */ ({ ratio }) });
  return judgeStep(step, boundary).answer;
}

/**
 * @param {World} world
 * @returns {Record<StepAnswer, number>} shares
 */
function simulateSteps(world) {
  const random = seedGenerator(3);
  const shares = { good: 0, bad: 0, unsettled: 0, unusable: 0 };
  for (let run = 0; run < RUNS; run++) shares[simulateStep(world, random)] += 1 / RUNS;
  return shares;
}

describe('the error rate of a step', () => {
  test('is alpha for a candidate on the boundary, where both answers are wrong', () => {
    // A high rate shows in few runs: without the correction for four looks it would be 0.4.
    const alpha = 0.2;
    const { good, bad } = simulateSteps({ ratio: 1.2, boundary: 1.2, noise: 'normal', alpha });
    const twoErrors = 2 * Math.sqrt((alpha * (1 - alpha)) / RUNS);
    expect(good + bad).toBeLessThanOrEqual(alpha + twoErrors);
    // A lower rate would mean that the step uses more processes than it needs.
    expect(good + bad).toBeGreaterThanOrEqual(alpha - twoErrors);
  });

  test.each(
    /** @type {[number, StepAnswer][]} */ ([
      [1, 'good'],
      [1.3, 'bad'],
    ]),
  )('is low half way between the ends: ×%d is %s', (ratio, answer) => {
    const world = { ratio, boundary: Math.sqrt(1.3), noise: /** @type {const} */ ('t3') };
    expect(simulateSteps({ ...world, alpha: 0.005 })[answer]).toBeGreaterThan(0.95);
  });

  test.each(
    /** @type {[string, number, number, StepAnswer][]} */ ([
      ['far from 1, where the verdict alone is slower', 1.45, 1.35, 'good'],
      ['near 1, where the verdict may be inconclusive', 1.02, 1.07, 'bad'],
    ]),
  )('is zero with a biased control: %s', (_, ratio, boundary, wrong) => {
    const world = { ratio, boundary, controlRatio: 1.1, noise: /** @type {const} */ ('normal') };
    const answers = simulateSteps({ ...world, alpha: 0.005 });
    expect(answers.unsettled).toBeGreaterThan(0.75);
    expect(answers[wrong]).toBe(0);
  });

  test.each(
    /** @type {[number, StepAnswer][]} */ ([
      [1, 'good'],
      [1.6, 'bad'],
    ]),
  )('allows answers that the bias of the control cannot cause: ×%d is %s', (ratio, answer) => {
    const world = { ratio, boundary: 1.2, controlRatio: 1.08, alpha: 0.005 };
    expect(simulateSteps({ ...world, noise: 'normal' })[answer]).toBeGreaterThan(0.75);
  });
});
