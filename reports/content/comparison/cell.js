/** Cell by cell on a page: figures, processes, and why the cell differs. */

/** @import { Arm, CellComparison, CellExplanation, Manifest, Observation } from '../../../harness/formats/types.ts' */
/** @import { RenderInput } from '../../types.ts' */
/** @import { CellProfiles } from '../../../harness/formats/profile-types.ts' */
/** @import { Block, Inline, Section } from '../../document/model.ts' */
/** @import { ProcessDot } from '../../figures/process-plots.js' */

import {
  countOf,
  formatConfidence,
  formatInterval,
  formatRatio,
  formatShare,
  formatTime,
  formatTimePair,
  isFigure,
} from '../../../harness/lib/numbers.js';
import { figureOf } from '../../../harness/stats/figure.js';
import { listFigures } from '../../../harness/stats/interference.js';
import { jobCellId, pairOf } from '../../../harness/stats/plan.js';
import { isWithoutNoise, meanOfTrimmed } from '../../../harness/stats/robust.js';
import { isDirection } from '../../../harness/stats/verdicts.js';
import { drawDistribution, drawDrift } from '../../figures/process-plots.js';
import { list, titled } from '../build.js';
import { explainInFull } from './explanation.js';
import { describePlacement } from './checks.js';
import { showProfiles } from './profiles.js';
import { countsLabel, isMeasured } from './counts.js';
import { nameInterval, nameLack, timedUnit, verdictBadge } from './words.js';

const ARMS = /** @type {Arm[]} */ (['baseline', 'candidate', 'control']);
/** Multiples of it, modulo 1, are evenly spread: dots stand apart without chance. */
const GOLDEN_RATIO = 0.618033988749895;
/** More marks hide each other, and make the page too large. */
const MAX_DOTS = 1_000;

/**
 * How much of a cell a page shows; less where it would be too large.
 *
 * @typedef {object} Detail
 * @property {number} rows of a table that are seen at once
 * @property {number} lines of source
 * @property {'all' | 'differing' | 'none'} plots
 * @property {number} nodes of each flamegraph at most; without any there is none
 */

/**
 * @typedef {object} CellParts
 * @property {number} number of the cell, from 1
 * @property {CellComparison} comparison
 * @property {Observation[]} observations
 * @property {CellExplanation | undefined} explanation
 * @property {CellProfiles | undefined} profiles
 */

/**
 * @param {Pick<RenderInput, 'manifest' | 'verdict' | 'observations' | 'profiles'>} input
 * @param {Detail} detail
 * @returns {Section} a group a cell with the id `cell-1` and so on, of a page only
 */
export function makeCellsSection(input, detail) {
  const { question } = input.manifest;
  return {
    id: 'cells',
    title: 'Cell by cell',
    only: ['html'],
    blocks: gatherCells(input).map((parts) => describeCell(parts, question, detail)),
  };
}

/**
 * @param {Pick<RenderInput, 'verdict' | 'observations' | 'profiles'>} input
 * @returns {Set<number>} the cells that the section describes, from 1
 */
export function describedCells(input) {
  return new Set(gatherCells(input).map(({ number }) => number));
}

/**
 * @param {Pick<RenderInput, 'verdict' | 'observations' | 'profiles'>} input
 * @returns {CellParts[]} without the cells of which the table says everything
 */
function gatherCells({ verdict, observations = [], profiles = [] }) {
  return verdict.cells
    .map((comparison, index) => {
      const { id } = comparison.cell;
      return {
        number: index + 1,
        comparison,
        observations: observations.filter(
          ({ cellId, arm }) => cellId === jobCellId(comparison.cell, arm),
        ),
        explanation: verdict.explanation?.cells.find(({ cell }) => cell.id === id),
        profiles: profiles.find(({ cellId }) => cellId === id),
      };
    })
    .filter(
      ({ comparison, explanation, profiles: recorded }) =>
        isMeasured(comparison) || explanation !== undefined || recorded !== undefined,
    );
}

/** @type {(parts: CellParts, question: Manifest['question'], detail: Detail) => Block} */
function describeCell(parts, question, detail) {
  const { number, comparison, explanation } = parts;
  const { cell, verdict } = comparison;
  const hasPlots = detail.plots === 'all' || (detail.plots === 'differing' && isDirection(verdict));
  const pair = pairOf(question, cell);
  return {
    kind: 'group',
    id: `cell-${number}`,
    name: 'cell',
    folded: ['html'],
    title: [{ code: cell.id }, ' ', verdictBadge(comparison, question.mode)],
    blocks: [
      { kind: 'paragraph', role: 'basis', text: describeFigures(comparison, question) },
      ...describePlacements(comparison),
      ...(explanation === undefined ? [] : [list(explanation.paragraph)]),
      ...(hasPlots ? plotProcesses(comparison, parts.observations, pair) : []),
      ...explainProfiles(parts, pair, detail),
    ],
  };
}

