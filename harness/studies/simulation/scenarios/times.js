import { omitUndefined } from '../../../lib/records.js';
import { averageEffects } from '../../../stats/compare.js';
import { drawUniform } from '../../../stats/random.js';
import { describePlayed, makeQuestion, playFigures } from '../looks.js';
import { drawNormal, drawStudent3 } from '../noise.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */
/** @import { PlannedJob, Question, SimulationLimits } from '../../../formats/types.ts' */
/** @import { Scenario } from '../scenario.js' */

/** Standard deviation between processes on the log scale, as on a shared host. */
export const SPREAD = 0.042;

/**
 * Draws the log noise of one process after the other, in the order in which they run; null where a process
 * has no figure.
 *
 * @typedef {(job: PlannedJob) => number | null} NoiseSource
 */

/** Models of the noise between processes. @type {Record<string, (random: RandomGenerator) => NoiseSource>} */
export const NOISE = {
  normal: (random) => () => SPREAD * drawNormal(random),
  'Student t, 3 degrees of freedom': (random) => () => SPREAD * drawStudent3(random),
  skewed: (random) => () => -SPREAD * Math.log(1 - drawUniform(random)),
  ...Object.fromEntries(
    [0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.75].map((share) => [
      `${share * 100} % of the processes 1.5 times slower`,
      twoModes(share, 1.5),
    ]),
  ),
  '25 % of the processes 1.08 times slower': twoModes(0.25, 1.08),
  'drift of 10 % over 256 jobs': (random) => {
    let jobs = 0;
    return () => (0.1 * jobs++) / 256 + (SPREAD / 2) * drawNormal(random);
  },
  'steps every 30 jobs': (random) => {
    let level = 0;
    return () => {
      if (drawUniform(random) < 1 / 30) level = SPREAD * drawNormal(random);
      return level + 0.01 * drawNormal(random);
    };
  },
  'autocorrelation 0.8': autocorrelated(0.8),
  'autocorrelation -0.5': autocorrelated(-0.5),
  'neighbour in episodes of 8 jobs': (random) => {
    let isBusy = false;
    return () => {
      if (drawUniform(random) < 1 / 8) isBusy = drawUniform(random) < 0.4;
      return (isBusy ? Math.log(1.4) : 0) + 0.02 * drawNormal(random);
    };
  },
  'candidate with twice the spread': unequal(2),
  'candidate with half the spread': unequal(0.5),
  ...Object.fromEntries(
    [0.3, 0.6, 0.75, 0.85].map((share) => [
      `${share * 100} % of the processes without a figure`,
      (/** @type {RandomGenerator} */ random) => () =>
        drawUniform(random) < share ? null : SPREAD * drawNormal(random),
    ]),
  ),
};

/** @type {(share: number, ratio: number) => (random: RandomGenerator) => NoiseSource} */
function twoModes(share, ratio) {
  return (random) => () =>
    (drawUniform(random) < share ? Math.log(ratio) : 0) + 0.02 * drawNormal(random);
}

/** @type {(correlation: number) => (random: RandomGenerator) => NoiseSource} */
function autocorrelated(correlation) {
  const innovation = SPREAD * Math.sqrt(1 - correlation ** 2);
  return (random) => {
    let level = SPREAD * drawNormal(random);
    return () => {
      level = correlation * level + innovation * drawNormal(random);
      return level;
    };
  };
}

/** @type {(factor: number) => (random: RandomGenerator) => NoiseSource} */
function unequal(factor) {
  return (random) =>
    ({ arm }) =>
      (arm === 'candidate' ? factor : 1) * SPREAD * drawNormal(random);
}

/** Limits where the arms are equal, and where one of them is slower. */
const EQUAL = { wrong: 0.02, missed: 0.02 };
const KNOWN = { ...EQUAL, falselyEquivalent: 0.01 };

/**
 * @param {string} name
 * @param {object} truth
 * @param {string} truth.noise
 * @param {number[]} truth.ratios candidate / baseline, by cell, or by candidate of one cell after the other
 * @param {number} [truth.candidates] that share a baseline
 * @param {number} [truth.baselineRatio] by which the baseline alone is off
 * @param {number} [truth.controlRatio] by which the control alone is off
 * @param {number} [truth.pull] part of the log ratio that is lost where both variants run at the same time
 * @param {Question['schedule']} [truth.schedule]
 * @param {number[]} [truth.looks]
 * @param {SimulationLimits} [limits]
 * @returns {Scenario}
 */
