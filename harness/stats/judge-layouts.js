import { findPaces } from './calm-pace.js';
import { isStrong } from './cell-verdict.js';
import { compareLayouts } from './compare-layouts.js';
import { takeFigure } from './process-figure.js';
import { chooseLayoutCells, MOST_CELLS } from './choose-cells.js';
import { isDirection, LAYOUT_NOTES } from './layout-notes.js';

/** @import { Arm, CellComparison, LayoutObservation, Manifest, Observation, RatioInterval, Verdict, Warning } from '../formats/types.ts' */
/** @import { CalmPace } from './calm-pace.js' */
/** @import { JudgedCell } from './layout-notes.js' */

/** @typedef {Record<'baseline' | 'candidate', number[][]>} SideFigures */

/** Why a run that ended so has no layouts. @type {Partial<Record<Verdict['ended'], string>>} */
const ENDED_EARLY = { interrupted: 'the run was interrupted', failed: 'a job of the run failed' };

/**
 * @typedef {object} LayoutJudgement
 * @property {CellComparison[]} cells in the order given
 * @property {Warning[]} warnings those given, and further ones on layouts
 */

/**
 * Holds verdicts against other code placements of both sides, where these were measured. A direction
 * stands only if the interval over layouts excludes 1 on the same side. It may fall here, and never
 * rise, so the error rate of the run stays what it is.
 *
 * @param {{ cells: CellComparison[], warnings: Warning[] }} comparison of the times
 * @param {object} run
 * @param {Manifest} run.manifest
 * @param {Observation[]} run.observations
 * @param {LayoutObservation[]} run.layoutObservations
 * @param {Verdict['ended']} run.ended
 * @returns {LayoutJudgement}
 */
export function judgeLayouts({ cells, warnings }, run) {
  const due = chooseLayoutCells(run.manifest.question, cells);
  const judged = cells.map((before) => judgeCell(before, due.indexOf(before), run));
  const notes = LAYOUT_NOTES.flatMap(({ kind, look, tell }) => {
    const concerned = judged.flatMap((cell) => {
      const figure = look(cell);
      return figure === null ? [] : [{ cell, place: `${cell.before.cell.id} (${figure})` }];
    });
    const text = tell(concerned.map(({ place }) => place).join(', '));
    return concerned.length === 0 ? [] : [{ kind, text, concerned }];
  });
  const numbered = notes.map((note, index) => ({ ...note, number: warnings.length + index + 1 }));
  return {
    cells: judged.map((cell) => {
      const own = numbered.filter(({ concerned }) => concerned.some((one) => one.cell === cell));
      if (own.length === 0) return cell.after;
      const numbers = own.map(({ number }) => number);
      return { ...cell.after, warnings: [...cell.after.warnings, ...numbers] };
    }),
    warnings: [...warnings, ...numbered.map(({ number, kind, text }) => ({ number, kind, text }))],
  };
}

/**
 * @param {CellComparison} before
 * @param {number} place among the cells that are due, -1 where it is not
 * @param {Parameters<typeof judgeLayouts>[1]} run
 * @returns {JudgedCell}
 */
function judgeCell(before, place, run) {
  const own = run.layoutObservations.filter(({ cellId }) => cellId === before.cell.id);
  if (place === -1) return { before, after: before, missing: null, dropped: [] };
  const { question, expectedDigests } = run.manifest;
  const { figures, dropped } = sortFigures(own, {
    paces: findPaces(
      run.observations.filter(({ cellId }) => cellId === before.cell.id),
      question,
    ),
    digest: expectedDigests[before.cell.id],
  });
  const layout = compareLayouts(figures, question.alpha);
  if (layout === null) {
    return { before, after: before, missing: tellMissing(dropped, place, run), dropped: [] };
  }
  const stands = !isDirection(before) || excludesOne(layout.ratio, before);
  const minimumEffect = Math.log1p(question.minimumEffect);
  return {
    before,
    after: {
      ...before,
      verdict: stands ? before.verdict : 'inconclusive',
      strong: before.strong && stands && isStrong(takeLogs(layout.ratio), minimumEffect),
      layout,
    },
    missing: null,
    dropped: [...dropped].map(([name, reason]) => `${name}: ${reason}`),
  };
}

/**
 * @param {LayoutObservation[]} observations of one cell
 * @param {{ paces: Record<Arm, CalmPace | null>, digest: string | undefined }} cell
 * @returns {{ figures: SideFigures, dropped: Map<string, string> }} reasons by layout
 */
function sortFigures(observations, { paces, digest }) {
  /** @type {Map<string, string>} */
  const dropped = new Map();
  /** @type {SideFigures} */
  const figures = { baseline: [], candidate: [] };
  for (const observation of observations) {
    const { arm, layout } = observation;
    const name = `${arm} ${layout}`;
    if (observation.outcome === 'failed') {
      dropped.set(name, observation.failure.detail);
      continue;
    }
    if (observation.outputDigest !== digest) dropped.set(name, 'other bytes than the reference');
    const side = (figures[arm][layout] ??= []);
    const figure = takeFigure(observation.measurement, paces[arm]);
    if (figure !== null) side.push(Math.log(figure));
  }
  for (const arm of /** @type {const} */ (['baseline', 'candidate'])) {
    // A layout of which a job failed is not what it was meant to be.
    figures[arm] = figures[arm].filter((_, layout) => !dropped.has(`${arm} ${layout}`));
  }
  return { figures, dropped };
}

/**
 * @param {Map<string, string>} dropped reasons by layout
 * @param {number} place
 * @param {Parameters<typeof judgeLayouts>[1]} run
 */
function tellMissing(dropped, place, { manifest, ended }) {
  const sides = [manifest.variants.baseline, manifest.variants.candidate];
  const foreign = sides.find(({ program }) => program !== undefined);
  if (foreign !== undefined) return 'a program of its own measures it';
  const reasons = new Set(dropped.values());
  if (reasons.size > 0) return [...reasons].join('; ');
  if (place >= MOST_CELLS) return `${MOST_CELLS} others come first`;
  return ENDED_EARLY[ended] ?? 'there was no time left';
}

/**
 * @param {RatioInterval} ratio
 * @param {CellComparison} direction
 */
function excludesOne({ low, high }, { verdict }) {
  return verdict === 'slower' ? low > 1 : high < 1;
}

/** @param {RatioInterval} ratio */
function takeLogs({ estimate, low, high }) {
  return { estimate: Math.log(estimate), low: Math.log(low), high: Math.log(high) };
}
