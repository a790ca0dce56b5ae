import { expect, test } from '@jest/globals';
import { makeManifest } from '../../reports/support/fixtures.js';
import { noteParts, noteSeveralHosts } from './part-notes.js';

/** @import { Environment, RunPart } from '../formats/types.ts' */

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
