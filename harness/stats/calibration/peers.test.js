import { drawNormal } from '../../studies/simulation/noise.js';
import { drawUniform, seedGenerator } from '../random.js';
import { summarizePeers } from './peers.js';

/** @import { PeersComparison, PeerTrial } from '../../formats/types.ts' */

const tool = { name: 'stopwatch', version: '1.0.0', rule: 'it says so', command: 'stopwatch' };
const cell = { id: 'serialize flat', operation: 'serialize', corpus: 'flat' };

/** @type {(changes?: Partial<PeerTrial>) => PeerTrial} */
function makeTrial(changes = {}) {
  return {
    tool: 'stopwatch',
    number: 0,
    injected: 0,
    first: 'baseline',
    conclusion: 'no difference',
    ratio: 1,
    wallMs: 5000,
    startedAtMs: 0,
    ...changes,
  };
}

/** @param {PeerTrial[]} trials @param {PeersComparison['costs']} [costs] */
function summarizeOne(trials, costs = []) {
  const [summary] = summarizePeers({ tools: [tool], trials, costs, cell });
  if (summary === undefined) throw new Error('the tool took part');
  return summary;
}

test('a difference without a cost is a false positive', () => {
  const summary = summarizeOne([
    makeTrial({ conclusion: 'slower' }),
    makeTrial({ conclusion: 'faster' }),
    makeTrial(),
    makeTrial(),
    makeTrial({ injected: 0.05, conclusion: 'slower', ratio: 1.05 }),
  ]);
  expect(summary.falsePositives).toMatchObject({ count: 2, of: 4 });
});

test('a failed trial counts only as a failure', () => {
  const summary = summarizeOne([
    makeTrial({ wallMs: 4000 }),
    makeTrial({ ratio: null, conclusion: 'no difference', failure: 'it crashed', wallMs: 90_000 }),
  ]);
  expect(summary).toMatchObject({ trials: 2, failures: 1, wallMs: 4000 });
  expect(summary.falsePositives.of).toBe(1);
});

test('a tool that only failed has no figures, one that could not run no row', () => {
  const absent = { ...tool, name: 'sundial', cannotRun: 'it is cloudy' };
  const trials = [makeTrial({ ratio: null, failure: 'it crashed' })];
  const summaries = summarizePeers({ tools: [tool, absent], trials, costs: [], cell });
  expect(summaries).toHaveLength(1);
  expect(summaries[0]).toMatchObject({ points: [], orderEffect: null, spread: null, wallMs: null });
});

describe('costs', () => {
  const trials = [0.1, 0.01].flatMap((injected) => [
    makeTrial({ injected, conclusion: 'slower', ratio: 1 + injected * 1.1 }),
    makeTrial({ injected, conclusion: 'faster', ratio: 1 + injected * 0.9 }),
  ]);

  test('are listed in ascending order, with right and wrong signs', () => {
    const { points } = summarizeOne(trials);
    expect(points.map(({ injected }) => injected)).toEqual([0.01, 0.1]);
    expect(points[0]).toMatchObject({ found: { count: 1, of: 2 }, wrongSign: { count: 1, of: 2 } });
  });

  test('are compared with the verified cost in default mode, else the nominal share', () => {
    const ratio = { estimate: 1.012, low: 1.011, high: 1.013 };
    const cost = {
      alone: ratio,
      cellId: cell.id,
      injected: 0.01,
      rounds: 240,
      ratio,
      processes: 20,
    };
    const { points } = summarizeOne(trials, [
      { ...cost, mode: 'screen', ratio: { ...ratio, estimate: 1.5 } },
      { ...cost, mode: 'default' },
      { ...cost, mode: 'default', cellId: 'serialize deep', injected: 0.1 },
    ]);
    expect(points.map(({ truth }) => truth)).toEqual([1.012, 1.1]);
  });

  test('have a bias whose interval contains the truth in 95 % of simulated sets', () => {
    const random = seedGenerator(11);
    let held = 0;
    for (let set = 0; set < 400; set++) {
      const drawn = Array.from({ length: 8 }, () =>
        makeTrial({ injected: 0.02, ratio: 1.02 * 1.01 * Math.exp(0.02 * drawNormal(random)) }),
      );
      const bias = summarizeOne(drawn).points[0]?.bias;
      if (bias && bias.low <= 0.01 && bias.high >= 0.01) held++;
    }
    expect(held / 400).toBeGreaterThan(0.92);
    expect(held / 400).toBeLessThan(0.98);
  });
});

describe('the order effect', () => {
  /** @param {number} effect log scale */
  function simulate(effect) {
    const random = seedGenerator(5);
    const trials = Array.from({ length: 200 }, () => {
      const first = drawUniform(random) < 0.5 ? /** @type {const} */ ('baseline') : 'candidate';
      const shift = first === 'baseline' ? effect / 2 : -effect / 2;
      return makeTrial({ first, ratio: Math.exp(shift + 0.01 * drawNormal(random)) });
    });
    return summarizeOne(trials);
  }

  test('is found where the arm that runs first has an advantage', () => {
    const { orderEffect } = simulate(0.05);
    expect(orderEffect?.estimate).toBeCloseTo(Math.expm1(0.05), 2);
    expect(orderEffect?.low).toBeGreaterThan(0.04);
  });

  test('contains 0 where the order has no effect', () => {
    const { orderEffect, spread } = simulate(0);
    expect(orderEffect?.low).toBeLessThan(0);
    expect(orderEffect?.high).toBeGreaterThan(0);
    expect(spread).toBeCloseTo(0.01, 2);
  });

  test('has no width without scatter, and is missing with one trial per order', () => {
    const alike = [makeTrial({ ratio: 1.2 }), makeTrial({ ratio: 1.2 })];
    const others = alike.map((trial) => ({ ...trial, first: /** @type {const} */ ('candidate') }));
    const { orderEffect } = summarizeOne([...alike, ...others]);
    expect(orderEffect).toEqual({ estimate: 0, low: 0, high: 0 });
    expect(summarizeOne([...alike, ...others.slice(1)]).orderEffect).toBeNull();
  });
});
