import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { identifyEnvironment } from './environment.js';
import {
  compareHostCounters,
  joinHostNoise,
  openHostFiles,
  readControlGroup,
  readHostCounters,
} from './counters.js';

const CPUS = 'sys/devices/system/cpu';

/** @type {string} */
let rootPath;
beforeEach(() => {
  rootPath = mkdtempSync(join(tmpdir(), 'assay-host-'));
});
afterEach(() => rmSync(rootPath, { recursive: true }));

/** @param {Record<string, string>} contents by path within the root */
function makeHost(contents) {
  for (const [path, text] of Object.entries(contents)) {
    mkdirSync(dirname(join(rootPath, path)), { recursive: true });
    writeFileSync(join(rootPath, path), `${text}\n`);
  }
  return openHostFiles(rootPath);
}

describe('the environment', () => {
  test('of a host without these files is unknown, and nothing fails', () => {
    const environment = identifyEnvironment({ files: makeHost({}) });
    expect(environment).toMatchObject({
      governor: null,
      autogroup: null,
      cgroupCpuLimit: null,
      runnableProcesses: null,
      smt: null,
      turbo: null,
      clockSource: null,
      aslr: null,
      cpuPressure: null,
      throttledPeriods: null,
      stealShare: null,
      nodeVariables: [],
    });
  });

  test('is read from the files of the host', () => {
    const files = makeHost({
      [`${CPUS}/smt/active`]: '1',
      [`${CPUS}/cpufreq/boost`]: '0',
      [`${CPUS}/cpu0/cpufreq/scaling_governor`]: 'powersave',
      'sys/devices/system/clocksource/clocksource0/current_clocksource': 'hpet',
      'proc/sys/kernel/randomize_va_space': '2',
      'proc/pressure/cpu': 'some avg10=12.50 avg60=3.00 avg300=1.00 total=77',
      'proc/stat': 'cpu  10 0 10 60 0 0 0 20 0 0\ncpu0 10 0 10 60 0 0 0 20 0 0',
      'proc/11/stat': '11 (a) b) R 1 1',
      'proc/12/stat': '12 (c) S 1 1',
      [`proc/${process.pid}/stat`]: `${process.pid} (node) R 1 1`,
    });
    expect(identifyEnvironment({ files })).toMatchObject({
      smt: true,
      turbo: false,
      governor: 'powersave',
      clockSource: 'hpet',
      aslr: 2,
      cpuPressure: 0.125,
      stealShare: 0.2,
      runnableProcesses: 1,
    });
  });

  test("reads Intel's switch, which is inverted", () => {
    const files = makeHost({ [`${CPUS}/intel_pstate/no_turbo`]: '0' });
    expect(identifyEnvironment({ files }).turbo).toBe(true);
  });

  test('names variables that change Node, without their values', () => {
    const variables = {
      NODE_OPTIONS: '--require /home/you/secret.js',
      NODE_PATH: '',
      NODE_AUTH_TOKEN: 'x',
    };
    const environment = identifyEnvironment({ files: makeHost({}), variables });
    expect(environment.nodeVariables).toEqual(['NODE_OPTIONS']);
    expect(JSON.stringify(environment)).not.toContain('secret');
  });
});

describe('the control group', () => {
  test('of version 2 is limited by its parents, too', () => {
    const files = makeHost({
      'proc/self/cgroup': '0::/user.slice/mine',
      'sys/fs/cgroup/user.slice/mine/cpu.max': '400000 100000',
      'sys/fs/cgroup/user.slice/mine/cpu.stat': 'nr_periods 9\nnr_throttled 2\nthrottled_usec 3000',
      'sys/fs/cgroup/user.slice/cpu.max': '150000 100000',
      'sys/fs/cgroup/user.slice/cpu.stat': 'nr_periods 9\nnr_throttled 5\nthrottled_usec 500',
    });
    expect(readControlGroup(files)).toEqual({
      cpuLimit: 1.5,
      throttledPeriods: 7,
      throttledMs: 3.5,
    });
  });

  test('of a container is the root, whatever path the kernel gives', () => {
    const files = makeHost({
      'proc/self/cgroup': '0::/../../elsewhere',
      'sys/fs/cgroup/cpu.max': 'max 100000',
      'sys/fs/cgroup/cpu.stat': 'usage_usec 7',
    });
    expect(readControlGroup(files)).toEqual({
      cpuLimit: null,
      throttledPeriods: null,
      throttledMs: null,
    });
  });

  test('of version 1 is found beside the empty one of version 2', () => {
    const files = makeHost({
      'proc/self/cgroup': '4:memory:/a\n1:cpu,cpuacct:/\n0::/',
      'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': '50000',
      'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us': '100000',
      'sys/fs/cgroup/cpu,cpuacct/cpu.stat': 'nr_throttled 1\nthrottled_time 2000000',
    });
    expect(readControlGroup(files)).toEqual({ cpuLimit: 0.5, throttledPeriods: 1, throttledMs: 2 });
  });

  test('of version 1 has a limit of −1 for none', () => {
    const files = makeHost({
      'proc/self/cgroup': '1:cpu:/',
      'sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1',
      'sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000',
    });
    expect(readControlGroup(files).cpuLimit).toBeNull();
  });
});

test('two readings of the counters give the share of other processes', () => {
  const before = makeHost({
    'proc/stat': 'cpu  0 0 0 1000 0 0 0 0 0 0',
    'proc/self/stat': '7 (node) R 1 1 1 1 1 1 1 1 1 1 0 0 0 0 20 0',
  });
  const first = readHostCounters(before);
  const after = makeHost({
    'proc/stat': 'cpu  300 0 100 1500 0 0 0 100 0 0',
    'proc/self/stat': '7 (node) R 1 1 1 1 1 1 1 1 1 1 150 50 0 0 20 0',
  });
  expect(compareHostCounters(first, readHostCounters(after))).toEqual({
    stealShare: 0.1,
    othersShare: 0.2,
    throttledMs: null,
  });
});

test('the noise of two periods is weighted by their lengths', () => {
  const quiet = { stealShare: 0, othersShare: 0.1, throttledMs: 5 };
  const noisy = { stealShare: 0.3, othersShare: 0.4, throttledMs: 7 };
  const unknown = { stealShare: null, othersShare: null, throttledMs: null };
  const joined = joinHostNoise({ noise: quiet, ms: 2_000 }, { noise: noisy, ms: 1_000 });
  expect(joined.stealShare).toBeCloseTo(0.1, 12);
  expect(joined.othersShare).toBeCloseTo(0.2, 12);
  expect(joined.throttledMs).toBe(12);
  expect(joinHostNoise({ noise: unknown, ms: 0 }, { noise: quiet, ms: 1_000 })).toEqual(quiet);
});
