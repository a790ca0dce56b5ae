import { FORMAT_VERSION } from '../../formats/format-version.js';
import { judgeCells } from '../../stats/decision-rule.js';
import { ARMS, PROCESSES_PER_BLOCK } from '../../stats/plan.js';
import { makeMeasurement } from './measurements.js';
import { drawNoise } from '../../studies/simulation/noise.js';
import { forEachVerdict, isFaster, isSlower } from '../../stats/verdicts.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */
/** @import { Arm, Cell, Observation, Question, VerdictWord } from '../../formats/types.ts' */
/** @import { LookSample } from '../../stats/cell/samples.js' */
/** @import { CellJudgement } from '../../stats/decision-rule.js' */
/** @import { NoiseShape } from '../../studies/simulation/noise.js' */

/**
 * A simulated host and cells with a known truth.
 *
 * @typedef {object} Scenario
 * @property {number[]} ratios true ratio candidate / baseline, one for each cell
 * @property {number} controlRatio true ratio control / baseline: 1 for a sound machine
 * @property {NoiseShape} noise shape of the noise between processes
 * @property {number} spread its standard deviation on the log scale
 */

/**
 * How often things happened. Rates are shares of cells, except `runsWithFalseDirection`.
 *
 * @typedef {object} RuleRates
 * @property {Record<VerdictWord, number>} verdicts
 * @property {number} rightDirection cells with a true difference whose verdict has its direction
 * @property {number} runsWithFalseDirection share of runs with a direction in a cell without a true
 *   difference, or of the wrong direction
 * @property {number} falseEquivalent cells called equivalent whose true ratio is at or beyond the
 *   minimum effect
 * @property {number} covered cells whose final interval holds the true ratio
 * @property {number} controlDiffered cells whose control was called deviating at the end
 * @property {number} processes mean number of processes per arm
 */

/** @typedef {Pick<Question, 'alpha' | 'minimumEffect' | 'looks'>} Rule */

/**
 * Simulates whole runs: draws processes up to a look, judges all cells, continues with those that are
 * not decided, and counts the final verdicts. It uses the decision rule of `compareRun` itself.
 *
 * @param {Rule} rule
 * @param {Scenario} scenario
 * @param {number} runs
 * @param {RandomGenerator} random advanced by the call
 * @returns {RuleRates}
 */
export function simulateRule(rule, scenario, runs, random) {
  const rates = noCounts();
  const cellCount = runs * scenario.ratios.length;
  for (let run = 0; run < runs; run++) {
    const cells = playRun(rule, scenario, random);
    const truths = scenario.ratios.map(Math.log);
    cells.forEach((cell, index) => countCell(rates, cell, truths[index], rule));
    const wrong = cells.some(({ judgement }, index) => isFalse(judgement, truths[index]));
    if (wrong) rates.runsWithFalseDirection += 1 / runs;
  }
  /** @param {number} count */
  const share = (count) => count / cellCount;
  return {
    ...rates,
    verdicts: forEachVerdict((word) => share(rates.verdicts[word])),
    rightDirection: share(rates.rightDirection),
    falseEquivalent: share(rates.falseEquivalent),
    covered: share(rates.covered),
    controlDiffered: share(rates.controlDiffered),
    processes: share(rates.processes),
  };
}

/** @returns {RuleRates} */
function noCounts() {
  return {
    verdicts: forEachVerdict(() => 0),
    rightDirection: 0,
    runsWithFalseDirection: 0,
    falseEquivalent: 0,
    covered: 0,
    controlDiffered: 0,
    processes: 0,
  };
}

/**
 * @typedef {{ judgement: CellJudgement, processes: number }} PlayedCell
 */

/**
 * One run from its first process to its last verdict.
 * @type {(rule: Rule, scenario: Scenario, random: RandomGenerator) => PlayedCell[]}
 */
function playRun(rule, scenario, random) {
  const inputs = scenario.ratios.map(() => ({
    samples: /** @type {LookSample[]} */ ([]),
    refused: false,
  }));
  /** @type {CellJudgement[]} */
  let judgements = [];
  for (const look of rule.looks) {
    inputs.forEach(({ samples }, index) => {
      if (judgements[index]?.decided) return;
      samples.push(extendSample(samples.at(-1), look, scenario, scenario.ratios[index], random));
    });
    judgements = judgeCells(inputs, rule);
    if (judgements.every(({ decided }) => decided)) break;
  }
  return judgements.map((judgement, index) => ({
    judgement,
    processes: inputs[index].samples.at(-1)?.size ?? 0,
  }));
}

