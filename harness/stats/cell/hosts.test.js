import { makeManifest } from '../../../reports/fixtures/build.js';
import { simulateObservations } from '../../testing/simulation/runs.js';
import { compareRun } from '../compare.js';
import { seedGenerator } from '../random.js';
import { alignHosts, averageHosts, compareHostPairs, compareHosts } from './hosts.js';

/**
 * Jobs of one host: two of the baseline, one of the control and three of the candidate around a
 * level.
 * @param {string} host @param {number} level @param {number} effect
 */
function jobsOf(host, level, effect) {
  const make = (/** @type {number} */ logFigure) => ({ host, logFigure: level + logFigure });
  return {
    baseline: [make(-0.01), make(0.01)],
    control: [make(0)],
    candidate: [make(effect - 0.01), make(effect + 0.01), make(effect)],
  };
}

/** @param {ReturnType<typeof jobsOf>[]} hosts */
function join(hosts) {
  return {
    baseline: hosts.flatMap(({ baseline }) => baseline),
    control: hosts.flatMap(({ control }) => control),
    candidate: hosts.flatMap(({ candidate }) => candidate),
  };
}

describe('figures of several hosts', () => {
  test('are brought to one level, and effects on them are kept', () => {
    const aligned = alignHosts(join([jobsOf('a', 5, 0.2), jobsOf('b', 7, 0.4)]));
    const means = ['a', 'b'].map((name) => {
      const own = aligned.candidate.filter(({ host }) => host === name);
      return own.reduce((sum, { logFigure }) => sum + logFigure, 0) / own.length;
    });
    // The mean of both levels, 0.1 and 0.2 above those of the baselines, and half of the effect.
    expect(means[0]).toBeCloseTo(6.15 + 0.1, 10);
    expect(means[1]).toBeCloseTo(6.15 + 0.2, 10);
  });

  test('of one host, and without hosts, are what they were', () => {
    const arms = join([jobsOf('a', 5, 0.2)]);
    expect(alignHosts(arms)).toBe(arms);
    expect(compareHosts(arms)).toBeNull();
    expect(compareHostPairs(new Map([['a', [1, 2]]]))).toBeNull();
  });
});

describe('the variance between hosts', () => {
  test('is zero where the effects differ no more than the noise', () => {
    const found = compareHosts(join([jobsOf('a', 5, 0.2), jobsOf('b', 7, 0.2)]));
    expect(found).toMatchObject({ spread: 0, squaredError: 0, freedom: 1 });
    expect(found?.effects.map(({ host }) => host)).toEqual(['a', 'b']);
    expect(found?.effects[0].estimate).toBeCloseTo(0.2, 10);
    // Two levels among twelve values.
    expect(found?.lostShare).toBeCloseTo(2 / 10, 10);
  });

  test('is that of the method of moments, and a host that is off is recognised', () => {
    const pairs = new Map(
      ['a', 'b', 'c', 'd'].map((host, index) => {
        const mean = index === 3 ? 0.3 : 0.1;
        return [host, [mean - 0.01, mean + 0.01, mean - 0.01, mean + 0.01]];
      }),
    );
    const found = compareHostPairs(pairs);
    // Noise 4 · 0.0004 / 12; Q = 4 · Σ (e − 0.15)² = 0.12; 16 − 64 / 16 = 12.
    const variance = 0.0016 / 12;
    const between = (0.12 - 3 * variance) / 12;
    expect(found?.spread).toBeCloseTo(Math.sqrt(between), 10);
    expect(found?.squaredError).toBeCloseTo(between / 4, 10);
    expect(found?.effects.map(({ p }) => p < 0.001)).toEqual([false, false, false, true]);
    expect(found?.lostShare).toBe(0);
  });

  test('is unknown without two values on any host', () => {
    expect(
      compareHostPairs(
        new Map([
          ['a', [1]],
          ['b', [2]],
        ]),
      ),
    ).toBeNull();
  });
});

