import { seedGenerator } from '../../stats/random.js';
import { describeLong } from '../../testing/support/gates.js';
import { findScenarios } from './scenarios.js';

/** Of twenty seeds, nineteen are right; `simulate continuous` plays as many as wanted (decision 0063). */
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];

describeLong('200 commits, three of which change something', () => {
  const [scenario] = findScenarios(['continuous: 200 commits, 6 cells, +20']);

  test.each(SEEDS)('are found at their commits, and nothing else, with seed %i', (seed) => {
    const { cells, isWrong } = scenario.play(seedGenerator(seed));
    expect(cells.map(({ verdict }) => verdict)).toEqual(['slower', 'slower', 'faster']);
    expect(isWrong).toBe(false);
  });
});
