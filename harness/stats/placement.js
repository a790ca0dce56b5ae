import { countOf, formatRoughShare } from '../lib/numbers.js';
import { undisturbedSpeeds, takeFigure } from './interference.js';
import { isStrong } from './decision-rule.js';
import { noteCells } from './notes.js';
import { generatorFor, shuffle } from './random.js';
import { estimateDifference, meanOf, studentInterval, toRatios, varianceOf } from './means.js';
import { describeTrimmedMean } from './robust.js';
import { isDirection, isSlower } from './verdicts.js';

/** @import { Arm, CellComparison, PlacementComparison, PlacementObservation, Manifest, Observation, PlannedPlacementJob, Question, RatioInterval, Verdict, Warning } from '../formats/types.ts' */
/** @import { UndisturbedSpeed } from './interference.js' */
/** @import { CellNoteKind } from './notes.js' */

/** @typedef {Record<'baseline' | 'candidate', number[][]>} SideFigures */

/** Why a run that ended this way has no placements. @type {Partial<Record<Verdict['ended'], string>>} */
const ENDED_EARLY = { interrupted: 'the run was interrupted', failed: 'a job of the run failed' };

/**
 * @typedef {object} PlacementJudgement
 * @property {CellComparison[]} cells in the order given
 * @property {Warning[]} warnings those given, then those on placements
 */

/**
 * Confirms verdicts by placing the code of both variants elsewhere, where that was measured. A
 * direction stands only if the interval over placements excludes 1 on the same side. A verdict can only be
 * weakened here, so the error rate of the run stays the same.
 *
 * @param {{ cells: CellComparison[], warnings: Warning[] }} comparison of the times
 * @param {object} run
 * @param {Manifest} run.manifest
 * @param {Observation[]} run.observations
 * @param {PlacementObservation[]} run.placementObservations
 * @param {Verdict['ended']} run.ended
 * @returns {PlacementJudgement}
 */
export function judgePlacements({ cells, warnings }, run) {
  const due = choosePlacementCells(run.manifest.question, cells);
  const judged = cells.map((before) => judgeCell(before, due.indexOf(before), run));
  const notes = noteCells(PLACEMENT_NOTES, judged, warnings.length + 1);
  return { cells: judged.map(({ comparison }) => comparison), warnings: [...warnings, ...notes] };
}

/**
 * @param {CellComparison} before
 * @param {number} place among the cells to measure in other placements, -1 for none
 * @param {Parameters<typeof judgePlacements>[1]} run
 * @returns {JudgedCell}
 */
function judgeCell(before, place, run) {
  const own = run.placementObservations.filter(({ cellId }) => cellId === before.cell.id);
  const comparison = { ...before, warnings: [...before.warnings] };
  if (place === -1) return { before, comparison, missing: null, dropped: [] };
  const { question, expectedDigests } = run.manifest;
  const { figures, dropped } = sortFigures(own, {
    speeds: undisturbedSpeeds(
      run.observations.filter(({ cellId }) => cellId === before.cell.id),
      question,
    ),
    digest: expectedDigests[before.cell.id],
  });
  const placement = comparePlacements(figures, question.alpha);
  if (placement === null) {
    return { before, comparison, missing: explainMissing(dropped, place, run), dropped: [] };
  }
  const stands = !isDirection(before.verdict) || excludesOne(placement.ratio, before);
  const minimumEffect = Math.log1p(question.minimumEffect);
  return {
    before,
    comparison: {
      ...comparison,
      verdict: stands ? before.verdict : 'inconclusive',
      strong: before.strong && stands && isStrong(takeLogs(placement.ratio), minimumEffect),
      placement,
    },
    missing: null,
    dropped: [...dropped].map(([name, reason]) => `${name}: ${reason}`),
  };
}

/**
 * @param {PlacementObservation[]} observations of one cell
 * @param {{ speeds: Record<Arm, UndisturbedSpeed | null>, digest: string | undefined }} cell
 * @returns {{ figures: SideFigures, dropped: Map<string, string> }} reasons by placement
 */