describe('the mean of several cells', () => {
  /** The effects of each cell, by host. @param {Record<string, number>[]} cells */
  const averageOf = (...cells) =>
    averageHosts(
      cells.flatMap((effects) => {
        const pairs = new Map(
          Object.entries(effects).map(([host, mean]) => [host, [mean - 0.001, mean + 0.001]]),
        );
        return compareHostPairs(pairs) ?? [];
      }),
    );

  test('is not known better from more cells that the same hosts favour', () => {
    const one = averageOf({ a: 0.1, b: 0, c: 0 });
    const three = averageOf(
      { a: 0.1, b: 0, c: 0 },
      { a: 0.2, b: 0.1, c: 0.1 },
      { a: 0.1, b: 0, c: 0 },
    );
    expect(three.squaredError).toBeCloseTo(one.squaredError, 5);
    expect(three).toMatchObject({ freedom: 2, lostShare: 0 });
  });

  test('is known better where each cell favours another host', () => {
    const cells = [
      { a: 0.1, b: 0, c: 0 },
      { a: 0, b: 0.1, c: 0 },
      { a: 0, b: 0, c: 0.1 },
    ];
    expect(averageOf(...cells).squaredError).toBe(0);
  });

  test('counts hosts that not every cell has', () => {
    const { squaredError, freedom } = averageOf({ a: 0.1, b: 0 }, { c: 0.1, d: 0 });
    expect(freedom).toBe(3);
    expect(squaredError).toBeGreaterThan(0);
  });
});

describe('a run over several hosts', () => {
  const cell = { id: 'serialize flat', operation: 'serialize', corpus: 'flat' };
  const { question } = makeManifest({ cells: [cell], looks: [64] });

  /**
   * @param {(block: number) => { host: string, slowdown: number, more?: number }} place where a block is measured, how
   *   much slower that host is, and what the candidate takes more there
   */
  function compare(place) {
    const observations = simulateObservations(
      [{ cell, baselineNs: 12_000, ratio: 1.2, processes: 64 }],
      { noise: 'normal', spread: 0.01, outputDigest: 'sha256:right' },
      seedGenerator(3),
    ).map((observation) => {
      if (observation.outcome !== 'done') return observation;
      const { host, slowdown, more = 1 } = place(observation.block);
      const factor = slowdown * (observation.arm === 'candidate' ? more : 1);
      const { measurement } = observation;
      const batchNsPerDocument = measurement.batchNsPerDocument.map((ns) => ns * factor);
      return { ...observation, host, measurement: { ...measurement, batchNsPerDocument } };
    });
    const { cells, warnings } = compareRun({ question, observations });
    return { comparison: cells[0], kinds: warnings.map(({ kind }) => kind) };
  }

  test('has the precision of one host, however different their speeds are', () => {
    const one = compare(() => ({ host: 'a', slowdown: 1 }));
    const many = compare((block) => ({ host: `host-${block % 8}`, slowdown: 1 + (block % 8) }));
    const width = (/** @type {typeof one} */ { comparison: { effect } }) =>
      (effect?.ratio.high ?? NaN) - (effect?.ratio.low ?? NaN);
    expect(many.comparison.verdict).toBe('slower');
    expect(many.comparison.effect?.ratio.estimate).toBeCloseTo(1.2, 1);
    expect(width(many)).toBeLessThan(2 * width(one));
    expect(many.comparison.hosts?.effects).toHaveLength(8);
    expect(one.comparison).not.toHaveProperty('hosts');
    expect(many.kinds).not.toContain('host-disagrees');
    expect(many.kinds).not.toContain('drift');
  });

  test('names a host with another effect, and its interval is wider', () => {
    const { comparison, kinds } = compare((block) => ({
      host: `host-${block % 8}`,
      slowdown: 1,
      more: block % 8 === 5 ? 1.3 : 1,
    }));
    const disagreeing = comparison.hosts?.effects.filter(({ disagrees }) => disagrees);
    expect(disagreeing?.map(({ host }) => host)).toEqual(['host-5']);
    expect(kinds).toContain('host-disagrees');
    expect(comparison.hosts?.spread).toBeGreaterThan(0.05);
    expect(comparison.effect?.ratio.high).toBeGreaterThan(1.3);
  });

  test('says that two hosts are few', () => {
    expect(compare((block) => ({ host: `h${block % 2}`, slowdown: 1 })).kinds).toContain(
      'few-hosts',
    );
  });
});
