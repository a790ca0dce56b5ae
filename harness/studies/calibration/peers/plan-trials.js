import { shuffle } from '../../../stats/plan.js';
import { drawIndex, drawUniform, seedGenerator } from '../../../stats/random.js';

/** @import { PlannedTrial } from './types.ts' */

const SEEDS = 2 ** 31;

/**
 * The comparisons that are made, without end. In every round each tool has its turn with one of the
 * injected costs and `blanks` turns with none, all in random order; which side comes first is drawn
 * for each comparison alone. So the tools share the weather, and wherever it is broken off they have
 * had nearly the same. Costs come back when all have been, so that with one blank a round there are
 * as many A/A comparisons as others.
 *
 * @param {object} settings
 * @param {string[]} settings.tools
 * @param {number[]} settings.costs as shares; none for A/A alone
 * @param {number} settings.blanks A/A comparisons of a tool in a round, a whole number
 * @param {number} settings.seed
 * @returns {Generator<PlannedTrial, void>} ends at once where nothing is wanted
 */
export function* planTrials({ tools, costs, blanks, seed }) {
  if (tools.length === 0 || costs.length + blanks === 0) return;
  const random = seedGenerator(seed);
  /** @type {number[]} */
  let left = [];
  for (let number = 0; ;) {
    if (left.length === 0) left = shuffle(costs, random);
    const turns = [...Array(blanks).fill(0), ...left.splice(0, 1)];
    const round = tools.flatMap((tool) => turns.map((injected) => ({ tool, injected })));
    for (const { tool, injected } of shuffle(round, random)) {
      const first = drawUniform(random) < 0.5 ? 'baseline' : 'candidate';
      yield { number, tool, injected, first, seed: drawIndex(random, SEEDS) };
      number++;
    }
  }
}
