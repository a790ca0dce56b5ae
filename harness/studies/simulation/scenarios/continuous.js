import { isAlert, isConfirmed } from '../../../stats/alarms.js';
import { toLogs } from '../../../stats/means.js';
import { followBranch, numberOf, revisionOf } from '../branch.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */
/** @import { FollowedChange } from '../../../formats/types.ts' */
/** @import { BranchCell, BranchTruth } from '../branch.js' */
/** @import { Scenario, SimulatedCell, SimulatedRun } from '../scenario.js' */

/** Standard deviations between builds of the same code: a third of the cells 2.3 %, a sixth 5 %. */
export const SPREADS = [0.005, 0.023, 0.005, 0.023, 0.005, 0.05];
/** Share of the comparisons that are measured in a busy hour. */
export const BUSY = 0.1;

/** @type {(count: number, spreads: readonly number[]) => BranchCell[]} */
export function makeCells(count, spreads) {
  return Array.from({ length: count }, (_, index) => {
    const [operation, corpus] = [index % 2 === 0 ? 'write' : 'read', `c${index >> 1}`];
    return {
      cell: { id: `${operation} ${corpus}`, operation, corpus },
      spread: spreads[index % spreads.length],
    };
  });
}

/**
 * A planted change: true ratios to the commit before, by index of the cell.
 *
 * @typedef {{ commit: number, ratios: Record<number, number> }} Planted
 */

/** @type {(cells: BranchCell[], planted: Planted[]) => Omit<BranchTruth, 'busy'>} */
export function plant(cells, planted) {
  const indices = new Map(cells.map(({ cell }, index) => [cell.id, index]));
  return {
    cells,
    codeOf(spec, cellId) {
      const own = planted.filter(({ commit }) => commit <= numberOf(spec));
      const index = indices.get(cellId) ?? -1;
      return own.reduce((sum, { ratios }) => sum + Math.log(ratios[index] ?? 1), 0);
    },
  };
}

const CHANGES = [
  { commit: 57, ratios: { 0: 1.2, 1: 1.2, 3: 1.2 } },
  { commit: 104, ratios: { 2: 1.06, 4: 1.06, 1: 1.06 } },
  { commit: 151, ratios: { 0: 0.92, 3: 0.92, 4: 0.92 } },
];
/** 200 commits: most are pushed alone, some with others. */
const PUSHES = [1, ...Array.from({ length: 40 }, (_, index) => [1, 1, 2, 1, 20][index % 5])];

/** @type {(planted: Planted[]) => (random: RandomGenerator) => SimulatedRun} */
function playBranch(planted) {
  return (random) => {
    const truth = { ...plant(makeCells(6, SPREADS), planted), busy: BUSY };
    const history = { pushes: PUSHES, mergesPerYear: 1200 };
    const found = followBranch(truth, history, random).changes.filter(isConfirmed);
    const cells = (planted.length === 0 ? [{ commit: -1, ratios: { 0: 1 } }] : planted).map(
      ({ commit, ratios }) => describeFound(Math.log(Object.values(ratios)[0]), found, commit),
    );
    const isTrue = (/** @type {FollowedChange} */ { before, after }) =>
      planted.some(({ commit }) => revisionOf(commit) > before && revisionOf(commit) <= after);
    return { cells, isWrong: found.some((one) => isAlert(one) && !isTrue(one)) };
  };
}

/** @type {(truth: number, changes: FollowedChange[], commit: number) => SimulatedCell} found only at its commit */
function describeFound(truth, changes, commit) {
  const own = changes.find(
    (one) => one.commits === 1 && one.after === revisionOf(Math.max(0, commit)),
  );
  if (own === undefined) return { truth, verdict: 'inconclusive', interval: null, processes: 0 };
  const { direction, cells } = own;
  return { truth, verdict: direction, interval: toLogs(cells[0].ratio), processes: 0 };
}

/** @type {Scenario[]} */
export const CONTINUOUS_SCENARIOS = [
  {
    group: 'continuous',
    name: '200 commits, 6 cells, +20, +6 and −8 %',
    limits: { wrong: 0.05, overlooked: 0.05 },
    play: playBranch(CHANGES),
  },
  {
    group: 'continuous',
    name: '200 commits, 6 cells, none changes anything',
    limits: { wrong: 0.05 },
    play: playBranch([]),
  },
];
