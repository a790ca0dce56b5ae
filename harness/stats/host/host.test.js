import { makeManifest } from '../../../reports/fixtures/build.js';
import { diagnoseHost, noteDisturbances, noteHost } from './host.js';
import { USUAL_THRESHOLDS } from './state.js';

/** @import { Environment } from '../../formats/types.ts' */

const { environment } = makeManifest();

/**
 * @param {string} name
 * @param {Partial<Environment>} changes
 * @param {Omit<Parameters<typeof diagnoseHost>[0], 'environment'>} [rest]
 */
function diagnose(name, changes, rest = {}) {
  const all = diagnoseHost({ environment: { ...environment, ...changes }, ...rest });
  const found = all.find((diagnosis) => diagnosis.name === name);
  if (found === undefined) throw new Error(`no diagnosis '${name}'`);
  return found;
}

test('a quiet virtual machine has a single note', () => {
  const notes = diagnoseHost({ environment }).filter(({ state }) => state === 'note');
  expect(notes.map(({ name }) => name)).toEqual(['virtualisation']);
});

test('unknown facts are neither fine nor noted', () => {
  const silent = {
    governor: null,
    turbo: null,
    smt: null,
    stealShare: null,
    runnableProcesses: null,
    cpuPressure: null,
    autogroup: null,
    clockSource: null,
    aslr: null,
  };
  const unknown = diagnoseHost({ environment: { ...environment, ...silent } }).filter(
    ({ state }) => state === 'unknown',
  );
  expect(unknown).toHaveLength(Object.keys(silent).length);
  expect(new Set(unknown.map(({ value }) => value))).toEqual(new Set(['not known']));
});

describe('each disturbance has advice', () => {
  test.each(
    /** @type {[string, Partial<Environment>, RegExp][]} */ ([
      ['cores', { cpuCount: 1 }, /two cores/],
      ['governor', { governor: 'powersave' }, /^sudo cpupower frequency-set -g performance$/],
      ['turbo', { turbo: true }, /^echo 0 \| sudo tee .*boost\n/],
      ['SMT', { smt: true }, /^echo off \| sudo tee .*smt\/control$/],
      ['steal', { stealShare: 0.03 }, /another time/],
      ['load', { loadAverage: 1.1 }, /^Stop other programs/],
      ['runnable', { runnableProcesses: 2 }, /^Stop other programs/],
      ['pressure', { cpuPressure: 0.5 }, /^Stop other programs/],
      ['CPU limit', { cgroupCpuLimit: 1 }, /Raise the limit/],
      ['throttling', { cgroupCpuLimit: 4, throttledPeriods: 3 }, /Raise the limit/],
      ['clock source', { clockSource: 'hpet' }, /clocksource=tsc/],
      ['ASLR', { aslr: 0 }, /randomize_va_space=2$/],
      ['variables', { nodeVariables: ['NODE_OPTIONS'] }, /--node-flag/],
    ]),
  )('%s', (name, changes, advice) => {
    expect(diagnose(name, changes).state).toBe('note');
    expect(diagnose(name, changes).advice).toMatch(advice);
  });
});

const noise = { stealShare: 0.02, othersShare: 0.08, throttledMs: 0 };
const calibrated = { stealShare: 0.03, othersShare: 0.1, processSpread: 0.08 };

/** @type {[string, Partial<Environment>, Parameters<typeof diagnose>[2], string][]} */
const STATES = [
  ['clock source', { clockSource: 'tsc' }, {}, 'fine'],
  ['clock source', { clockSource: 'kvm-clock' }, {}, 'fine'],
  ['clock source', { clockSource: 'arch_sys_counter' }, {}, 'fine'],
  ['autogroup', {}, { canRaisePriority: true }, 'fine'],
  ['autogroup', {}, { canRaisePriority: false }, 'note'],
  ['autogroup', { autogroup: false }, { canRaisePriority: false }, 'fine'],
  ['shared core', {}, { disturbedShare: 0.25 }, 'fine'],
  ['shared core', {}, { disturbedShare: 0.4 }, 'note'],
  ['steal', {}, { hostNoise: noise }, 'note'],
  ['steal', {}, { hostNoise: noise, thresholds: calibrated }, 'fine'],
  ['other processes', {}, { hostNoise: noise }, 'note'],
  ['other processes', {}, { hostNoise: noise, thresholds: calibrated }, 'fine'],
];
test.each(STATES)('%s: %j with %j is %s', (name, changes, rest, state) => {
  expect(diagnose(name, changes, rest).state).toBe(state);
});