/** @type {(comparison: CellComparison, question: Manifest['question']) => Inline} */
function describeFigures(comparison, { alpha }) {
  const { effect, control, failedJobs, warnings } = comparison;
  const { baselineNs, candidateNs } = comparison;
  if (!isMeasured(comparison)) return 'Nothing was measured.';
  const [before, after] = formatTimePair(baselineNs, candidateNs);
  const parts = [
    `${before} → ${after}${figureOf(comparison.cell).quantity === null ? ' per document' : ''}`,
    effect === null
      ? `no ratio: ${nameLack(comparison)}`
      : `ratio ${formatRatio(effect.ratio.estimate)} (${nameInterval(alpha, [comparison])} ${formatInterval(effect.ratio)})`,
    `control ${formatRatio(control?.ratio.estimate)}${describeControl(control, alpha)}`,
    countsLabel(comparison),
    ...(failedJobs === 0 ? [] : [countOf(failedJobs, 'failed job')]),
  ];
  return [parts.join(' · '), warnings.length === 0 ? '' : [' · notes ', { notes: warnings }]];
}

/** @type {(control: CellComparison['control'], alpha: number) => string} equal figures have no interval */
function describeControl(control, alpha) {
  if (control === null || isWithoutNoise(control.standardError ?? 1)) return '';
  return ` (${formatConfidence(alpha)} interval ${formatInterval(control.ratio)})`;
}

/** @type {(comparison: CellComparison) => Block[]} none where the cell was not measured in other placements */
function describePlacements({ placement }) {
  if (placement === undefined) return [];
  const { ratio, interval, spread, placements } = describePlacement(placement);
  return [
    {
      kind: 'paragraph',
      role: 'basis',
      text: `In other placements of the same code: ratio ${ratio}, interval ${interval} · spread ${spread} · ${placements} placements × figures per arm`,
    },
  ];
}

/** @type {(parts: CellParts, pair: ReturnType<typeof pairOf>, detail: Detail) => Block[]} */
function explainProfiles({ explanation, profiles }, pair, detail) {
  const shown = profiles === undefined ? [] : showProfiles(profiles, pair, detail);
  if (explanation === undefined) return [titled('Flamegraph', shown)];
  return explainInFull(explanation, detail.rows, shown);
}

/**
 * How the timed processes of a cell are spread, and how they drift.
 *
 * @param {CellComparison} comparison
 * @param {Observation[]} observations of this cell
 * @param {ReturnType<typeof pairOf>} pair
 * @returns {Block[]} none where no process measured
 */
function plotProcesses({ cell, unsettledShare }, observations, pair) {
  const quantity = figureOf(cell).quantity === null ? `time per ${timedUnit(cell)}` : 'time';
  const figures = listFigures(observations, pair);
  const share = Math.min(1, MAX_DOTS / figures.length);
  const dots = ARMS.flatMap((arm) => placeDots(arm, figures, share));
  if (dots.length === 0) return [];
  const means = {
    baseline: meanOf(figures, 'baseline'),
    candidate: meanOf(figures, 'candidate'),
    control: meanOf(figures, 'control'),
  };
  const marks =
    share === 1 ? 'Each mark is one process' : `Each mark is one of ${figures.length} processes`;
  const arms = ARMS.filter((arm) => dots.some((dot) => dot.arm === arm));
  // A drift that chance does not explain is a note of the run.
  const warmUps =
    isFigure(unsettledShare) && unsettledShare > 0
      ? ` ${formatShare(unsettledShare)} of the warm-ups had not settled.`
      : '';
  return [
    {
      kind: 'figures',
      figures: [
        {
          kind: 'figure',
          draw: () => drawDistribution(dots, arms, means, quantity),
          caption: `${marks}; the line is the trimmed mean: ${arms.map((arm) => `${arm} ${formatTime(means[arm])}`).join(', ')}.`,
        },
        {
          kind: 'figure',
          draw: () => drawDrift(dots, arms, means),
          caption: `The same processes in the order of execution, each relative to the mean of its arm.${warmUps}`,
        },
      ],
    },
  ];
}

/** @type {(wanted: Arm, figures: ReturnType<typeof listFigures>, share: number) => ProcessDot[]} */
function placeDots(wanted, figures, share) {
  return figures
    .filter(({ observation }) => observation.arm === wanted)
    .flatMap(({ observation, ns }, index) => {
      const place = (index * GOLDEN_RATIO) % 1;
      if (place >= share) return [];
      const startedAtS = observation.startedAtMs / 1000;
      return [{ arm: wanted, ns, startedAtS, level: place / share }];
    });
}

/**
 * @param {ReturnType<typeof listFigures>} figures
 * @param {Arm} wanted
 * @returns {number | null} nanoseconds; the baseline of the table of cells is that of baseline and
 *   control together
 */
function meanOf(figures, wanted) {
  const logs = figures.flatMap(({ observation, ns }) =>
    observation.arm === wanted ? [Math.log(ns)] : [],
  );
  return logs.length === 0 ? null : Math.exp(meanOfTrimmed(Float64Array.from(logs).sort()));
}
