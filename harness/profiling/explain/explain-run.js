import { explainSides } from './explain-cell.js';
import { collectProfileWarnings } from './profile-warnings.js';
import { scaleSides } from './scale-sides.js';

/** @import { Explanation } from '../../formats/types.ts' */
/** @import { CellEvidence } from './types.ts' */

/**
 * Explains every cell that was profiled.
 *
 * @param {CellEvidence[]} evidences in the order in which the cells are to be told
 * @param {number} firstNumber of the notes, following on from the run's other ones
 * @returns {Explanation}
 */
export function explainRun(evidences, firstNumber) {
  const cells = evidences.map((evidence) => ({ evidence, sides: scaleSides(evidence) }));
  return {
    cells: cells.map(({ evidence, sides }) => explainSides(evidence, sides)),
    warnings: collectProfileWarnings(cells, firstNumber),
  };
}
