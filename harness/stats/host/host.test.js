import { describe, expect, test } from '@jest/globals';
import { makeManifest } from '../../../reports/fixtures/build.js';
import { diagnoseHost } from './facts.js';
import { noteHost } from './notes.js';
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

test.each(['tsc', 'kvm-clock', 'arch_sys_counter'])('%s is a fast clock', (clockSource) => {
  expect(diagnose('clock source', { clockSource }).state).toBe('fine');
});

test('a priority that cannot be raised is noted', () => {
  expect(diagnose('autogroup', {}, { canRaisePriority: true }).state).toBe('fine');
  expect(diagnose('autogroup', {}, { canRaisePriority: false })).toMatchObject({
    state: 'note',
    advice: expect.stringContaining('root'),
  });
  expect(diagnose('autogroup', { autogroup: false }, { canRaisePriority: false }).state).toBe(
    'fine',
  );
});

test('disturbed readings are noted from a quarter on', () => {
  expect(diagnose('shared core', {}, { disturbedShare: 0.25 }).state).toBe('fine');
  expect(diagnose('shared core', {}, { disturbedShare: 0.4 })).toMatchObject({
    state: 'note',
    value: '40 % disturbed',
  });
});

test('the thresholds are those of the calibration, if there is one', () => {
  const hostNoise = { stealShare: 0.02, othersShare: 0.08, throttledMs: 0 };
  const thresholds = { stealShare: 0.03, othersShare: 0.1, processSpread: 0.08 };
  for (const name of ['steal', 'other processes']) {
    expect(diagnose(name, {}, { hostNoise }).state).toBe('note');
    expect(diagnose(name, {}, { hostNoise, thresholds }).state).toBe('fine');
  }
});

describe('notes of a run', () => {
  const QUIET = { stealShare: 0, othersShare: 0.01, throttledMs: 0 };

  /**
   * @param {Partial<Environment>} changes
   * @param {typeof QUIET} [hostNoise]
   */
  function noteOf(changes, hostNoise = QUIET) {
    return noteHost({ ...environment, ...changes }, hostNoise, USUAL_THRESHOLDS);
  }

  test('a quiet host has no note', () => {
    expect(noteOf({})).toEqual([]);
  });

  test('load and pressure are one note', () => {
    const [note, ...others] = noteOf({ loadAverage: 3, cpuPressure: 0.4 });
    expect(others).toEqual([]);
    expect(note).toEqual({
      kind: 'busy-host',
      text: 'The machine was busy before the first job: load 3.0 on 2 CPUs, tasks waited for a CPU during 40 % of ten seconds.',
    });
    expect(noteOf({ cpuPressure: 0.4 })[0].text).not.toContain('load');
  });

  test('two threads per core are noted where something else runs', () => {
    expect(noteOf({ smt: true })).toEqual([]);
    const kinds = noteOf({ smt: true }, { ...QUIET, othersShare: 0.2 }).map(({ kind }) => kind);
    expect(kinds).toEqual(['smt', 'other-processes']);
  });

  test('throttling before the first job is noted where there is a limit', () => {
    expect(noteOf({ throttledPeriods: 4 })).toEqual([]);
    const [note] = noteOf({ throttledPeriods: 4, cgroupCpuLimit: 1.5 });
    expect(note.kind).toBe('throttled-before');
    expect(note.text).toContain('1.5 CPUs held processes back in 4 periods');
  });

  test('variables that are not passed to workers are named', () => {
    const [note] = noteOf({ nodeVariables: ['NODE_OPTIONS', 'NODE_PATH'] });
    expect(note.text).toBe(
      'Set by the user and not passed on to workers: NODE_OPTIONS, NODE_PATH.',
    );
  });

  test('the thresholds are those of the calibration', () => {
    const noise = { stealShare: 0.02, othersShare: 0.08, throttledMs: 0 };
    const calibrated = { ...USUAL_THRESHOLDS, stealShare: 0.03, othersShare: 0.1 };
    expect(noteHost(null, noise, USUAL_THRESHOLDS).map(({ kind }) => kind)).toEqual([
      'steal',
      'other-processes',
    ]);
    expect(noteHost(null, noise, calibrated)).toEqual([]);
  });
});