function makeScenario(name, truth, limits = EQUAL) {
  const { noise, ratios, candidates = 1, baselineRatio = 1, controlRatio = 1 } = truth;
  const { pull = 0, schedule, looks } = truth;
  const truths = ratios.map(Math.log);
  const offsets = { baseline: Math.log(baselineRatio), control: Math.log(controlRatio) };
  return {
    group: 'times',
    name,
    limits,
    play(random) {
      const question = makeQuestion(ratios.length / candidates, random.next(), {
        candidates: Array.from({ length: candidates }, (_, index) => `b${index}`),
        ...omitUndefined({ schedule, looks }),
      });
      const draw = (NOISE[noise] ?? PAIR_NOISE[noise])(random);
      const played = playFigures(question, (job, cell) => {
        const value = draw(job);
        if (value === null) return null;
        return value + (job.arm === 'candidate' ? (1 - pull) * truths[cell] : offsets[job.arm]);
      });
      return { cells: describePlayed(played, (cell) => truths[cell]) };
    },
  };
}

/** @param {number} count */
const ones = (count) => /** @type {number[]} */ (Array(count).fill(1));

/** Runs of six cells take long to simulate, so only some kinds of noise have them. */
const OF_SIX_CELLS = [
  'normal',
  'Student t, 3 degrees of freedom',
  'skewed',
  '30 % of the processes 1.5 times slower',
  'drift of 10 % over 256 jobs',
  'neighbour in episodes of 8 jobs',
  '60 % of the processes without a figure',
];

/** @type {Scenario[]} */
const EQUAL_ARMS = [
  ...Object.keys(NOISE).map((noise) => makeScenario(noise, { noise, ratios: [1] })),
  ...OF_SIX_CELLS.map((noise) => makeScenario(`${noise}, 6 cells`, { noise, ratios: ones(6) })),
];

/** Largest share of true differences that may be overlooked, by the percentage of the difference. */
const OVERLOOKED = { 1.5: 1, 3: 0.065, 5: 0.05, 10: 0.02, 20: 0.02 };

/** @type {(noise: string, schedule?: Question['schedule']) => Scenario[]} slower by the percentages of `OVERLOOKED` */
function listKnown(noise, schedule) {
  return Object.entries(OVERLOOKED).map(([percent, overlooked]) => {
    const truth = { noise, ratios: [1 + Number(percent) / 100], ...omitUndefined({ schedule }) };
    return makeScenario(`${noise}, ${percent} % slower`, truth, { ...KNOWN, overlooked });
  });
}

const SHAPES = ['normal', 'Student t, 3 degrees of freedom', 'skewed'];
const NORMAL = { noise: 'normal', ratios: [1] };
const AT_MARGIN = { falselyEquivalent: 0.01 };

const OTHER = [
  ...[...SHAPES, '10 % of the processes 1.5 times slower'].flatMap((noise) => listKnown(noise)),
  makeScenario('normal, 3 % faster', { noise: 'normal', ratios: [1 / 1.03] }, AT_MARGIN),
  makeScenario('skewed, 3 % faster', { noise: 'skewed', ratios: [1 / 1.03] }, AT_MARGIN),
  makeScenario('normal, 10 % slower in 1 of 6 cells', { ...NORMAL, ratios: [1.1, ...ones(5)] }),
  // The arms are not equal here, so these have no limit: they show what the check of the control is worth.
  makeScenario('control off by 1 %', { ...NORMAL, controlRatio: 1.01 }, {}),
  makeScenario('control off by 2 %', { ...NORMAL, controlRatio: 1.02 }, {}),
  makeScenario('control off by 5 %', { ...NORMAL, controlRatio: 1.05 }, {}),
  makeScenario('baseline off by 2 %', { ...NORMAL, baselineRatio: 1.02 }, {}),
  makeScenario('baseline off by 5 %', { ...NORMAL, baselineRatio: 1.05 }, {}),
];

const FOUR = { noise: 'normal', candidates: 4 };

/** Several candidates and one baseline, which all of them share. */
const SEVERAL = [
  ...[2, 4, 8].flatMap((candidates) =>
    [...SHAPES, '30 % of the processes 1.5 times slower'].map((noise) =>
      makeScenario(`${noise}, ${candidates} candidates`, {
        ...{ noise, candidates, ratios: ones(candidates) },
      }),
    ),
  ),
  makeScenario('normal, 4 candidates, 6 cells', { ...FOUR, ratios: ones(24) }),
  makeScenario('normal, 1 of 4 candidates 10 % slower', { ...FOUR, ratios: [1, 1.1, 1, 1] }),
  makeScenario(
    'normal, 4 candidates 3 % slower',
    { ...FOUR, ratios: [1.03, 1.03, 1.03, 1.03] },
    KNOWN,
  ),
  // Without a limit, as above: one disturbed arm concerns all candidates.
  makeScenario(
    'control off by 2 %, 4 candidates',
    { ...FOUR, ratios: ones(4), controlRatio: 1.02 },
    {},
  ),
];

