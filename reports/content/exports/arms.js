/** Cells and their processes, as the formats of other tools need them. */

/** @import { CellComparison, RatioInterval } from '../../../harness/formats/types.ts' */
/** @import { JobRecord } from '../../../harness/stats/cell/samples.js' */
/** @import { RenderInput } from '../../types.ts' */

import { collectCells, logFiguresOf } from '../../../harness/stats/cell/samples.js';
import { contrastOf } from '../../../harness/stats/contrast.js';
import { figureOf } from '../../../harness/stats/figure.js';
import { pairOf, sharedIdOf } from '../../../harness/stats/plan.js';
import { intervalOfMean } from '../comparison/series.js';
import { timedUnit } from '../comparison/words.js';

/** Confidence of the interval of one arm, 95 %: it is context, no verdict rests on it. */
const ARM_LEVEL = 0.05;

/**
 * One variant in one cell.
 *
 * @typedef {object} ExportedArm
 * @property {CellComparison} comparison of the candidate; for a baseline that several share, of the first
 * @property {string} cell name without the candidate: `serialize flat`, `serialize flat node@22.11.0`
 * @property {'baseline' | 'candidate'} role of a ranking all are candidates
 * @property {string} variant spec; of a variant that is compared with itself the candidate has a word more
 * @property {JobRecord[]} jobs those of the baseline and of its control in the order in which they were planned
 * @property {number | null} ns typical figure in nanoseconds
 * @property {RatioInterval | null} interval of it at 95 %, in nanoseconds; null where there are too few figures
 */

/**
 * @param {RenderInput} input
 * @returns {ExportedArm[]} of each cell the baseline, once for all its candidates, and the candidates
 */
export function listArms({ manifest, verdict, observations = [] }) {
  const { question } = manifest;
  const { hasBaseline } = contrastOf(question);
  const records = new Map(
    collectCells(question, observations, {}).map((record) => [record.cell.id, record.arms]),
  );
  const seen = new Set();
  return verdict.cells.flatMap((comparison) => {
    const { cell } = comparison;
    const { baseline, candidate, control } = records.get(cell.id) ?? NOTHING;
    const specs = pairOf(question, cell);
    const name = sharedIdOf(cell);
    const isFirst = !seen.has(name);
    seen.add(name);
    const isItself = hasBaseline && specs.baseline === specs.candidate;
    const common = { comparison, cell: name };
    return [
      ...(hasBaseline && isFirst
        ? [
            {
              ...common,
              ...{ role: /** @type {const} */ ('baseline'), variant: specs.baseline },
              ...{ ns: comparison.baselineNs, ...withInterval([...baseline, ...control]) },
            },
          ]
        : []),
      {
        ...common,
        role: /** @type {const} */ ('candidate'),
        variant: isItself ? `${specs.candidate} (candidate)` : specs.candidate,
        ...{ ns: comparison.candidateNs, ...withInterval(candidate) },
      },
    ];
  });
}

/** Of a cell that was not measured. @type {Record<'baseline' | 'candidate' | 'control', JobRecord[]>} */
const NOTHING = { baseline: [], candidate: [], control: [] };

/** @param {JobRecord[]} jobs */
function withInterval(jobs) {
  const inOrder = jobs.toSorted((a, b) => a.block - b.block || a.position - b.position);
  return {
    jobs: inOrder,
    interval: intervalOfMean(logFiguresOf(jobs).map(Math.exp), ARM_LEVEL),
  };
}

/** @type {(arm: ExportedArm) => string} what one figure is for: a document or a call, unless the operation has a figure of its own */
export function unitOf({ comparison: { cell } }) {
  const { quantity, kind } = figureOf(cell);
  if (quantity === null) return timedUnit(cell);
  return kind === 'cold' ? 'process' : 'op';
}

/**
 * @param {ExportedArm} arm
 * @param {ExportedArm[]} all
 * @returns {string} name of a series over many runs: that of the cell, with what tells its variants apart, but without a
 *   candidate that is alone, since its revision changes from run to run
 */
export function nameOverRuns({ cell, role, variant }, all) {
  if (role === 'baseline') return `${cell} (baseline)`;
  const others = all.filter((one) => one.cell === cell && one.role === 'candidate');
  return others.length === 1 ? cell : `${cell} ${variant}`;
}
