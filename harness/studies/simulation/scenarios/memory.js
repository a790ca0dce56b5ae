import { toLogs } from '../../../stats/means.js';
import { NEGLIGIBLE, judgeMemoryMetrics } from '../../../stats/memory/rule.js';
import { PROCESSES } from '../../../stats/memory/plan.js';
import { forEachArm } from '../../../stats/plan.js';
import { drawUniform } from '../../../stats/random.js';
import { RULE } from '../looks.js';
import { drawNormal } from '../noise.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */
/** @import { Arm, MemoryJobKind, MemoryWord, SimulationLimits, VerdictWord } from '../../../formats/types.ts' */
/** @import { Scenario, SimulatedCell } from '../scenario.js' */

const PROMISE = Object.freeze({ wrong: 0.02, missed: 0.02 });
const TYPICAL_BYTES = 1000;

/** Draws the figure of one process, in bytes. @typedef {(random: RandomGenerator) => number} Draw */

/** The compiler decides once in each process. @type {(share: number, ratio?: number) => Draw} */
const twoModes =
  (share, ratio = 1.04) =>
  (random) =>
    TYPICAL_BYTES * (drawUniform(random) < share ? ratio : 1);

/** @type {(deviation: number) => Draw} log scale */
const normal = (deviation) => (random) => TYPICAL_BYTES * Math.exp(deviation * drawNormal(random));

/** @type {(chance: number) => Draw} */
const sometimesZero = (chance) => (random) =>
  drawUniform(random) < chance ? 0 : 10 * NEGLIGIBLE.bytes;

/**
 * A run in which every figure has the same noise.
 *
 * @typedef {object} MemoryRun
 * @property {Draw} draw
 * @property {number} [figures]
 * @property {MemoryJobKind} [kind] which decides the number of processes
 * @property {number} [ratio] true ratio of candidate to baseline, of the first figure only
 * @property {number} [controlRatio] true ratio of control to baseline, of all figures
 */

/** @type {(name: string, run: MemoryRun, limits?: SimulationLimits) => Scenario} */
function scenario(name, run, limits = PROMISE) {
  const { figures = 1 } = run;
  return {
    group: 'memory',
    name: figures === 1 ? name : `${name}, ${figures} figures`,
    limits,
    play: (random) => ({ cells: judgeRun(run, random) }),
  };
}

/** @type {(run: MemoryRun, random: RandomGenerator) => SimulatedCell[]} */
function judgeRun({ draw, figures = 1, kind = 'allocation', ratio = 1, controlRatio = 1 }, random) {
  const processes = PROCESSES[kind];
  const truths = Array.from({ length: figures }, (_, index) => (index === 0 ? ratio : 1));
  const drafts = truths.map((truth) => {
    /** @type {Record<Arm, number>} */
    const factors = { baseline: 1, candidate: truth, control: controlRatio };
    return {
      name: /** @type {const} */ ('retained'),
      unit: /** @type {const} */ ('bytes'),
      samples: forEachArm((arm) =>
        Array.from({ length: processes }, () => factors[arm] * draw(random)),
      ),
      deterministic: kind === 'retained-snapshot',
    };
  });
  return judgeMemoryMetrics(drafts, RULE).map((metric, index) => ({
    truth: Math.log(truths[index]),
    verdict: toVerdictWord(metric.verdict),
    interval: metric.ratio && toLogs(metric.ratio),
    processes,
  }));
}

/** @type {(word: MemoryWord) => VerdictWord} */
function toVerdictWord(word) {
  if (word === 'larger') return 'slower';
  return word === 'smaller' ? 'faster' : word;
}

/** Figures of two cells and two corpora. */
const MANY = 12;

/** @type {Scenario[]} */
export const MEMORY_SCENARIOS = [
  ...[1, MANY].flatMap((figures) => [
    ...[0.1, 0.3, 0.5].map((share) =>
      scenario(`two modes 4 % apart, share ${share}`, { draw: twoModes(share), figures }),
    ),
    scenario('normal, sd 0.05', { draw: normal(0.05), figures }),
    scenario('zero with chance 0.5', { draw: sometimesZero(0.5), kind: 'collections', figures }),
    scenario('snapshots in two modes, share 0.3', {
      draw: twoModes(0.3),
      kind: 'retained-snapshot',
      figures,
    }),
    scenario('normal, sd 0.05, first ×1.2', { draw: normal(0.05), ratio: 1.2, figures }, {}),
    scenario(
      'two modes 4 % apart, share 0.3, first ×1.05',
      { draw: twoModes(0.3), ratio: 1.05, figures },
      {},
    ),
  ]),
  scenario('normal, sd 0.01', { draw: normal(0.01) }),
  scenario('zero with chance 0.2', { draw: sometimesZero(0.2), kind: 'collections' }),
  ...[0.01, 0.05].map((sd) =>
    scenario(`snapshots with spread, sd ${sd}`, { draw: normal(sd), kind: 'retained-snapshot' }),
  ),
  ...[0.01, 0.05].map((sd) =>
    scenario(`normal, sd ${sd}, first ×1.05`, { draw: normal(sd), ratio: 1.05 }, {}),
  ),
  scenario('two modes 4 % apart, share 0.3, first ×1.2', { draw: twoModes(0.3), ratio: 1.2 }, {}),
  scenario(
    'normal, sd 0.01, at the margin',
    { draw: normal(0.01), ratio: 1.03 },
    { falselyEquivalent: 0.01, missed: 0.02 },
  ),
  // The arms are not equal here, so these have no limit: they show what the check of the control is worth.
  ...[1.02, 1.05].flatMap((controlRatio) =>
    [0.01, 0.05].map((sd) =>
      scenario(`control ×${controlRatio}, sd ${sd}`, { draw: normal(sd), controlRatio }, {}),
    ),
  ),
];
