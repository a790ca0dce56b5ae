import { forecast, playDay } from './forecast.js';

/** @import { Assumptions } from './forecast.js' */
/** @import { BrokerFigures } from './measure.js' */

const BROKER = /** @type {BrokerFigures} */ ({
  submitsPerSecond: 1_000,
  cpuSecondsPerBlock: 0.0005,
  bytesPerObservation: 1_000,
  residentBytesPerBlock: 1_000,
  recoverySeconds: 0.3,
  emptyRecoverySeconds: 0.2,
  recoveredBytes: 1e9,
  idle: { hosts: 100, cpuShare: 0.01, residentBytes: 1e7 },
});

/** @type {Assumptions} */
const QUIET = {
  hosts: 100,
  comparisons: 100,
  observations: 100_000,
  hours: 10,
  jobSeconds: 0.5,
  setupSeconds: 0,
  judgeSeconds: 1,
  roundTripSeconds: 0,
  price: 0.5,
  diskBytes: 1e9,
  memoryBytes: 1e9,
  keptDays: 7,
  patienceSeconds: 60,
  seed: 1,
};

describe('a day of a fleet', () => {
  const day = playDay(QUIET, BROKER);

  test('measures what is asked for, and a seed repeats it', () => {
    expect(day.comparisons).toBe(100);
    // A comparison measures 125 blocks on average, between 50 and 400.
    expect(day.blocks).toBeGreaterThan(100 * 90);
    expect(day.blocks).toBeLessThan(100 * 160);
    expect(day.endHours).toBeLessThan(10.1);
    expect(playDay(QUIET, BROKER)).toEqual(day);
    expect(playDay({ ...QUIET, seed: 2 }, BROKER).blocks).not.toBe(day.blocks);
  });

  test('hosts are busy for as long as the jobs take', () => {
    expect(day.hostSeconds / day.blocks / 8).toBeCloseTo(0.5, 2);
    expect(day.busyShare).toBeCloseTo(day.hostSeconds / (100 * 36_000), 3);
    expect(day.setupShare).toBe(0);
    const { setupShare } = playDay({ ...QUIET, setupSeconds: 4 }, BROKER);
    expect(setupShare).toBeGreaterThan(0.2);
    expect(setupShare).toBeLessThan(0.5);
  });

  test('a comparison waits where hosts are few, and no block is lost', () => {
    const one = playDay({ ...QUIET, hosts: 1, comparisons: 1, observations: 1_000 }, BROKER);
    // One after the other: the time of the jobs, and at most four judgements and submissions.
    expect(one.verdictSeconds.mean).toBeGreaterThan(one.hostSeconds);
    expect(one.verdictSeconds.mean).toBeLessThan(one.hostSeconds + 5);
    const few = playDay({ ...QUIET, hosts: 1 }, BROKER);
    expect(few.comparisons).toBe(100);
    expect(few.verdictSeconds.mean).toBeGreaterThan(20 * day.verdictSeconds.mean);
    expect(few.busyShare).toBeGreaterThan(0.95);
    expect(few.busyShare).toBeLessThanOrEqual(1);
    expect(few.endHours).toBeGreaterThan(10.1);
    expect(few.mostWaiting).toBeGreaterThan(1_000);
    // A host that knows a run is not prepared again.
    const { setupShare, hostSeconds } = playDay({ ...QUIET, hosts: 1, setupSeconds: 4 }, BROKER);
    expect(setupShare * hostSeconds).toBeCloseTo(4 * 100, 6);
  });
});

describe('a forecast', () => {
  const { day, limits, storedBytes, costPerComparison, busyCostPerComparison } = forecast(
    QUIET,
    BROKER,
  );
  const find = (/** @type {string} */ part) => limits.filter(({ name }) => name.includes(part))[0];

  test('has cost and storage', () => {
    expect(storedBytes).toBe(day.blocks * 8 * 1_000 * 7);
    expect(costPerComparison).toBe((100 * 0.5 * 24) / 100);
    expect(busyCostPerComparison).toBeCloseTo((day.hostSeconds * 0.5) / 3600 / 100, 10);
  });

  test('says what breaks first', () => {
    expect(limits[0]).toMatchObject({ name: 'disk of the broker', most: 1, unit: 'GB' });
    expect(limits[0].factor).toBeCloseTo(1e9 / storedBytes, 10);
    expect(find('hosts').factor).toBeCloseTo(1 / day.busyShare, 10);
    expect(find('start of the broker').used).toBeCloseTo(0.2 + storedBytes / 1e10, 10);
    expect(find('processor').used).toBeCloseTo((day.mostBlocksPerMinute / 60) * 0.05 + 1, 10);
    const factors = limits.map(({ factor }) => factor);
    expect(factors).toEqual(factors.toSorted((one, other) => one - other));
    const many = forecast({ ...QUIET, hosts: 2, diskBytes: 1e12 }, BROKER);
    expect(many.limits[0].name).toMatch(/^hosts/);
  });
});
