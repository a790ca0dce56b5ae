import { group } from 'd3-array';
import { formatInterval, formatRatio } from '../../lib/numbers.js';
import { meanOf, toRatios } from '../means.js';
import { generatorFor, shuffle } from '../random.js';
import { intervalAround, robustDeviation, testPairs } from '../robust.js';
import { USUAL } from '../usual.js';

/** @import { Cell, CpuGroup, GroupEffect, GroupProcess } from '../../formats/types.ts' */

/** With fewer, an interval may be short by chance. */
const LEAST_BLOCKS = 10;
/** Share of intervals that may miss the truth. */
const MISSED = 0.05;
/** Of the standard deviation: above it, two agents side by side need more time than two that take turns. */
const MOST_NOISE = Math.SQRT2;
/** Random stream of the order within a block, separate from those of trials and placements. */
const STREAM = 2_000_002;

const KINDS = /** @type {const} */ (['arithmetic', 'allocation']);
const ARMS = /** @type {const} */ (['baseline', 'candidate']);

/**
 * A block of one group and one cell: both arms beside nothing and beside each kind of jobs, in random order and then
 * mirrored, so that what drifts is the same for all. Jobs beside the same are neighbours, because the other groups
 * take time to start and to stop.
 *
 * @template G
 * @param {object} plan
 * @param {number} plan.seed
 * @param {number} plan.block from 0
 * @param {readonly G[]} plan.groups
 * @param {readonly Cell[]} plan.cells
 * @returns {{ own: G, others: G[], cell: Cell, jobs: Pick<GroupProcess, 'beside' | 'arm'>[] }}
 */
export function planGroupBlock({ seed, block, groups, cells }) {
  const random = generatorFor(seed, block, STREAM);
  const index = block % groups.length;
  const half = shuffle(/** @type {const} */ (['nothing', ...KINDS]), random).flatMap((beside) =>
    shuffle(ARMS, random).map((arm) => ({ beside, arm })),
  );
  return {
    own: groups[index],
    others: groups.toSpliced(index, 1),
    cell: cells[Math.floor(block / groups.length) % cells.length],
    jobs: [...half, ...half.toReversed()],
  };
}

/**
 * What the processes of whole blocks show, by group and by what the other groups ran. A block is one value, so what
 * differs between cells is part of the noise. Trimmed means with Yuen's interval.
 *
 * @param {Pick<CpuGroup, 'cpus'>[]} groups
 * @param {GroupProcess[]} processes
 * @returns {CpuGroup[]} in their order
 */
export function compareGroups(groups, processes) {
  return groups.map(({ cpus }) => {
    const own = processes.filter((each) => each.cpus === cpus);
    const blocks = [...group(own, ({ block }) => block).values()];
    return { cpus, effects: KINDS.map((beside) => compareEffect(blocks, beside)) };
  });
}

/** @type {(blocks: GroupProcess[][], beside: GroupEffect['beside']) => GroupEffect} */
function compareEffect(blocks, beside) {
  const shifts = blocks
    .map((block) =>
      ARMS.map((arm) => meanOf(logsOf(block, beside, arm)) - meanOf(logsOf(block, 'nothing', arm))),
    )
    .filter((ofArms) => ofArms.every(Number.isFinite));
  const noise = deviationOf(blocks, beside) / deviationOf(blocks, 'nothing');
  return {
    beside,
    blocks: shifts.length,
    slowdown: intervalOf(shifts.map(meanOf)),
    bias: intervalOf(shifts.map(([ofBaseline, ofCandidate]) => ofCandidate - ofBaseline)),
    noiseFactor: shifts.length > 1 && Number.isFinite(noise) ? noise : null,
  };
}

/** @type {(block: GroupProcess[], beside: GroupProcess['beside'], arm: GroupProcess['arm']) => number[]} */
function logsOf(block, beside, arm) {
  return block.flatMap((each) =>
    each.beside === beside && each.arm === arm && each.ns !== null ? Math.log(each.ns) : [],
  );
}

/**
 * The standard deviation between processes, by the two of an arm in a block, which measure the same. A process
 * without a figure has cost its time, too: the fewer have one, the more noise the same time yields.
 *
 * @type {(blocks: GroupProcess[][], beside: GroupProcess['beside']) => number}
 */
function deviationOf(blocks, beside) {
  const twins = blocks.flatMap((block) => ARMS.map((arm) => logsOf(block, beside, arm)));
  const differences = twins.flatMap(([first, second]) =>
    second === undefined ? [] : (first - second) / Math.SQRT2,
  );
  const share = twins.flat().length / (2 * twins.length);
  return robustDeviation(Float64Array.from(differences).sort()) / Math.sqrt(share);
}

/** @type {(logs: number[]) => GroupEffect['slowdown']} */
function intervalOf(logs) {
  const test = testPairs(logs, 0);
  return test === null ? null : toRatios(intervalAround(test, MISSED));
}

/**
 * Why an agent must not be pinned to a group while others measure: a slowdown or a bias that may reach the usual
 * minimum effect, or more noise than agents in turns have (decision 0039).
 *
 * @param {CpuGroup} group
 * @returns {string | null} with the figure; null if they do not disturb it
 */
export function findDisturbance({ effects }) {
  for (const effect of effects) {
    const { beside, blocks, slowdown, bias, noiseFactor } = effect;
    const where = `beside ${beside === 'allocation' ? 'jobs that allocate' : 'arithmetic'}`;
    if (blocks < LEAST_BLOCKS || slowdown === null || bias === null || noiseFactor === null) {
      return `${blocks} of at least ${LEAST_BLOCKS} blocks were measured ${where}`;
    }
    if (!isWithin(slowdown)) return `a process takes ${describe(slowdown)} of its time ${where}`;
    if (!isWithin(bias)) return `a ratio of two variants is ${describe(bias)} of itself ${where}`;
    if (noiseFactor > MOST_NOISE) {
      return `noise is ×${noiseFactor.toFixed(2)} ${where}, above ×${MOST_NOISE.toFixed(2)}`;
    }
  }
  return null;
}

/** @type {(interval: NonNullable<GroupEffect['slowdown']>) => boolean} */
function isWithin({ low, high }) {
  return high < 1 + USUAL.minimumEffect && low > 1 / (1 + USUAL.minimumEffect);
}

/** @type {(interval: NonNullable<GroupEffect['slowdown']>) => string} */
function describe(interval) {
  return `×${formatRatio(interval.estimate)} (95 % interval ${formatInterval(interval)}, not within ${formatRatio(1 / (1 + USUAL.minimumEffect))}–${formatRatio(1 + USUAL.minimumEffect)})`;
}
