import { describe, expect, test } from '@jest/globals';
import { CALM_NS, measurementOf, paced } from '../testing/support/paced-measurements.js';
import { findCalmPace, shareDisturbed, shareDisturbedReadings } from './calm-pace.js';
import { listFigures } from './process-figure.js';

/** @import { Observation } from '../formats/types.ts' */

/** @param {number[]} looks */
const questionOf = (looks) => ({ looks, baseline: 'recursive', candidate: 'generator' });

describe('the undisturbed pace', () => {
  /**
   * @param {number} block
   * @param {number} factor
   * @returns {Observation}
   */
  const observe = (block, factor) => ({
    formatVersion: 6,
    jobId: `cell/${block}`,
    cellId: 'cell',
    arm: 'baseline',
    block,
    position: 0,
    attempt: 1,
    startedAtMs: 0,
    workerMs: 1,
    outcome: 'done',
    outputDigest: '',
    measurement: paced(Array(24).fill(factor)),
  });

  test('is a low one of the first look, and later jobs do not move it', () => {
    const early = [1, 1.4, 1.01, 1.02, 1.4, 1.4].map((factor, block) => observe(block, factor));
    const late = Array.from({ length: 6 }, (_, block) => observe(6 + block, 0.8));
    expect(findCalmPace(early, [12, 24])?.paceNs).toBeCloseTo(CALM_NS * 1.01, 6);
    expect(findCalmPace([...early, ...late], [12, 24])).toEqual(findCalmPace(early, [12, 24]));
    expect(listFigures(early, questionOf([12, 24])).map(({ ns }) => Math.round(ns))).toEqual(
      Array(3).fill(1010),
    );
  });

  test('is one for each side where they run under different Nodes', () => {
    const sides = [1, 1.2].flatMap((factor, side) =>
      Array.from({ length: 6 }, (_, block) => ({
        ...observe(block, factor),
        arm: side === 0 ? /** @type {const} */ ('baseline') : /** @type {const} */ ('candidate'),
      })),
    );
    const pins = { baseline: 'recursive@node=20', candidate: 'recursive@node=24' };
    const pinned = listFigures(sides, { ...questionOf([12]), ...pins });
    expect(pinned.map(({ ns }) => Math.round(ns))).toEqual([
      ...Array(6).fill(1000),
      ...Array(6).fill(1200),
    ]);
    expect(listFigures(sides, questionOf([12]))).toHaveLength(6);
  });

  test('leaves half of the processes where hardly any was undisturbed', () => {
    const factors = [1, 1, 1.38, 1.4, 1.41, 1.42];
    const shared = factors.map((factor, block) => observe(block, factor));
    const figures = listFigures(shared, questionOf([12]));
    expect(figures).toHaveLength(3);
    expect(figures.map(({ ns }) => Math.round(ns))).toEqual([1000, 1000, 1000]);
  });

  test('is unknown where workers have no yardstick', () => {
    const bare = /** @type {Observation} */ ({ ...observe(0, 1), measurement: measurementOf({}) });
    expect(findCalmPace([bare], [12])).toBeNull();
    expect(shareDisturbed([bare], questionOf([12]))).toBeNull();
  });

  test('tells the share of batches that began or ended slower', () => {
    const calm = [0, 1, 2].map((block) => observe(block, 1));
    const half = Array.from({ length: 24 }, (_, batch) => (batch < 12 ? 1 : 1.4));
    const shared = { ...observe(3, 1), measurement: paced(half) };
    expect(shareDisturbed(calm, questionOf([12]))).toBe(0);
    // The batch between a calm reading and a slow one is none to rely on.
    expect(shareDisturbed([...calm, shared], questionOf([12]))).toBeCloseTo(13 / 96, 10);
  });

  test('is that of the calmest fifth of readings taken one after the other', () => {
    expect(shareDisturbedReadings([60, 61, 59, 60, 60])).toBe(0);
    expect(shareDisturbedReadings([60, 90, 60, 85, 100])).toBe(0.6);
  });
});