/** Spread of one of two processes that run at the same time, beside what they share. */
const OWN_SPREAD = 0.018;
/** The same on a busy host; the spread of a difference of pairs is then 5 %. */
const WIDE_SPREAD = 0.05 / Math.SQRT2;

/**
 * Noise of two processes that run at the same time.
 * @type {Record<string, (random: RandomGenerator) => NoiseSource>}
 */
export const PAIR_NOISE = {
  pairs: pairedNoise((random) => OWN_SPREAD * drawNormal(random)),
  'pairs, spread 5 %': pairedNoise((random) => WIDE_SPREAD * drawNormal(random)),
  'pairs, Student t, 3 degrees of freedom': pairedNoise(
    (random) => OWN_SPREAD * drawStudent3(random),
  ),
  'pairs, skewed': pairedNoise((random) => -OWN_SPREAD * Math.log(1 - drawUniform(random))),
  'pairs, one core 3 % slower': pairedNoise(
    (random, { position }) => OWN_SPREAD * drawNormal(random) + 0.03 * (position % 2),
  ),
  'pairs, a neighbour on one core in 30 % of the processes': pairedNoise(
    (random, { position }) =>
      OWN_SPREAD * drawNormal(random) +
      (position % 2 === 0 && drawUniform(random) < 0.3 ? Math.log(1.3) : 0),
  ),
  'pairs, candidate with twice the spread': pairedNoise(
    (random, { arm }) => (arm === 'candidate' ? 2 : 1) * OWN_SPREAD * drawNormal(random),
  ),
  'pairs, 40 % of the processes without a figure': pairedNoise((random) =>
    drawUniform(random) < 0.4 ? null : OWN_SPREAD * drawNormal(random),
  ),
};

/**
 * @param {(random: RandomGenerator, job: PlannedJob) => number | null} drawOwn
 * @returns {(random: RandomGenerator) => NoiseSource} with a part that both processes of a pair share
 */
function pairedNoise(drawOwn) {
  return (random) => {
    let pair = '';
    let shared = 0;
    return (job) => {
      const { block, position } = job;
      const its = `${block}/${position >> 1}`;
      if (its !== pair) shared = SPREAD * drawNormal(random);
      pair = its;
      const own = drawOwn(random, job);
      return own === null ? null : shared + own;
    };
  };
}

/** As a question has it: one job at a time, and two. @type {Question['schedule'][]} */
export const SCHEDULES = [undefined, 'paired'];

const PAIRED = { noise: 'pairs', schedule: /** @type {const} */ ('paired') };
const PAIRS = [
  ...Object.keys(PAIR_NOISE).map((noise) => makeScenario(noise, { ...PAIRED, noise, ratios: [1] })),
  makeScenario('pairs, 6 cells', { ...PAIRED, ratios: ones(6) }),
  makeScenario('pairs, spread 5 %, 6 cells', {
    ...PAIRED,
    noise: 'pairs, spread 5 %',
    ratios: ones(6),
  }),
  ...['pairs', 'pairs, spread 5 %'].map((noise) =>
    makeScenario(`${noise}, 16 processes`, { ...PAIRED, noise, ratios: [1], looks: [16] }),
  ),
  makeScenario('pairs, 4 candidates', { ...PAIRED, ratios: ones(4), candidates: 4 }),
  ...listKnown('pairs', 'paired'),
  ...[1.05, 1.2, 2].map((ratio) =>
    makeScenario(
      `pairs, pulled by 10 %, ${Math.round(100 * (ratio - 1))} % slower`,
      { ...PAIRED, ratios: [ratio], pull: 0.1 },
      KNOWN,
    ),
  ),
];

/** The geometric mean over three cells with one true ratio. @type {Scenario[]} */
const MEANS = [1, 1.03, 1.05].map((ratio) => ({
  group: 'times',
  name: `geometric mean of 3 cells, all ${Math.round((ratio - 1) * 100)} % slower`,
  limits: { missed: 0.02 },
  play(random) {
    const truth = Math.log(ratio);
    const question = makeQuestion(3, random.next());
    const played = playFigures(
      question,
      ({ arm }) => (arm === 'candidate' ? truth : 0) + SPREAD * drawNormal(random),
    );
    const effects = played.flatMap(({ judgement }) => judgement.effect ?? []);
    const interval = averageEffects(effects, question);
    const processes = played[0].samples.at(-1)?.size ?? 0;
    return { cells: [{ truth, verdict: 'inconclusive', interval, processes }] };
  },
}));

export const TIME_SCENARIOS = [...EQUAL_ARMS, ...OTHER, ...SEVERAL, ...PAIRS, ...MEANS];
