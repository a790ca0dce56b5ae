import { describe, expect, test } from '@jest/globals';
import { collapseNative, focusProfile, meanProfile, scaleProfile } from './transforms.js';
import { differentiate } from './differentiate.js';
import { readProfiles, sumWeights } from './fixtures/read-fixture.js';
import { sumByFunction } from './sum-by-function.js';

/** @import { Frame, Profile } from '../../formats/profile-types.ts' */

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

  test('is a tree without twins, most of it in the measured loop', () => {
    expectTree(profile);
    expectLines(profile);
    expect(focusProfile(profile, isMeasuredLoop).droppedShare).toBeLessThan(0.25);
  });

  test('keeps its weight when native code is collapsed, and has none left', () => {
    const collapsed = collapseNative(profile);
    expectTree(collapsed);
    expectLines(collapsed);
    expect(sumWeights(collapsed) / total).toBeCloseTo(1, 9);
    expect(collapsed.frames.filter(({ kind }) => kind === 'native')).toEqual([]);
  });

  test('parts in what is focused on and what is dropped', () => {
    const { profile: focused, droppedShare } = focusProfile(profile, isMeasuredLoop);
    expectTree(focused);
    expectLines(focused);
    expect(sumWeights(focused) / total + droppedShare).toBeCloseTo(1, 9);
    expect(sumWeights(collapseNative(focused)) / total + droppedShare).toBeCloseTo(1, 9);
  });

  test('is the mean of its half and of its half more', () => {
    const mean = meanProfile([scaleProfile(profile, 0.5), scaleProfile(profile, 1.5)]);
    expectTree(mean);
    expectLines(mean);
    expect(mean.nodes.length).toBe(profile.nodes.length);
    mean.nodes.forEach(({ self }, index) => expect(self).toBeCloseTo(profile.nodes[index].self, 3));
  });

  test('differs from itself in nothing', () => {
    const difference = differentiate(profile, profile);
    expect(difference.nodes.every(({ baseline, candidate }) => baseline === candidate)).toBe(true);
    expect(
      sumWeights({ nodes: difference.nodes.map(({ candidate }) => ({ self: candidate })) }) / total,
    ).toBeCloseTo(1, 9);
  });

  test('has functions whose self weights make the whole, none above it', () => {
    const sums = [...sumByFunction(profile).values()];
    expect(sums.reduce((sum, { self }) => sum + self, 0) / total).toBeCloseTo(1, 9);
    for (const sum of sums) {
      expect(sum.total).toBeGreaterThanOrEqual(sum.self);
      expect(sum.total / total).toBeLessThan(1 + 1e-9);
    }
  });
});
