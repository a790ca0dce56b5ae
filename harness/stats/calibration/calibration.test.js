import { INJECTED_COSTS, planCalibration } from './calibration.js';

/** @import { Cell } from '../../formats/types.ts' */

const CELLS = ['serialize flat', 'deserialize deep'].map((id) => {
  const [operation, corpus] = id.split(' ');
  return /** @type {Cell} */ ({ id, operation, corpus });
});
const SETTINGS = {
  seed: 3,
  cells: CELLS,
  modes: /** @type {('default' | 'screen')[]} */ (['default', 'screen']),
  schedules: /** @type {('sequential' | 'paired')[]} */ (['sequential', 'paired']),
  costs: /** @type {const} */ (['arithmetic']),
  parts: /** @type {const} */ (['false-positives', 'power']),
};
/** Trials of one round: by mode and schedule, its A/A comparisons and each cost once, for each cell. */
const ROUND = CELLS.length * 2 * (5 + 1 + 5 + (1 + 1 + 5));

/** @param {Partial<Parameters<typeof planCalibration>[0]>} more @param {number} count */
function planFirst(more, count) {
  const trials = [];
  for (const trial of planCalibration({ ...SETTINGS, ...more })) {
    if (trials.length === count) break;
    trials.push(trial);
  }
  return trials;
}

describe('the trials of a calibration', () => {
  test('cover every cell, mode and cost in each round, in random order', () => {
    const rounds = planFirst({}, 2 * ROUND);
    for (const round of [rounds.slice(0, ROUND), rounds.slice(ROUND)]) {
      for (const { id } of CELLS) {
        for (const injected of INJECTED_COSTS.arithmetic) {
          const found = round.filter(
            (trial) =>
              trial.cellId === id && trial.injected === injected && trial.mode === 'default',
          );
          expect(found.map(({ schedule }) => schedule).sort()).toEqual(['paired', undefined]);
        }
      }
      expect(round.filter(({ isFull }) => isFull)).toHaveLength(8);
    }
    const order = (/** @type {number} */ from) =>
      rounds.slice(from, from + ROUND).map(({ injected }) => injected);
    expect(order(0)).not.toEqual(order(ROUND));
  });

  test('have unique seeds and numbers, which depend on the seed', () => {
    const trials = planFirst({}, 40);
    expect(new Set(trials.map(({ seed }) => seed)).size).toBe(40);
    expect(trials.map(({ number }) => number)).toEqual(trials.map((_, index) => index));
    expect(planFirst({}, 40)).toEqual(trials);
    expect(planFirst({ seed: 4 }, 40)).not.toEqual(trials);
  });

  test('continue after those that have run', () => {
    expect(planFirst({ from: 25 }, 10)).toEqual(planFirst({}, 35).slice(25));
  });

  test('have costs of the requested kinds', () => {
    const costly = planFirst({ parts: ['power'], costs: ['allocation'] }, 60).filter(
      ({ injected }) => injected > 0,
    );
    expect(new Set(costly.map(({ injected }) => injected))).toEqual(
      new Set(INJECTED_COSTS.allocation),
    );
    expect(costly.every(({ cost }) => cost === 'allocation')).toBe(true);
  });

  test('belong only to the requested parts', () => {
    const blanks = planFirst({ parts: ['false-positives'] }, 30);
    expect(blanks.every(({ injected }) => injected === 0)).toBe(true);
    const power = planFirst({ parts: ['power'] }, 30);
    expect(power.filter(({ injected }) => injected === 0).every(({ isFull }) => isFull)).toBe(true);
    expect(planFirst({ parts: ['placements'] }, 1)).toEqual([]);
  });
});
