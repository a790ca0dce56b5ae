import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { takeProportion } from '../../stats/calibration/noise.js';
import { describeMore, isLong } from '../../testing/support/gates.js';
import { simulate } from './scenario.js';
import { SCENARIOS, findScenarios, nameOf } from './scenarios.js';

/** @import { SimulatedScenario, SimulationLimits } from '../../formats/types.ts' */
/** @import { SimulatedCell } from './scenario.js' */

const RUNS = isLong ? 16 : 4;
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

describeMore('the promise, in a few runs of every scenario', () => {
  /** @type {SimulatedScenario[]} */
  let results;

  // In a separate process: millions of random draws are many times slower inside Jest's sandbox.
  beforeAll(async () => {
    const assay = fileURLToPath(new URL('../../assay.js', import.meta.url));
    const options = ['--runs', String(RUNS), '--seed', String(SEED), '--format', 'json'];
    const run = promisify(execFile)(process.execPath, [assay, 'simulate', ...options], {
      maxBuffer: 2 ** 26,
    });
    // Of so many scenarios, a few runs may break some limit by chance, which the exit status says.
    const { stdout } = await run.catch((error) => error);
    results = JSON.parse(stdout);
  }, 300_000);

  test('covers all scenarios', () => {
    expect(results.map(({ group, name }) => `${group}: ${name}`)).toEqual(SCENARIOS.map(nameOf));
  });

  // A few runs of one scenario only show a gross error; those of all together are many.
  test.each(KEYS)('%s: at most its limit over all scenarios together', (key) => {
    const limited = results.filter(({ limits }) => limits[key] !== undefined);
    const sum = (/** @type {'count' | 'of'} */ part) =>
      limited.reduce((total, { rates }) => total + rates.shares[key][part], 0);
    const largest = Math.max(...limited.map(({ limits }) => Number(limits[key])));
    expect(sum('of')).toBeGreaterThan(100);
    expect(takeProportion(sum('count'), sum('of')).low).toBeLessThan(
      key === 'overlooked' ? largest : 0.02,
    );
  });
});