function sortFigures(observations, { speeds, digest }) {
  /** @type {Map<string, string>} */
  const dropped = new Map();
  /** @type {SideFigures} */
  const figures = { baseline: [], candidate: [] };
  for (const observation of observations) {
    const { arm, placement } = observation;
    const name = `${arm} ${placement}`;
    if (observation.outcome === 'failed') {
      dropped.set(name, observation.failure.detail);
      continue;
    }
    if (observation.outputDigest !== digest) dropped.set(name, 'other bytes than the reference');
    const side = (figures[arm][placement] ??= []);
    const figure = takeFigure(observation.measurement, speeds[arm]);
    if (figure !== null) side.push(Math.log(figure));
  }
  for (const arm of /** @type {const} */ (['baseline', 'candidate'])) {
    // A failed job casts doubt on its whole placement.
    figures[arm] = figures[arm].filter((_, placement) => !dropped.has(`${arm} ${placement}`));
  }
  return { figures, dropped };
}

/**
 * @param {Map<string, string>} dropped reasons by placement
 * @param {number} place
 * @param {Parameters<typeof judgePlacements>[1]} run
 */
function explainMissing(dropped, place, { manifest, ended }) {
  const { baseline, candidate } = manifest.variants;
  const foreign = [baseline, candidate].find(({ program }) => program !== undefined);
  if (foreign !== undefined) return 'it is measured by an external program';
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

/** Fewest processes of a placement that count. */
const MIN_PLACEMENT_PROCESSES = 4;
/** Fewest placements of an arm from which their variance is known. */
const MIN_PLACEMENTS = 2;

/** @typedef {{ mean: number, squaredError: number }} PlacementMean of the log figures of one placement */

/**
 * Compares both variants over several placements. The placement is the unit of replication, as the process
 * is elsewhere: processes of one placement share the cost of their code's placement. The interval is
 * Welch's, on the means of placements.
 *
 * @param {Record<'baseline' | 'candidate', number[][]>} logFigures of each arm, by placement: log figures
 *   of its processes; the unedited placement first
 * @param {number} alpha share of intervals that may miss
 * @returns {PlacementComparison | null} null with fewer than two placements of four processes per arm
 */
export function comparePlacements(logFigures, alpha) {
  const arms = [logFigures.baseline, logFigures.candidate].map((placements) =>
    placements.filter(({ length }) => length >= MIN_PLACEMENT_PROCESSES),
  );
  const [baseline, candidate] = arms.map((placements) => placements.map(describeTrimmedMean));
  if (Math.min(baseline.length, candidate.length) < MIN_PLACEMENTS) return null;
  const spread = Math.sqrt(Math.max(0, (findExcess(baseline) + findExcess(candidate)) / 2));
  return {
    placements: Math.min(baseline.length, candidate.length),
    processes: Math.min(...arms.flat().map(({ length }) => length)),
    ratio: findRatio(baseline, candidate, alpha),
    deviations: { baseline: listDeviations(baseline), candidate: listDeviations(candidate) },
    spread,
  };
}

/**
 * How much placements differ beyond the noise of processes.
 *
 * @param {PlacementMean[]} placements
 * @returns {number} variance; negative where they differ by less than that noise
 */
function findExcess(placements) {
  const noise = meanOf(placements.map(({ squaredError }) => squaredError));
  return varianceOf(placements.map(({ mean }) => mean)) - noise;
}

/**
 * @param {PlacementMean[]} baseline
 * @param {PlacementMean[]} candidate
 * @param {number} alpha
 * @returns {RatioInterval}
 */
function findRatio(baseline, candidate, alpha) {
  const [theirs, ours] = [baseline, candidate].map((side) => side.map(({ mean }) => mean));
  return toRatios(studentInterval(estimateDifference(ours, theirs), alpha));
}

/** @param {PlacementMean[]} placements */
function listDeviations(placements) {
  const centre = meanOf(placements.map(({ mean }) => mean));
  return placements.map(({ mean }) => Math.exp(mean - centre));
}

/**
 * @typedef {object} JudgedCell
 * @property {CellComparison} before by the times alone
 * @property {CellComparison} comparison with the verdict that other placements leave
 * @property {string | null} missing why a cell that should have placements has none
 * @property {string[]} dropped placements that do not count, and why
 */

/** Notes on cells to measure in other placements, in their order. @type {CellNoteKind<JudgedCell, []>[]} */
const PLACEMENT_NOTES = [
  {
    kind: 'placement',
    figure: ({ before, comparison: { verdict, placement } }) =>
      placement !== undefined && isDirection(before.verdict) && !isDirection(verdict)
        ? `${before.verdict} as it is, ${describePlacements(placement)}`
        : null,
    text: (cells) =>
      `Other placements of the same code do not show the difference: ${cells}. The interval that counts a placement as one draw includes 1, so nothing is claimed.`,
  },
  {
    kind: 'placement-holds',
    figure: ({ comparison: { verdict, placement } }) =>
      placement !== undefined && isDirection(verdict) ? describePlacements(placement) : null,
    text: (cells) => `The verdict holds in other placements of the same code: ${cells}.`,
  },
  {
    kind: 'placement-dropped',
    figure: ({ dropped }) => (dropped.length === 0 ? null : dropped.join('; ')),
    text: (cells) => `Placements that do not count: ${cells}.`,
  },
  {
    kind: 'no-placement',
    figure: ({ missing }) => missing,
    text: (cells) =>
      `Small enough for code placement to matter, and not measured in other placements: ${cells}.`,
  },
];

/** @param {PlacementComparison} placement */
function describePlacements({ placements, ratio, spread }) {
  const [estimate, low, high] = [ratio.estimate, ratio.low, ratio.high].map((x) => x.toFixed(3));
  return `×${estimate} [${low}, ${high}] over ${countOf(placements, 'placement')} per arm, which differ by ${formatRoughShare(spread)}`;
}

/** No code placement is known to cost more than this multiple of the minimum effect. */
const MAX_MINIMUM_EFFECTS = 3;
/** Most cells that a run measures in other placements: those with the smallest differences. */
export const MOST_CELLS = 6;

/**
 * The cells whose verdict code placement may have caused: a direction with an estimate of up to three
 * times the minimum effect, or an inconclusive one with an estimate between one and three times.
 *
 * @param {Pick<Question, 'placements' | 'minimumEffect'>} question
 * @param {CellComparison[]} cells with verdicts by the times alone
 * @returns {CellComparison[]} directions first, of these the smallest first; the first six are measured
 */
export function choosePlacementCells({ placements = 0, minimumEffect }, cells) {
  if (placements === 0) return [];
  const unit = Math.log1p(minimumEffect);
  return cells
    .flatMap((comparison) => {
      const { verdict, effect } = comparison;
      if (effect === null) return [];
      const size = Math.abs(Math.log(effect.ratio.estimate)) / unit;
      const isDifferent = isDirection(verdict);
      const isNear = isDifferent || (verdict === 'inconclusive' && size >= 1);
      const isDue = isNear && size <= MAX_MINIMUM_EFFECTS;
      return isDue ? { comparison, rank: size + (isDifferent ? 0 : MAX_MINIMUM_EFFECTS) } : [];
    })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ comparison }) => comparison);
}

