import { FORMAT_VERSION } from '../../formats/format-version.js';
import { listLogs } from '../../stats/calibration/noise.js';
import { judgeCells } from '../../stats/decision-rule.js';
import { toRatios } from '../../stats/means.js';
import { countPerVariant, forEachArm } from '../../stats/plan.js';
import { contrastOf } from '../../stats/contrast.js';
import { drawNoise, drawNormal } from '../../studies/simulation/noise.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */
/** @import { Question, Trial, TrialProcess } from '../../formats/types.ts' */
/** @import { CellJudgement } from '../../stats/decision-rule.js' */
/** @import { LookSample } from '../../stats/cell/samples.js' */
/** @import { NoiseShape } from '../../studies/simulation/noise.js' */

/** A mirrored block: four processes of each variant, half of the baseline's for the control. */
const { half: HALF } = contrastOf({});
const BLOCK = [...HALF, ...HALF.toReversed()];
/** The same in pairs; the second half swaps their cores. @type {TrialProcess['arm'][]} */
const HALF_BLOCK_OF_PAIRS = ['baseline', 'candidate', 'control', 'candidate'];
const BLOCK_OF_PAIRS = [...HALF_BLOCK_OF_PAIRS, ...HALF_BLOCK_OF_PAIRS.toReversed()];
/** Nanoseconds per document of the baseline. */
const BASELINE_NS = 12_000;

/**
 * A simulated host with known errors.
 *
 * @typedef {object} TrialWorld
 * @property {Trial['mode']} mode
 * @property {Trial['schedule']} [schedule]
 * @property {string[]} cellIds in alternation
 * @property {number[]} injected in alternation, each in all cells before the next
 * @property {NoiseShape} noise shape of the noise between processes
 * @property {number} processDeviation log scale
 * @property {number} driftDeviation of what all processes of a trial share, log scale
 * @property {number} pairDeviation of what both processes of a pair share, log scale
 * @property {number} processMs
 * @property {number} budgetSeconds
 * @property {Pick<Question, 'alpha' | 'minimumEffect' | 'looks'>} rule
 */

/**
 * Simulates trials with a known truth, judged by the decision rule itself.
 *
 * @param {TrialWorld} world
 * @param {number} count
 * @param {RandomGenerator} random advanced by the call
 * @returns {Trial[]} all of them full
 */
export function simulateTrials(world, count, random) {
  const { cellIds, injected } = world;
  return Array.from({ length: count }, (_, number) => {
    const cellId = cellIds[number % cellIds.length];
    const share = injected[Math.floor(number / cellIds.length) % injected.length];
    return simulateTrial(world, { number, cellId, injected: share }, random);
  });
}

/**
 * @param {TrialWorld} world
 * @param {Pick<Trial, 'number' | 'cellId' | 'injected'>} trial
 * @param {RandomGenerator} random
 * @returns {Trial}
 */
function simulateTrial(world, trial, random) {
  const { mode, schedule, budgetSeconds, rule } = world;
  const wallMs = budgetSeconds * 1000;
  const processed = simulateProcesses(world, trial.injected, random);
  const { judgement, processes } = playLooks(processed, rule);
  return {
    formatVersion: FORMAT_VERSION,
    ...trial,
    mode,
    ...(schedule === undefined ? {} : { schedule }),
    isFull: true,
    seed: trial.number,
    startedAtMs: trial.number * wallMs,
    wallMs,
    verdict: judgement.verdict,
    ratio: judgement.effect && toRatios(judgement.effect.interval),
    processes,
    processed,
    hostNoise: { stealShare: 0.001, othersShare: 0.02, throttledMs: null },
  };
}

/** @type {(world: TrialWorld, injected: number, random: RandomGenerator) => TrialProcess[]} */
function simulateProcesses(world, injected, random) {
  const { schedule, noise, processDeviation, driftDeviation, pairDeviation } = world;
  const { processMs, budgetSeconds } = world;
  const shared = Math.log(BASELINE_NS) + driftDeviation * drawNormal(random);
  const [arms, atOnce] = schedule === undefined ? [BLOCK, 1] : [BLOCK_OF_PAIRS, 2];
  const count = atOnce * Math.floor((budgetSeconds * 1000) / processMs);
  let ofPair = 0;
  return Array.from({ length: count }, (_, index) => {
    const position = index % arms.length;
    if (atOnce === 2 && position % 2 === 0) ofPair = pairDeviation * drawNormal(random);
    const cost = arms[position] === 'candidate' ? Math.log1p(injected) : 0;
    const own = processDeviation * drawNoise(noise, random);
    return {
      arm: arms[position],
      startedAtMs: Math.floor(index / atOnce) * processMs,
      workerMs: processMs,
      ns: Math.exp(shared + ofPair + cost + own),
      ...(atOnce === 2 ? { place: { block: Math.floor(index / arms.length), position } } : {}),
    };
  });
}

/**
 * Judges at every look within the budget, and at its end.
 *
 * @param {TrialProcess[]} processed
 * @param {TrialWorld['rule']} rule
 * @returns {{ judgement: CellJudgement, processes: number }}
 */
function playLooks(processed, rule) {
  const logs = listLogs({ processed });
  const available = countPerVariant(forEachArm((arm) => logs[arm].length));
  const sizes = [...rule.looks.filter((look) => look < available), available];
  /** @type {LookSample[]} */
  const samples = sizes.map((size) => ({
    size,
    isEarly: false,
    figures: forEachArm((arm) => logs[arm].slice(0, arm === 'candidate' ? size : size / 2)),
  }));
  for (let count = 1; count < samples.length; count++) {
    const judgement = judge(samples.slice(0, count), rule);
    if (judgement.decided) return { judgement, processes: sizes[count - 1] };
  }
  return { judgement: judge(samples, rule), processes: available };
}

/**
 * @param {LookSample[]} samples
 * @param {TrialWorld['rule']} rule
 */
function judge(samples, rule) {
  return judgeCells([{ samples, refused: false }], rule)[0];
}

/** Like that of `compare`, with fewer looks: judging them takes most of the time of a test. */
const RULE = { alpha: 0.05, minimumEffect: 0.03, looks: [16, 48] };

/** A typical host. @type {(changes?: Partial<TrialWorld>) => TrialWorld} */
export function makeWorld(changes) {
  return {
    mode: 'default',
    cellIds: ['serialize flat', 'deserialize deep'],
    injected: [0],
    noise: 'normal',
    processDeviation: 0.03,
    driftDeviation: 0,
    pairDeviation: 0,
    processMs: 180,
    budgetSeconds: 20,
    rule: RULE,
    ...changes,
  };
}

/**
 * The same with one look, for tests that need no verdicts: simulation is then quick.
 * @type {(changes?: Partial<TrialWorld>) => TrialWorld}
 */
export function makeUnjudgedWorld(changes) {
  return makeWorld({ rule: { ...RULE, looks: [] }, ...changes });
}
