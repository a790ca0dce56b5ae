import { countOf, formatRoughShare } from '../lib/numbers.js';
import { findPaces, takeFigure } from './interference.js';
import { isStrong } from './decision-rule.js';
import { noteCells } from './notes.js';
import { generatorFor, shuffle } from './random.js';
import { estimateDifference, meanOf, studentInterval, varianceOf } from './means.js';
import { describeTrimmedMean } from './robust.js';
import { isDirection, isSlower } from './verdicts.js';

/** @import { Arm, CellComparison, LayoutComparison, LayoutObservation, Manifest, Observation, PlannedLayoutJob, Question, RatioInterval, Verdict, Warning } from '../formats/types.ts' */
/** @import { CalmPace } from './interference.js' */
/** @import { CellNoteKind } from './notes.js' */

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
  const notes = noteCells(LAYOUT_NOTES, judged, warnings.length + 1);
  return { cells: judged.map(({ comparison }) => comparison), warnings: [...warnings, ...notes] };
}

/**
 * @param {CellComparison} before
 * @param {number} place among the cells that are due, -1 where it is not
 * @param {Parameters<typeof judgeLayouts>[1]} run
 * @returns {JudgedCell}
 */
function judgeCell(before, place, run) {
  const own = run.layoutObservations.filter(({ cellId }) => cellId === before.cell.id);
  const comparison = { ...before, warnings: [...before.warnings] };
  if (place === -1) return { before, comparison, missing: null, dropped: [] };
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
    return { before, comparison, missing: tellMissing(dropped, place, run), dropped: [] };
  }
  const stands = !isDirection(before.verdict) || excludesOne(layout.ratio, before);
  const minimumEffect = Math.log1p(question.minimumEffect);
  return {
    before,
    comparison: {
      ...comparison,
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
  return isSlower(verdict) ? low > 1 : high < 1;
}

/** @param {RatioInterval} ratio */
function takeLogs({ estimate, low, high }) {
  return { estimate: Math.log(estimate), low: Math.log(low), high: Math.log(high) };
}

/** Processes below which the mean of a layout says too little of it. */
const MIN_LAYOUT_PROCESSES = 4;
/** Layouts a side below which there is no telling how far they differ. */
const MIN_LAYOUTS = 2;

/** @typedef {{ mean: number, squaredError: number }} LayoutMean of the logarithms of one layout */

/**
 * Both sides in several layouts. The layout is the unit of replication, as the process is elsewhere:
 * processes of one layout share what their code's places cost. The interval is Welch's on the means of
 * layouts (Welch, "The generalization of 'Student's' problem when several different population
 * variances are involved", Biometrika 34, 1947).
 *
 * @param {Record<'baseline' | 'candidate', number[][]>} logFigures of each side, by layout: logarithms
 *   of what its processes contribute; of the unedited layout first
 * @param {number} alpha share of intervals that may miss
 * @returns {LayoutComparison | null} null with fewer than two layouts a side of four processes
 */
export function compareLayouts(logFigures, alpha) {
  const sides = [logFigures.baseline, logFigures.candidate].map((layouts) =>
    layouts.filter(({ length }) => length >= MIN_LAYOUT_PROCESSES),
  );
  const [baseline, candidate] = sides.map((layouts) => layouts.map(describeTrimmedMean));
  if (Math.min(baseline.length, candidate.length) < MIN_LAYOUTS) return null;
  const spread = Math.sqrt(Math.max(0, (findExcess(baseline) + findExcess(candidate)) / 2));
  return {
    layouts: Math.min(baseline.length, candidate.length),
    processes: Math.min(...sides.flat().map(({ length }) => length)),
    ratio: findRatio(baseline, candidate, alpha),
    deviations: { baseline: listDeviations(baseline), candidate: listDeviations(candidate) },
    spread,
  };
}

/**
 * How far layouts differ beyond what the noise of processes explains.
 *
 * @param {LayoutMean[]} layouts
 * @returns {number} variance; negative where they differ by less
 */
function findExcess(layouts) {
  const noise = meanOf(layouts.map(({ squaredError }) => squaredError));
  return varianceOf(layouts.map(({ mean }) => mean)) - noise;
}

/**
 * @param {LayoutMean[]} baseline
 * @param {LayoutMean[]} candidate
 * @param {number} alpha
 * @returns {RatioInterval}
 */
function findRatio(baseline, candidate, alpha) {
  const [theirs, ours] = [baseline, candidate].map((side) => side.map(({ mean }) => mean));
  const { estimate, low, high } = studentInterval(estimateDifference(ours, theirs), alpha);
  return { estimate: toRatio(estimate), low: toRatio(low), high: toRatio(high) };
}

/** @param {LayoutMean[]} layouts */
function listDeviations(layouts) {
  const centre = meanOf(layouts.map(({ mean }) => mean));
  return layouts.map(({ mean }) => Math.exp(mean - centre));
}

/**
 * From the log scale, without the infinity that JSON has not.
 *
 * @param {number} log
 */
function toRatio(log) {
  return Math.min(Math.exp(log), Number.MAX_VALUE);
}

/**
 * @typedef {object} JudgedCell
 * @property {CellComparison} before by the times alone
 * @property {CellComparison} comparison with the verdict that other layouts leave
 * @property {string | null} missing why a cell that is due has no layouts
 * @property {string[]} dropped layouts that do not count, and why
 */

/** Notes on cells that are due for other layouts, in their order. @type {CellNoteKind<JudgedCell, []>[]} */
const LAYOUT_NOTES = [
  {
    kind: 'layout',
    figure: ({ before, comparison: { verdict, layout } }) =>
      layout !== undefined && isDirection(before.verdict) && !isDirection(verdict)
        ? `${before.verdict} as it is, ${tellLayouts(layout)}`
        : null,
    text: (cells) =>
      `Other placements of the same code do not show the difference: ${cells}. The interval that counts a placement as one draw includes 1, so nothing is claimed.`,
  },
  {
    kind: 'layout-holds',
    figure: ({ comparison: { verdict, layout } }) =>
      layout !== undefined && isDirection(verdict) ? tellLayouts(layout) : null,
    text: (cells) => `The verdict holds in other placements of the same code: ${cells}.`,
  },
  {
    kind: 'layout-dropped',
    figure: ({ dropped }) => (dropped.length === 0 ? null : dropped.join('; ')),
    text: (cells) => `Layouts that do not count: ${cells}.`,
  },
  {
    kind: 'no-layout',
    figure: ({ missing }) => missing,
    text: (cells) =>
      `Small enough for code placement to matter, and not measured in other layouts: ${cells}.`,
  },
];

/** @param {LayoutComparison} layout */
function tellLayouts({ layouts, ratio, spread }) {
  const [estimate, low, high] = [ratio.estimate, ratio.low, ratio.high].map((x) => x.toFixed(3));
  return `×${estimate} [${low}, ${high}] over ${countOf(layouts, 'layout')} a side, which differ by ${formatRoughShare(spread)}`;
}

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
      const isDifferent = isDirection(verdict);
      const isNear = isDifferent || (verdict === 'inconclusive' && size >= 1);
      const isDue = isNear && size <= MOST_MINIMUM_EFFECTS;
      return isDue ? { comparison, rank: size + (isDifferent ? 0 : MOST_MINIMUM_EFFECTS) } : [];
    })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ comparison }) => comparison);
}

