import { expect, test } from '@jest/globals';
import { differentiate } from './differentiate.js';
import { makeProfile } from './fixtures/read-fixture.js';

/** @import { DifferentialProfile } from '../../formats/profile-types.ts' */

/**
 * @param {DifferentialProfile} difference
 * @returns {Record<string, [number, number]>} both sides by names
 */
function listSides({ frames, nodes }) {
  /** @type {string[]} */
  const stacks = [];
  for (const { frame, parent } of nodes) {
    stacks.push(parent === -1 ? frames[frame].name : `${stacks[parent]} > ${frames[frame].name}`);
  }
  return Object.fromEntries(
    nodes.map(({ baseline, candidate }, index) => [stacks[index], [baseline, candidate]]),
  );
}

/**
 * @param {Record<string, number>} stacks
 * @param {string} file of all functions
 */
function makeProfileIn(stacks, file) {
  const profile = makeProfile(stacks);
  return { ...profile, frames: profile.frames.map((frame) => ({ ...frame, file })) };
}

test('nodes of both sides on one tree', () => {
  const baseline = makeProfile({ run: 1, 'run > write': 2 });
  const candidate = makeProfile({ 'run > builtin:ObjectEntries': 4, run: 8, 'run > write': 16 });
  expect(listSides(differentiate(baseline, candidate))).toEqual({
    run: [1, 8],
    'run > write': [2, 16],
    'run > ObjectEntries': [0, 4],
  });
});

test('a function that moved within its file is the same, and is where the baseline has it', () => {
  const baseline = makeProfile({ run: 1 });
  const candidate = makeProfile({ run: 2 });
  candidate.frames[0] = { ...candidate.frames[0], line: 50 };
  const difference = differentiate(baseline, candidate);
  expect(listSides(difference)).toEqual({ run: [1, 2] });
  expect(difference.frames).toEqual(baseline.frames);
});

test('functions of one name in two files are paired where each side has one', () => {
  const baseline = makeProfileIn({ 'serialize > write': 1 }, 'bson/lib/bson.mjs');
  const candidate = makeProfileIn({ 'serialize > write': 2 }, 'codec/write.js');
  const difference = differentiate(baseline, candidate);
  expect(listSides(difference)).toEqual({ serialize: [0, 0], 'serialize > write': [1, 2] });
  expect(difference.frames).toHaveLength(2);
});

test('a name that a side has twice, and no name at all, pair nothing', () => {
  const baseline = makeProfileIn({ 'serialize > write': 1, '(anonymous)': 1 }, 'a.js');
  const candidate = makeProfileIn({ 'serialize > write': 2, '(anonymous)': 2 }, 'b.js');
  candidate.frames.push({ ...candidate.frames[1], file: 'c.js' });
  candidate.nodes.push({ frame: candidate.frames.length - 1, parent: 0, self: 4 });
  const { frames } = differentiate(baseline, candidate);
  expect(frames.map(({ name, file }) => `${name} ${file}`)).toEqual([
    'serialize a.js',
    'write a.js',
    '(anonymous) a.js',
    'write b.js',
    '(anonymous) b.js',
    'write c.js',
  ]);
});

test('a builtin is not paired with a function of its name', () => {
  const { nodes } = differentiate(makeProfile({ write: 1 }), makeProfile({ 'builtin:write': 2 }));
  expect(nodes).toHaveLength(2);
});
