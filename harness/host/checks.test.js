import { describe, expect, test } from '@jest/globals';
import { makeManifest } from '../../reports/support/fixtures.js';
import { diagnoseHost } from './checks.js';

/** @import { Environment } from '../formats/types.ts' */

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

test('a quiet host has nothing to note but that it is virtual', () => {
  const notes = diagnoseHost({ environment }).filter(({ state }) => state === 'note');
  expect(notes.map(({ name }) => name)).toEqual(['virtualisation']);
});

test('what a host does not tell is neither good nor bad', () => {
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
      ['load', { loadAverage: 1.1 }, /Stop what else runs/],
      ['runnable', { runnableProcesses: 2 }, /Stop what else runs/],
      ['pressure', { cpuPressure: 0.5 }, /Stop what else runs/],
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

test.each(['tsc', 'kvm-clock', 'arch_sys_counter'])('%s is a clock to rely on', (clockSource) => {
  expect(diagnose('clock source', { clockSource }).state).toBe('fine');
});

test('the priority is one to raise, or not', () => {
  expect(diagnose('autogroup', {}, { canRaisePriority: true }).state).toBe('fine');
  expect(diagnose('autogroup', {}, { canRaisePriority: false })).toMatchObject({
    state: 'note',
    advice: expect.stringContaining('root'),
  });
  expect(diagnose('autogroup', { autogroup: false }, { canRaisePriority: false }).state).toBe(
    'fine',
  );
});

test('a disturbed pace is a note from a quarter of the readings on', () => {
  expect(diagnose('shared core', {}, { disturbedShare: 0.25 }).state).toBe('fine');
  expect(diagnose('shared core', {}, { disturbedShare: 0.4 })).toMatchObject({
    state: 'note',
    value: '40 % disturbed',
  });
});

test('what is unusual is what calibration found, where there is one', () => {
  const hostNoise = { stealShare: 0.02, othersShare: 0.08, throttledMs: 0 };
  const thresholds = { stealShare: 0.03, othersShare: 0.1, processSpread: 0.08 };
  for (const name of ['steal', 'other processes']) {
    expect(diagnose(name, {}, { hostNoise }).state).toBe('note');
    expect(diagnose(name, {}, { hostNoise, thresholds }).state).toBe('fine');
  }
});
