import { differentiate } from './call-tree.js';
import { makeProfile, readProfiles, sumWeights } from './fixtures/read-fixture.js';
import {
  collapseNative,
  focusProfile,
  meanProfile,
  scaleProfile,
  sumByFunction,
} from './transforms.js';

/** @import { DifferentialProfile, Frame, Profile } from '../../formats/profile-types.ts' */

/**
 * @param {DifferentialProfile} difference
 * @returns {Record<string, [number, number]>} both arms by names of the stack
 */
function listArms({ frames, nodes }) {
  /** @type {string[]} */
  const stacks = [];
  for (const { frame, parent } of nodes) {
    stacks.push(parent === -1 ? frames[frame].name : `${stacks[parent]} > ${frames[frame].name}`);
  }
  return Object.fromEntries(
    nodes.map(({ baseline, candidate }, index) => [stacks[index], [baseline, candidate]]),
  );
}

/** @param {Record<string, number>} stacks @param {string} file of all functions */
function makeProfileIn(stacks, file) {
  const profile = makeProfile(stacks);
  return { ...profile, frames: profile.frames.map((frame) => ({ ...frame, file })) };
}

test('the nodes of both arms form one tree', () => {
  const baseline = makeProfile({ run: 1, 'run > write': 2 });
  const candidate = makeProfile({ 'run > builtin:ObjectEntries': 4, run: 8, 'run > write': 16 });
  expect(listArms(differentiate(baseline, candidate))).toEqual({
    run: [1, 8],
    'run > write': [2, 16],
    'run > ObjectEntries': [0, 4],
  });
});

test('a function that moved within its file matches, with the position of the baseline', () => {
  const baseline = makeProfile({ run: 1 });
  const candidate = makeProfile({ run: 2 });
  candidate.frames[0] = { ...candidate.frames[0], line: 50 };
  const difference = differentiate(baseline, candidate);
  expect(listArms(difference)).toEqual({ run: [1, 2] });
  expect(difference.frames).toEqual(baseline.frames);
});

test('functions of the same name in two files match if each arm has one', () => {
  const baseline = makeProfileIn({ 'serialize > write': 1 }, 'bson/lib/bson.mjs');
  const candidate = makeProfileIn({ 'serialize > write': 2 }, 'codec/write.js');
  const difference = differentiate(baseline, candidate);
  expect(listArms(difference)).toEqual({ serialize: [0, 0], 'serialize > write': [1, 2] });
  expect(difference.frames).toHaveLength(2);
});

test('ambiguous names and anonymous functions do not match', () => {
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

test('a builtin does not match a function of the same name', () => {
  const { nodes } = differentiate(makeProfile({ write: 1 }), makeProfile({ 'builtin:write': 2 }));
  expect(nodes).toHaveLength(2);
});

/** @param {Frame} frame */
function isMeasuredLoop({ name, file, kind }) {
  if (kind === 'code') return ['demo::run_passes', 'demo.codec.Demo.runPasses'].includes(name);
  return name === 'run' && file === 'experiments/js-bson/operations/serialize.js';
}

/** @param {Pick<Profile, 'frames' | 'nodes'>} profile */
function expectTree({ frames, nodes }) {
  expect(nodes.every(({ parent }, index) => parent >= -1 && parent < index)).toBe(true);
  expect(new Set(nodes.map(({ frame }) => frame)).size).toBe(frames.length);
  const places = nodes.map(({ frame, parent }) => `${parent} ${frame}`);
  expect(new Set(places).size).toBe(nodes.length);
}

/** @param {Profile} profile */
function expectLines({ lines, nodes }) {
  const sums = new Map();
  for (const { frame, self } of lines) sums.set(frame, (sums.get(frame) ?? 0) + self);
  for (const [frame, sum] of sums) {
    expect(sum).toBeCloseTo(sumWeights({ nodes: nodes.filter((node) => node.frame === frame) }), 3);
  }
}

describe.each(Object.entries(readProfiles()))('%s', (_, profile) => {
  const total = sumWeights(profile);

  test('is a tree without duplicate siblings, mostly in the measured loop', () => {
    expectTree(profile);
    expectLines(profile);
    expect(focusProfile(profile, isMeasuredLoop).droppedShare).toBeLessThan(0.25);
  });

  test('keeps its weight but no native frames when collapsed', () => {
    const collapsed = collapseNative(profile);
    expectTree(collapsed);
    expectLines(collapsed);
    expect(sumWeights(collapsed) / total).toBeCloseTo(1, 9);
    expect(collapsed.frames.filter(({ kind }) => kind === 'native')).toEqual([]);
  });

  test('has the weight of its focused and its dropped part', () => {
    const { profile: focused, droppedShare } = focusProfile(profile, isMeasuredLoop);
    expectTree(focused);
    expectLines(focused);
    expect(sumWeights(focused) / total + droppedShare).toBeCloseTo(1, 9);
    expect(sumWeights(collapseNative(focused)) / total + droppedShare).toBeCloseTo(1, 9);
  });

  test('is the mean of its scaled copies', () => {
    const mean = meanProfile([scaleProfile(profile, 0.5), scaleProfile(profile, 1.5)]);
    expectTree(mean);
    expectLines(mean);
    expect(mean.nodes.length).toBe(profile.nodes.length);
    mean.nodes.forEach(({ self }, index) => expect(self).toBeCloseTo(profile.nodes[index].self, 3));
  });

  test('does not differ from itself', () => {
    const difference = differentiate(profile, profile);
    expect(difference.nodes.every(({ baseline, candidate }) => baseline === candidate)).toBe(true);
    expect(
      sumWeights({ nodes: difference.nodes.map(({ candidate }) => ({ self: candidate })) }) / total,
    ).toBeCloseTo(1, 9);
  });

  test('has functions with self weights that sum to the total', () => {
    const sums = [...sumByFunction(profile).values()];
    expect(sums.reduce((sum, { self }) => sum + self, 0) / total).toBeCloseTo(1, 9);
    for (const sum of sums) {
      expect(sum.total).toBeGreaterThanOrEqual(sum.self);
      expect(sum.total / total).toBeLessThan(1 + 1e-9);
    }
  });
});
