import { expect, test } from '@jest/globals';
import { makeManifest } from '../../reports/support/fixtures.js';
import { noteHost, noteNoise } from './host-notes.js';
import { USUAL_THRESHOLDS } from './thresholds.js';

/** @import { Environment } from '../formats/types.ts' */

const QUIET = { stealShare: 0, othersShare: 0.01, throttledMs: 0 };

/**
 * @param {Partial<Environment>} changes
 * @param {typeof QUIET} [hostNoise]
 */
function noteOf(changes, hostNoise = QUIET) {
  return noteHost({ ...makeManifest().environment, ...changes }, hostNoise, USUAL_THRESHOLDS);
}

test('a quiet host needs no note', () => {
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

test('two threads a core matter where something else runs', () => {
  expect(noteOf({ smt: true })).toEqual([]);
  const kinds = noteOf({ smt: true }, { ...QUIET, othersShare: 0.2 }).map(({ kind }) => kind);
  expect(kinds).toEqual(['smt']);
});

test('throttling before the first job matters where there is a limit', () => {
  expect(noteOf({ throttledPeriods: 4 })).toEqual([]);
  const [note] = noteOf({ throttledPeriods: 4, cgroupCpuLimit: 1.5 });
  expect(note.kind).toBe('throttled-before');
  expect(note.text).toContain('1.5 CPUs held processes back in 4 periods');
});

test('variables that workers do not get are named', () => {
  const [note] = noteOf({ nodeVariables: ['NODE_OPTIONS', 'NODE_PATH'] });
  expect(note.text).toBe('Set by the user and not passed on to workers: NODE_OPTIONS, NODE_PATH.');
});

test('what counts as disturbed is what calibration found', () => {
  const noise = { stealShare: 0.02, othersShare: 0.08, throttledMs: 0 };
  const calibrated = { ...USUAL_THRESHOLDS, stealShare: 0.03, othersShare: 0.1 };
  expect(noteNoise(noise, USUAL_THRESHOLDS).map(({ kind }) => kind)).toEqual([
    'steal',
    'other-processes',
  ]);
  expect(noteNoise(noise, calibrated)).toEqual([]);
});