/**
 * The sample of a look: that of the previous look, extended by further processes.
 *
 * @param {LookSample | undefined} before
 * @param {number} size
 * @param {Scenario} scenario
 * @param {number} ratio
 * @param {RandomGenerator} random
 * @returns {LookSample}
 */
function extendSample(before, size, { noise, spread, controlRatio }, ratio, random) {
  /**
   * @param {Arm} arm
   * @param {number} center
   */
  const extend = (arm, center) => {
    const values = [...(before?.figures[arm] ?? [])];
    while (values.length < size) values.push(center + spread * drawNoise(noise, random));
    return values;
  };
  return {
    size,
    figures: {
      baseline: extend('baseline', 0),
      candidate: extend('candidate', Math.log(ratio)),
      control: extend('control', Math.log(controlRatio)),
    },
  };
}

/**
 * @param {RuleRates} counts
 * @param {PlayedCell} cell
 * @param {number} truth log ratio
 * @param {Rule} rule
 */
function countCell(counts, { judgement, processes }, truth, { minimumEffect }) {
  const { verdict, effect, controlDiffers } = judgement;
  counts.verdicts[verdict] += 1;
  counts.processes += processes;
  if (controlDiffers) counts.controlDiffered += 1;
  const isRight = (truth > 0 && isSlower(verdict)) || (truth < 0 && isFaster(verdict));
  if (isRight) counts.rightDirection += 1;
  // The logarithm of a ratio at the minimum may be a rounding error below it.
  const atBound = Math.abs(truth) >= Math.log1p(minimumEffect) - 1e-12;
  if (verdict === 'equivalent' && atBound) counts.falseEquivalent += 1;
  if (effect !== null && effect.interval.low <= truth && truth <= effect.interval.high) {
    counts.covered += 1;
  }
}

/**
 * @param {CellJudgement} judgement
 * @param {number} truth log ratio
 */
function isFalse({ verdict }, truth) {
  return (isSlower(verdict) && truth <= 0) || (isFaster(verdict) && truth >= 0);
}

/** Batches of one process differ by half a per cent (decision 0001). */
const BATCH_SPREAD = 0.005;
const BATCHES = 4;
const WALL_MS = BATCHES * 10;
/** Figures of a process other than its times. */
const USUAL = { documentsPerBatch: 1000, cpuUserMs: WALL_MS, wallMs: WALL_MS, gcCount: 1, gcMs: 1 };
/** Life of a worker from spawn to exit. */
const WORKER_MS = 180;

/**
 * One cell of a simulated run.
 *
 * @typedef {object} SimulatedCell
 * @property {Cell} cell
 * @property {number} baselineNs nanoseconds per document
 * @property {number} ratio true ratio candidate / baseline
 * @property {number} [controlRatio] true ratio control / baseline, by default 1
 * @property {number} processes per arm
 */

/**
 * Simulates the observations of a run, for tests and for timing the analysis: mirrored blocks of
 * undisturbed jobs.
 *
 * @param {SimulatedCell[]} cells
 * @param {{ noise: NoiseShape, spread: number, outputDigest: string }} settings spread on the log
 *   scale
 * @param {RandomGenerator} random advanced by the call
 * @returns {Observation[]} in the order of the plan
 */
export function simulateObservations(cells, { noise, spread, outputDigest }, random) {
  /** @type {Observation[]} */
  const observations = [];
  const mirrored = [...ARMS, ...ARMS.toReversed()];
  const mostBlocks = Math.max(...cells.map(({ processes }) => processes)) / PROCESSES_PER_BLOCK;
  for (let block = 0; block < mostBlocks; block++) {
    for (const { cell, baselineNs, ratio, controlRatio = 1, processes } of cells) {
      if (block >= processes / PROCESSES_PER_BLOCK) continue;
      const ratios = { baseline: 1, candidate: ratio, control: controlRatio };
      mirrored.forEach((arm, position) => {
        const process = baselineNs * ratios[arm] * Math.exp(spread * drawNoise(noise, random));
        const batchNsPerDocument = Array.from(
          { length: BATCHES },
          () => process * Math.exp(BATCH_SPREAD * drawNoise('normal', random)),
        );
        observations.push({
          formatVersion: FORMAT_VERSION,
          jobId: `${cell.id}/${String(block).padStart(3, '0')}/${position}/${arm}`,
          cellId: cell.id,
          arm,
          block,
          position,
          attempt: 1,
          startedAtMs: observations.length * WORKER_MS,
          workerMs: WORKER_MS,
          outcome: 'done',
          outputDigest,
          measurement: makeMeasurement({ ...USUAL, batchNsPerDocument }),
        });
      });
    }
  }
  return observations;
}