/** Blocks of a cell; each measures every layout once on the way there and once back. */
export const LAYOUT_BLOCKS = 6;
/** Apart from the streams that order timed jobs and edit sources. */
const FIRST_STREAM = 2_000_000;

/**
 * The jobs that measure both sides of a cell in several layouts, in the order in which they run:
 * mirrored blocks in which all layouts of both sides come in random order and then backwards. The
 * order depends on the seed, the cell and the block alone.
 *
 * @param {Pick<Question, 'seed' | 'cells' | 'shard'>} question
 * @param {string} cellId
 * @param {number} layouts edited ones a side; each side is measured as it is, too
 * @returns {PlannedLayoutJob[]}
 */
export function planLayouts({ seed, cells, shard }, cellId, layouts) {
  const cellNumber = (shard?.cells ?? cells).findIndex(({ id }) => id === cellId);
  const arms = /** @type {const} */ (['baseline', 'candidate']).flatMap((arm) =>
    Array.from({ length: layouts + 1 }, (_, layout) => ({ arm, layout })),
  );
  return Array.from({ length: LAYOUT_BLOCKS }, (_, block) => {
    const there = shuffle(arms, generatorFor(seed, block, FIRST_STREAM + cellNumber));
    return [...there, ...there.toReversed()].map(({ arm, layout }, position) => ({
      id: `layout/${cellId}/${String(block).padStart(3, '0')}/${position}/${arm}-${layout}`,
      cellId,
      arm,
      layout,
      block,
      position,
    }));
  }).flat();
}
