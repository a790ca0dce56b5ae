import { averagePauseMs, summarizeCollections } from './summarize-collections.js';
import { compareAllocations } from './compare-allocations.js';
import { compareInstructions, compareWholeProcess } from './compare-figures.js';
import { compareFunctions } from './compare-functions.js';
import { keepMeasured } from './keep-measured.js';
import { compareLogs } from './compare-logs.js';
import { forEachSide } from './for-each-side.js';
import { describeCauses, groupCauses } from './group-causes.js';
import { measureDifference, scaleSides } from './scale-sides.js';
import { writeParagraph } from './write-paragraph.js';

/** @import { CellExplanation } from '../../formats/types.ts' */
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
export function explainSides(evidence, sides) {
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