/** Blocks of a cell; each measures every placement once in each direction. */
export const PLACEMENT_BLOCKS = 6;
/** Separate from the streams that order timed jobs and edit sources. */
const FIRST_STREAM = 2_000_000;

/**
 * The jobs that measure both variants of a cell in several placements, in the order in which they run:
 * mirrored blocks of all placements of both, in random order and then in reverse. The order depends only
 * on the seed, the cell and the block.
 *
 * @param {Pick<Question, 'seed' | 'cells' | 'shard'>} question
 * @param {string} cellId
 * @param {number} placements edited ones of each variant, which is also measured unedited
 * @returns {PlannedPlacementJob[]}
 */
export function planPlacements({ seed, cells, shard }, cellId, placements) {
  const cellNumber = (shard?.cells ?? cells).findIndex(({ id }) => id === cellId);
  const arms = /** @type {const} */ (['baseline', 'candidate']).flatMap((arm) =>
    Array.from({ length: placements + 1 }, (_, placement) => ({ arm, placement })),
  );
  return Array.from({ length: PLACEMENT_BLOCKS }, (_, block) => {
    const there = shuffle(arms, generatorFor(seed, block, FIRST_STREAM + cellNumber));
    return [...there, ...there.toReversed()].map(({ arm, placement }, position) => ({
      id: `placement/${cellId}/${String(block).padStart(3, '0')}/${position}/${arm}-${placement}`,
      cellId,
      arm,
      placement,
      block,
      position,
    }));
  }).flat();
}