test('a diagnosis has a value and advice', () => {
  expect(diagnose('shared core', {}, { disturbedShare: 0.4 }).value).toBe('40 % disturbed');
  expect(diagnose('autogroup', {}, { canRaisePriority: false }).advice).toContain('root');
});

test('what lengthens times is noted of a profile, and nothing else', () => {
  const busy = { ...environment, loadAverage: 3, throttledPeriods: 4, cgroupCpuLimit: 1.5 };
  const quiet = { stealShare: 0, othersShare: 0.01, throttledMs: 0 };
  expect(noteDisturbances(environment, quiet, 0.25)).toEqual([]);
  expect(noteDisturbances(busy, noise, 0.4)).toEqual([
    expect.stringContaining('load 3.0'),
    expect.stringContaining('hypervisor gave 2.0 %'),
    expect.stringContaining('Other processes used 8.0 %'),
    expect.stringContaining('40 % of the readings of the reference loop'),
  ]);
});

describe('notes of a run', () => {
  const quiet = { stealShare: 0, othersShare: 0.01, throttledMs: 0 };

  /** @param {Partial<Environment>} changes @param {typeof quiet} [hostNoise] */
  const noteOf = (changes, hostNoise = quiet) =>
    noteHost({ ...environment, ...changes }, hostNoise, USUAL_THRESHOLDS);

  /** @type {[string, Partial<Environment>][]} */
  const without = [
    ['is quiet', {}],
    ['has two threads per core, and nothing else runs', { smt: true }],
    ['was throttled under an earlier limit', { throttledPeriods: 4 }],
  ];
  test.each(without)('a host that %s has none', (_, changes) => {
    expect(noteOf(changes)).toEqual([]);
  });

  /** @type {[string, Partial<Environment>, string][]} */
  const texts = [
    [
      'busy-host',
      { loadAverage: 3, cpuPressure: 0.4 },
      'The machine was busy before the first job: load 3.0 on 2 CPUs, tasks waited for a CPU during 40 % of ten seconds.',
    ],
    [
      'busy-host',
      { cpuPressure: 0.4 },
      'The machine was busy before the first job: tasks waited for a CPU during 40 % of ten seconds.',
    ],
    [
      'throttled-before',
      { throttledPeriods: 4, cgroupCpuLimit: 1.5 },
      "The control group's limit of 1.5 CPUs held processes back in 4 periods before the first job, and may hold jobs back too.",
    ],
    [
      'node-variables',
      { nodeVariables: ['NODE_OPTIONS', 'NODE_PATH'] },
      'Set by the user and not passed on to workers: NODE_OPTIONS, NODE_PATH.',
    ],
  ];
  test.each(texts)('%s: %j', (kind, changes, text) => {
    expect(noteOf(changes)).toEqual([{ kind, text }]);
  });

  test('two threads per core are noted where other processes run', () => {
    const kinds = noteOf({ smt: true }, { ...quiet, othersShare: 0.2 }).map(({ kind }) => kind);
    expect(kinds).toEqual(['smt', 'other-processes']);
  });

  test('the thresholds are those of the calibration', () => {
    const kinds = noteHost(null, noise, USUAL_THRESHOLDS).map(({ kind }) => kind);
    expect(kinds).toEqual(['steal', 'other-processes']);
    expect(noteHost(null, noise, calibrated)).toEqual([]);
  });
});
