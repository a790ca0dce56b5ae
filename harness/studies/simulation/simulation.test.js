import { takeProportion } from '../../stats/calibration/noise.js';
import { describeMore, isLong } from '../../testing/support/gates.js';
import { simulateAll } from './run.js';
import { simulate } from './scenario.js';
import { SCENARIOS, findScenarios, nameOf } from './scenarios.js';

/** @import { SimulatedScenario, SimulationLimits } from '../../formats/types.ts' */
/** @import { SimulatedCell } from './scenario.js' */

/** One run of every fifth scenario, or two of all of them. */
const [RUNS, EVERY] = isLong ? [2, 1] : [1, 5];
const PLAYED = SCENARIOS.filter((_, index) => index % EVERY === 0);
const SEED = 41;
const KEYS = /** @type {(keyof SimulationLimits)[]} */ ([
  'wrong',
  'missed',
  'falselyEquivalent',
  'overlooked',
]);

describe('counting', () => {
  /** @type {(truth: number, verdict: SimulatedCell['verdict'], low: number, high: number) => SimulatedCell} */
  const cellOf = (truth, verdict, low, high) => ({
    truth,
    verdict,
    interval: { estimate: (low + high) / 2, low, high },
    processes: 16,
  });
  /** @param {SimulatedCell[]} cells */
  const countOf = (cells) => {
    const scenario = { group: 'times', name: 'made up', limits: {}, play: () => ({ cells }) };
    const { shares } = simulate(scenario, 2, 1);
    return KEYS.map((key) => `${shares[key].count}/${shares[key].of}`).join(' ');
  };
  const likelyFaster = cellOf(0, 'faster', -0.04, -0.01);
  const open = cellOf(0.01, 'inconclusive', -0.01, 0.04);

  // Of two runs: wrong, missed, falsely equivalent, overlooked.
  test.each([
    ['equal and equivalent', [cellOf(0, 'equivalent', -0.01, 0.01)], '0/2 0/2 0/0 0/0'],
    ['equal and slower', [cellOf(0, 'slower', 0.01, 0.03)], '2/2 2/2 0/0 0/0'],
    ['slower and faster', [cellOf(0.05, 'faster', -0.02, -0.01)], '2/2 2/2 0/2 2/2'],
    ['slower, found', [cellOf(0.05, 'slower', 0.02, 0.06)], '0/2 0/2 0/2 0/2'],
    ['slower, equivalent', [cellOf(0.05, 'equivalent', -0.02, 0.02)], '0/2 2/2 2/2 2/2'],
    ['two cells, one wrong', [likelyFaster, open], '2/2 2/4 0/0 2/2'],
  ])('of %s', (_, cells, expected) => {
    expect(countOf(cells)).toBe(expected);
  });
});

test('scenarios have different names, and are found by a part of them', () => {
  expect(new Set(SCENARIOS.map(nameOf)).size).toBe(SCENARIOS.length);
  expect(findScenarios(['two pins'])).not.toHaveLength(0);
  expect(findScenarios(['no such scenario'])).toHaveLength(0);
});

test('differences between placements are found where copies run in pairs, too', () => {
  const [scenario] = findScenarios(['placements: equal, spread 5 %, pairs']);
  expect(simulate(scenario, 10, SEED).shares.wrong.count).toBe(0);
});

describeMore('the promise, in a few runs of each scenario', () => {
  /** @type {SimulatedScenario[]} */
  let results;
  beforeAll(async () => {
    const { signal } = new AbortController();
    const choice = { runs: RUNS, seed: SEED, threads: 1, onDone() {}, signal };
    results = await simulateAll(PLAYED, choice);
  });

  test('covers all groups, with the rates of a single scenario', () => {
    expect(results.map(({ group, name }) => `${group}: ${name}`)).toEqual(PLAYED.map(nameOf));
    expect(new Set(results.map(({ group }) => group)).size).toBe(9);
    expect(results[0].rates).toEqual(simulate(PLAYED[0], RUNS, SEED));
  });

  // A few runs of one scenario only show a gross error; those of all together are many.
  test.each(KEYS)('%s: at most its limit over all scenarios together', (key) => {
    const limited = results.filter(({ limits }) => limits[key] !== undefined);
    const sum = (/** @type {'count' | 'of'} */ part) =>
      limited.reduce((total, { rates }) => total + rates.shares[key][part], 0);
    const largest = Math.max(...limited.map(({ limits }) => Number(limits[key])));
    expect(sum('of')).toBeGreaterThan(isLong ? 100 : 20);
    expect(takeProportion(sum('count'), sum('of')).low).toBeLessThan(
      key === 'overlooked' ? largest : 0.02,
    );
  });
});
