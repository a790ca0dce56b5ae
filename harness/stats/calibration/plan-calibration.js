import { shuffle } from '../plan.js';
import { drawIndex, seedGenerator } from '../random.js';

/** @import { Cell, Trial } from '../../formats/types.ts' */

/** @typedef {Pick<Trial, 'number' | 'mode' | 'cellId' | 'injected' | 'isFull' | 'seed'>} PlannedTrial */

/** Extra costs that are injected, as shares. */
export const INJECTED_COSTS = Object.freeze([0.005, 0.01, 0.02, 0.05, 0.1]);

/** What can be calibrated apart. */
export const PARTS = Object.freeze(/** @type {const} */ (['false-positives', 'power', 'layouts']));

/** A/A comparisons a cell in one round, of those that stop when they are decided. */
const BLANKS = { default: 5, screen: 1 };

const SEEDS = 2 ** 32;

/**
 * The trials of a calibration, without end. In a round each cell has, in each mode: A/A comparisons
 * that stop where `compare` stops; one that uses up its budget, for curves; and one of each injected
 * cost. All of a round come in random order, so that the weather falls on all alike.
 *
 * @param {object} settings
 * @param {number} settings.seed
 * @param {Cell[]} settings.cells
 * @param {Trial['mode'][]} settings.modes
 * @param {readonly (typeof PARTS[number])[]} settings.parts
 * @param {number} [settings.from] number of the first trial that is wanted: those before have run
 * @returns {Generator<PlannedTrial, void>} ends at once where no trials are wanted
 */
export function* planCalibration({ seed, cells, modes, parts, from = 0 }) {
  const random = seedGenerator(seed);
  const wantsBlanks = parts.includes('false-positives');
  const wantsPower = parts.includes('power');
  if (!wantsBlanks && !wantsPower) return;
  for (let number = 0; ;) {
    const round = modes.flatMap((mode) =>
      cells.flatMap(({ id: cellId }) => {
        const blank = { mode, cellId, injected: 0, isFull: false };
        const blanks = wantsBlanks ? Array(BLANKS[mode]).fill(blank) : [];
        const costs = wantsPower ? INJECTED_COSTS.map((injected) => ({ ...blank, injected })) : [];
        return [...blanks, { ...blank, isFull: true }, ...costs];
      }),
    );
    for (const trial of shuffle(round, random)) {
      const planned = { number, ...trial, seed: drawIndex(random, SEEDS) };
      if (number >= from) yield planned;
      number++;
    }
  }
}
