import { compareAllocations } from './compare-allocations.js';
import { compareLogs } from './compare-logs.js';
import { compareFunctions, keepMeasured } from './functions.js';
import { describeCauses, groupCauses } from './group-causes.js';
import { collectProfileWarnings } from './profile-warnings.js';
import {
  averagePauseMs,
  compareInstructions,
  compareWholeProcess,
  forEachSide,
  summarizeCollections,
} from './samples.js';
import { measureDifference, scaleSides } from './scale-sides.js';
import { writeParagraph } from './write-paragraph.js';

/** @import { CellExplanation, Explanation } from '../../formats/types.ts' */
/** @import { CellEvidence, ScaledSides } from './types.ts' */

/**
 * Says why the sides of a cell differ, or that nothing shows that they do. Pure: the same evidence
 * gives the same explanation.
 *
 * @param {CellEvidence} evidence
 * @returns {CellExplanation}
 */
export function explainCell(evidence) {
  return explainSides(evidence, scaleSides(evidence));
}

/**
 * @param {CellEvidence} evidence
 * @param {ScaledSides | null} sides made by `scaleSides`
 * @returns {CellExplanation}
 */
function explainSides(evidence, sides) {
  const measured = measureDifference(evidence);
  const groups = sides === null ? [] : groupCauses(sides);
  const collections = forEachSide((side) =>
    summarizeCollections(evidence.collections[side], evidence.cell.gcShare[side]),
  );
  const allocation = compareAllocations(evidence.allocations);
  const { deopts, cacheSites, tiers } = compareLogs(keepMeasured(evidence));
  const instructions = compareInstructions(evidence.figures.instructions);
  const pauseMs = forEachSide((side) => averagePauseMs(collections[side], evidence.timedNs[side]));
  return {
    cell: evidence.cell.cell,
    source: sides?.source ?? null,
    paragraph: writeParagraph({
      evidence,
      measured,
      sides,
      groups,
      collections,
      pauseMs,
      allocation,
      logs: { deopts, cacheSites },
      instructions,
    }),
    measured,
    profiled: forEachSide((side) => (sides === null ? null : meanOf(sides.rawNs[side]))),
    processes: sides?.processes ?? { baseline: 0, candidate: 0 },
    ...(sides === null
      ? { functions: [], rest: { functions: 0, selfNs: 0 } }
      : compareFunctions(sides)),
    causes: describeCauses(groups, measured),
    collections,
    pauseMs,
    deopts,
    cacheSites,
    tiers,
    allocations: allocation?.sites ?? [],
    values: evidence.values,
    instructions,
    wholeProcess: compareWholeProcess(evidence.figures.wholeProcess),
    artefacts: evidence.artefacts,
  };
}

/** @param {number[]} values */
function meanOf(values) {
  return values.reduce((total, value) => total + value, 0) / values.length;
}

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
