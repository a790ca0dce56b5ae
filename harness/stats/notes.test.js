import { expect, test } from '@jest/globals';
import { makeManifest } from '../../reports/support/fixtures.js';
import { noteHost, noteNoise, noteParts, noteSeveralHosts } from './notes.js';
import { USUAL_THRESHOLDS } from './thresholds.js';

/** @import { Environment, RunPart } from '../formats/types.ts' */

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

/**
 * @param {number} shard
 * @param {Partial<Environment>} [environment]
 * @returns {RunPart}
 */
function makePart(shard, environment = {}) {
  return {
    runId: `shard-${shard}`,
    shard,
    cellIds: [],
    environment: { ...makeManifest().environment, ...environment },
    hostNoise: { stealShare: null, othersShare: null, throttledMs: null },
  };
}

test('machines of one kind need no note, whatever else they were doing', () => {
  const parts = [makePart(1), makePart(2, { loadAverage: 5, runnableProcesses: 9 })];
  expect(noteSeveralHosts(parts)).toEqual([]);
});

test.each([
  ['processor', { cpuModel: 'Other CPU' }],
  ['number of processors', { cpuCount: 4 }],
  ['memory', { memoryBytes: 16 * 2 ** 30 }],
  ['kernel', { kernel: '6.12.0' }],
  ['Node', { node: 'v22.1.0' }],
])('another %s is another kind of machine', (_name, environment) => {
  const [note] = noteSeveralHosts([makePart(1), makePart(2, environment), makePart(3)]);
  expect(note.kind).toBe('several-hosts');
  expect(note.text).toMatch(/^Measured on 2 kinds of machine: Parts 1, 3: AMD.*; Part 2: /);
});

test('notes of one kind on several parts are one note', () => {
  const notes = noteParts([makePart(1), makePart(2), makePart(4)], ({ shard }) =>
    shard === 1 ? [] : [{ kind: 'steal', text: `Stolen ${shard}.` }],
  );
  expect(notes).toEqual([{ kind: 'steal', text: 'Part 2: stolen 2. Part 4: stolen 4.' }]);
});
