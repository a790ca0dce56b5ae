/** @import { CellComparison, Question } from '../formats/types.ts' */

/** Beyond so many times the minimum effect no placement of code is known to reach. */
const MOST_MINIMUM_EFFECTS = 3;
/** A run with many small differences is measured in other layouts where these are smallest. */
export const MOST_CELLS = 6;

/**
 * The cells whose verdict code placement might have made: a direction with an estimate of up to three
 * times the minimum effect, or none with an estimate between one and three times.
 *
 * @param {Pick<Question, 'layouts' | 'minimumEffect'>} question
 * @param {CellComparison[]} cells with the verdicts that times alone give
 * @returns {CellComparison[]} directions first, of these the smallest first; the first six are measured
 */
export function chooseLayoutCells({ layouts = 0, minimumEffect }, cells) {
  if (layouts === 0) return [];
  const unit = Math.log1p(minimumEffect);
  return cells
    .flatMap((comparison) => {
      const { verdict, effect } = comparison;
      if (effect === null) return [];
      const size = Math.abs(Math.log(effect.ratio.estimate)) / unit;
      const isDirection = verdict === 'faster' || verdict === 'slower';
      const isNear = isDirection || (verdict === 'inconclusive' && size >= 1);
      const isDue = isNear && size <= MOST_MINIMUM_EFFECTS;
      return isDue ? { comparison, rank: size + (isDirection ? 0 : MOST_MINIMUM_EFFECTS) } : [];
    })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ comparison }) => comparison);
}
