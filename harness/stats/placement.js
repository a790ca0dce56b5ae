import { describeFailure } from '../lib/failures.js';
import { countOf, formatP, formatRoughShare } from '../lib/numbers.js';
import { omitUndefined } from '../lib/records.js';
import { allowForPull, isStrong } from './decision-rule.js';
import { undisturbedSpeeds, takeFigure } from './interference.js';
import { adjustByHolm } from './multiplicity.js';
import { noteCells } from './notes.js';
import {
  findCell,
  isOfPrograms,
  jobCellId,
  lackedBy,
  nameJob,
  pairOf,
  sharedIdOf,
} from './plan.js';
import { generatorFor, shuffle } from './random.js';
import { scheduleOf } from './schedule.js';
import {
  estimateDifference,
  estimateMean,
  meanOf,
  studentInterval,
  testZero,
  toRatios,
  varianceOf,
} from './means.js';
import { describeTrimmedMean } from './robust.js';
import { isDirection, isSlower } from './verdicts.js';

/** @import { Arm, Cell, CellComparison, PlacementComparison, PlacementObservation, Manifest, Observation, PlannedPlacementJob, Question, RatioInterval, Verdict, Warning } from '../formats/types.ts' */
/** @import { UndisturbedSpeed } from './interference.js' */
/** @import { CellNoteKind } from './notes.js' */

/**
 * Log figures of the processes of each arm, by placement, the unedited one first. `pairs`: candidate minus
 * the baseline that ran at the same time, by placement of the candidate; each has one partner.
 *
 * @typedef {Record<'baseline' | 'candidate' | 'pairs', number[][]>} PlacementFigures
 */

/** Why a run that ended this way has no placements. @type {Partial<Record<Verdict['ended'], string>>} */
const ENDED_EARLY = { interrupted: 'the run was interrupted', failed: 'a job of the run failed' };

/**
 * @typedef {object} PlacementRun
 * @property {Pick<Manifest, 'question' | 'variants' | 'runtimes' | 'expectedDigests' | 'merged'>} manifest
 * @property {Observation[]} observations of the times
 * @property {PlacementObservation[]} placementObservations
 */

/**
 * @typedef {object} PlacementJudgement
 * @property {CellComparison[]} cells in the order given
 * @property {Warning[]} warnings those given, then those on placements
 */

/**
 * Confirms verdicts in other placements of the code of both variants. The p-value of a cell is the larger
 * of those of its times and of its placements, and Holm's adjustment over all cells of the question is
 * repeated with them. A direction stands only if its adjusted p-value is at most alpha and the interval
 * over placements, if there is one, excludes 1 on the same side; it is not strong without one. Holm's adjustment never falls when a
 * p-value rises, so a verdict can only be weakened here; one cell may weaken another.
 *
 * @param {{ cells: CellComparison[], warnings: Warning[] }} comparison of the times
 * @param {PlacementRun & { ended: Verdict['ended'] }} run
 * @returns {PlacementJudgement}
 */
export function judgePlacements({ cells, warnings }, run) {
  const { question } = run.manifest;
  const measured = cells.map(({ cell }) => measureCell(cell.id, run));
  const adjusted = adjustByHolm(
    cells.map(({ effect }, index) =>
      Math.max(effect?.pSequential ?? 1, measured[index].placement?.p ?? 0),
    ),
    question.cells.length,
  );
  const due = listDue(question, cells, measured);
  const judged = cells.map((before, index) => {
    const isDue = due.includes(before);
    return judgeCell(before, measured[index], adjusted[index], { ...run, isDue });
  });
  const notes = noteCells(PLACEMENT_NOTES, judged, warnings.length + 1, question);
  return { cells: judged.map(({ comparison }) => comparison), warnings: [...warnings, ...notes] };
}

/**
 * Judges a cell again, by a p-value that is adjusted for all cells.
 * @type {(before: CellComparison, measured: MeasuredCell, p: number, run: Parameters<typeof judgePlacements>[1] & { isDue: boolean }) => JudgedCell}
 */
function judgeCell(before, { placement, dropped }, p, run) {
  const { alpha, minimumEffect } = run.manifest.question;
  const { effect, verdict, strong } = before;
  const pAdjusted = Math.max(effect?.pAdjusted ?? 1, p);
  const holds = placement === null || excludesOne(placement.ratio, before);
  const stands = !isDirection(verdict) || (holds && pAdjusted <= alpha);
  const isStillStrong =
    placement === null || isStrong(takeLogs(placement.ratio), Math.log1p(minimumEffect));
  const isUnmeasured = placement === null && run.isDue && isDirection(verdict) && stands;
  return {
    before,
    comparison: {
      ...before,
      verdict: stands ? verdict : 'inconclusive',
      strong: strong && stands && isStillStrong && !isUnmeasured,
      effect: effect === null ? null : { ...effect, pAdjusted },
      ...omitUndefined({ placement: placement ?? undefined }),
      warnings: [...before.warnings],
    },
    heldBackByHolm: !stands && holds,
    missing: isUnmeasured ? explainMissing(before.cell, dropped, run) : null,
    dropped: placement === null ? [] : [...dropped].map(([name, reason]) => `${name}: ${reason}`),
  };
}

/**
 * @typedef {object} MeasuredCell
 * @property {PlacementComparison | null} placement null with too few placements
 * @property {Map<string, string>} dropped why placements do not count, by name
 */

/** @type {(cellId: string, run: PlacementRun) => MeasuredCell} */
function measureCell(cellId, { manifest, observations, placementObservations }) {
  const { question, expectedDigests } = manifest;
  const own = placementObservations.filter((each) => each.cellId === cellId);
  if (own.length === 0) return { placement: null, dropped: new Map() };
  const cell = findCell(question.cells, { cellId, arm: 'candidate' });
  const timed = observations.filter((each) => each.cellId === jobCellId(cell, each.arm));
  const known = {
    speeds: undisturbedSpeeds(timed, pairOf(question, cell)),
    digest: expectedDigests[sharedIdOf(cell)],
  };
  const all = sortFigures(own, known);
  const first = sortFigures(
    own.filter(({ block }) => block === 0),
    known,
  );
  const hasTwoLooks = countByLook(question.placements ?? 0).length > 1;
  const looks = hasTwoLooks ? [first.figures, all.figures] : [all.figures];
  const taken = own.some(({ block }) => block > 0) ? 2 : 1;
  return { placement: testLooks(looks, taken, question), dropped: all.dropped };
}

/**
 * @param {PlacementFigures[]} looks at one cell
 * @param {number} taken of them
 * @param {Pick<Question, 'alpha' | 'schedule'>} question
 * @returns {PlacementComparison | null} of the last look that was taken, at its share of alpha and with a
 *   p-value corrected for both (Bonferroni)
 */
function testLooks(looks, taken, question) {
  if (looks.length === 1) return comparePlacements(looks[0], question);
  const compared = looks.slice(0, taken).map((figures, look) => {
    const alpha = LOOK_SHARES[look] * question.alpha;
    return comparePlacements(figures, { ...question, alpha });
  });
  const last = compared.at(-1) ?? null;
  if (last === null) return null;
  const corrected = compared.map((each, look) => (each?.p ?? 1) / LOOK_SHARES[look]);
  return { ...last, p: Math.min(1, ...corrected) };
}

/**
 * @param {PlacementObservation[]} observations of one cell
 * @param {{ speeds: Record<Arm, UndisturbedSpeed | null>, digest: string | undefined }} cell
 * @returns {{ figures: PlacementFigures, dropped: Map<string, string> }} reasons by placement
 */
function sortFigures(observations, { speeds, digest }) {
  /** @type {Map<string, string>} */
  const dropped = new Map();
  /** @type {PlacementFigures} */
  const figures = { baseline: [], candidate: [], pairs: [] };
  const nameOf = (/** @type {PlacementObservation} */ { arm, placement }) => `${arm} ${placement}`;
  for (const observation of observations) {
    if (observation.outcome === 'failed') {
      dropped.set(nameOf(observation), describeFailure(observation.failure));
    } else if (observation.outputDigest !== digest) {
      dropped.set(nameOf(observation), 'other bytes than the reference');
    }
  }
  /** @type {Map<string, { log: number, arm: 'baseline' | 'candidate', placement: number }>} */
  const partners = new Map();
  for (const observation of observations) {
    // A failed job casts doubt on its whole placement.
    if (observation.outcome === 'failed' || dropped.has(nameOf(observation))) continue;
    const { arm, placement, block, position } = observation;
    const side = (figures[arm][placement] ??= []);
    const figure = takeFigure(observation.measurement, speeds[arm]);
    if (figure === null) continue;
    const log = Math.log(figure);
    side.push(log);
    const partner = partners.get(`${block}/${position ^ 1}`);
    partners.set(`${block}/${position}`, { log, arm, placement });
    if (partner === undefined || partner.arm === arm) continue;
    const [candidate, baseline] =
      arm === 'candidate' ? [{ log, placement }, partner] : [partner, { log, placement }];
    (figures.pairs[candidate.placement] ??= []).push(candidate.log - baseline.log);
  }
  return { figures, dropped };
}

/**
 * @param {Cell} cell
 * @param {Map<string, string>} dropped reasons by placement
 * @param {Parameters<typeof judgePlacements>[1]} run
 */
function explainMissing(cell, dropped, { manifest, placementObservations, ended }) {
  const { question } = manifest;
  const { id: cellId } = cell;
  if (isOfPrograms(manifest)) return 'it is measured by an external program';
  if (!hasPlacements(cell, manifest)) return 'its runtime has no placements';
  const reasons = new Set(dropped.values());
  if (reasons.size > 0) return [...reasons].join('; ');
  const own = placementObservations.filter((each) => each.cellId === cellId);
  const planned = planPlacements(question, cellId, question.placements ?? 0).flat();
  if (own.length >= planned.length) return 'too few of its processes were undisturbed';
  if (manifest.merged === true) return 'its part did not measure it';
  const tried = new Set(placementObservations.map(({ cellId }) => cellId));
  if (tried.size >= MAX_CELLS) return `a run measures at most ${MAX_CELLS} cells`;
  return ENDED_EARLY[ended] ?? 'there was no time left';
}

/** @type {(cell: Cell, manifest: PlacementRun['manifest']) => boolean} */
function hasPlacements(cell, manifest) {
  return !lackedBy(manifest, cell).includes('placements');
}

/** @param {RatioInterval} ratio @param {CellComparison} direction */
function excludesOne({ low, high }, { verdict }) {
  return isSlower(verdict) ? low > 1 : high < 1;
}

/** @param {RatioInterval} ratio */
function takeLogs({ estimate, low, high }) {
  return { estimate: Math.log(estimate), low: Math.log(low), high: Math.log(high) };
}

/** Fewest placements of an arm from which their variance is known. */
const MIN_PLACEMENTS = 2;

/** @typedef {{ mean: number, squaredError: number }} PlacementMean of the log figures of one placement */

/**
 * Compares both variants over several placements. The placement is the unit of replication, as the process
 * is elsewhere: processes of one placement share the cost of their code's placement. The interval is
 * Welch's, on the means of placements; in a paired schedule Student's, on the mean differences of partners.
 *
 * @param {PlacementFigures} figures
 * @param {Pick<Question, 'alpha' | 'schedule'>} question
 * @returns {PlacementComparison | null} null with fewer than two placements per arm
 */
export function comparePlacements(figures, question) {
  // What the mean of few processes lacks in precision shows between placements.
  const [baseline, candidate, pairs] = [figures.baseline, figures.candidate, figures.pairs].map(
    (placements) => placements.filter(({ length }) => length > 0).map(describeTrimmedMean),
  );
  const { comparesPlacedPairs } = scheduleOf(question);
  const units = comparesPlacedPairs ? [pairs] : [baseline, candidate];
  const counts = units.map(({ length }) => length);
  if (Math.min(...counts) < MIN_PLACEMENTS) return null;
  const excess = [baseline, candidate].map(findExcess).filter((known) => known !== null);
  const spread = excess.length === 0 ? null : Math.sqrt(Math.max(0, meanOf(excess)));
  const difference = comparesPlacedPairs
    ? estimateMean(takeMeans(pairs))
    : estimateDifference(takeMeans(candidate), takeMeans(baseline));
  const counted = [figures.baseline, figures.candidate].flatMap((placements) =>
    placements.flatMap(({ length }) => length || []),
  );
  return {
    placements: Math.min(...counts),
    figures: Math.min(...counted),
    ratio: toRatios(allowForPull(studentInterval(difference, question.alpha), question)),
    p: testZero(difference).p,
    standardError: difference.standardError,
    degreesOfFreedom: difference.freedom,
    deviations: { baseline: listDeviations(baseline), candidate: listDeviations(candidate) },
    spread,
  };
}

/** @param {PlacementMean[]} placements */
function takeMeans(placements) {
  return placements.map(({ mean }) => mean);
}

/**
 * How much placements differ beyond the noise of processes. It counts only placements in which more than one process
 * has a figure.
 *
 * @param {PlacementMean[]} placements
 * @returns {number | null} variance; negative where they differ by less than that noise, null if unknown
 */
function findExcess(placements) {
  const precise = placements.filter(({ squaredError }) => Number.isFinite(squaredError));
  if (precise.length < MIN_PLACEMENTS) return null;
  const noise = meanOf(precise.map(({ squaredError }) => squaredError));
  return varianceOf(precise.map(({ mean }) => mean)) - noise;
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
 * @property {boolean} heldBackByHolm whether the adjustment for all cells, not the cell's own interval
 *   over placements, took its direction away
 * @property {string | null} missing why a direction that should have placements has none
 * @property {string[]} dropped placements that do not count, and why
 */

/** Notes on cells in other placements, in their order. @type {CellNoteKind<JudgedCell, [Question]>[]} */
const PLACEMENT_NOTES = [
  {
    kind: 'placement',
    figure: ({ before, comparison: { verdict, placement }, heldBackByHolm }) =>
      placement !== undefined && verdict !== before.verdict && !heldBackByHolm
        ? `${before.verdict} as built, ${describePlacements(placement)}`
        : null,
    text: (cells) =>
      `Other placements of the same code do not show the difference: ${cells}. The interval that counts a placement as one sample does not exclude 1 on that side, so the verdict is inconclusive.`,
  },
  {
    kind: 'placement-multiplicity',
    figure: ({ before, comparison: { effect }, heldBackByHolm }) =>
      heldBackByHolm && effect !== null
        ? `${before.verdict} as built, p ${formatP(effect.pAdjusted)}`
        : null,
    text: (cells, question) =>
      `Not significant among ${countOf(question.cells.length, 'cell')} once placements count: ${cells} after Holm's adjustment of the larger p-value of each cell, of its times or of its placements. More placements (--placements) may confirm it.`,
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
      `As built only: ${cells}. Code placement could explain the difference, and it was not measured in other placements, so the verdict is on these two builds and not called strong; another build of the same code may differ.`,
  },
];

/** @param {PlacementComparison} placement */
function describePlacements({ placements, ratio, spread }) {
  const [estimate, low, high] = [ratio.estimate, ratio.low, ratio.high].map((x) => x.toFixed(3));
  const differ =
    spread === null
      ? ''
      : spread === 0
        ? ', which differ by no more than processes do'
        : `, which differ by ${formatRoughShare(spread)}`;
  return `×${estimate} [${low}, ${high}] over ${countOf(placements, 'placement')} per arm${differ}`;
}

/**
 * Standard deviation between placements of the same code, log scale, that is allowed for before anything
 * is measured in other placements: the upper end of the 95 % interval in the cell where calibration found
 * the largest (decision 0018).
 */
const USUAL_SPREAD = 0.047;
/** A difference of more standard deviations than this is too large for code placement to explain it. */
const MAX_DEVIATIONS = 4;
/** Most cells that a run measures in other placements. */
const MAX_CELLS = 6;

/**
 * The cells whose verdict code placement may explain: directions, and inconclusive cells with an estimate
 * of at least the minimum effect, up to the largest difference that two placements of the same code may
 * have. That grows with the largest spread measured in this run.
 *
 * @param {Pick<Question, 'placements' | 'minimumEffect'>} question
 * @param {CellComparison[]} cells with verdicts by the times alone
 * @param {MeasuredCell[]} measured
 * @returns {CellComparison[]} directions first, the smallest difference before larger ones
 */
function listDue({ placements = 0, minimumEffect }, cells, measured) {
  if (placements === 0) return [];
  const spreads = measured.map(({ placement }) => placement?.spread ?? 0);
  const most = MAX_DEVIATIONS * Math.SQRT2 * Math.max(USUAL_SPREAD, ...spreads);
  return cells
    .flatMap((comparison) => {
      const { verdict, effect } = comparison;
      const size = effect === null ? Infinity : Math.abs(Math.log(effect.ratio.estimate));
      const isNear = verdict === 'inconclusive' && size >= Math.log1p(minimumEffect);
      const isDue = (isDirection(verdict) || isNear) && size <= most;
      return isDue ? { comparison, order: size + (isNear ? most : 0) } : [];
    })
    .toSorted((a, b) => a.order - b.order)
    .map(({ comparison }) => comparison);
}

/** Shares of alpha of the two looks at the placements of a cell. */
const LOOK_SHARES = [0.2, 0.8];
/** Placements of each arm at the first look. */
const FIRST_PLACEMENTS = 5;
/** A difference that is this small a part of its interval at the first look is not found at the second. */
const FUTILE_PART = 1 / 12;

/**
 * @param {number} placements edited ones of each variant
 * @returns {number[]} placements of each arm that are measured for each look, the unedited one included
 */
function countByLook(placements) {
  const all = placements + 1;
  return all > FIRST_PLACEMENTS ? [FIRST_PLACEMENTS, all - FIRST_PLACEMENTS] : [all];
}

/**
 * Whether the first look at the placements of a cell is enough: its direction stands whatever other cells
 * show, or would not at the second look either.
 *
 * @param {CellComparison[]} cells with verdicts by the times alone
 * @param {string} cellId
 * @param {PlacementRun} run
 * @returns {boolean}
 */
export function isPlaced(cells, cellId, run) {
  const { question } = run.manifest;
  const { placement } = measureCell(cellId, run);
  const before = cells.find(({ cell }) => cell.id === cellId);
  if (placement === null || before === undefined) return false;
  const { estimate, low, high } = takeLogs(placement.ratio);
  if (Math.abs(estimate) < FUTILE_PART * (high - low)) return true;
  const isConfirmed = (placement.p ?? 1) * question.cells.length <= question.alpha;
  const staysStrong =
    !before.strong || isStrong({ estimate, low, high }, Math.log1p(question.minimumEffect));
  return (
    isDirection(before.verdict) &&
    isConfirmed &&
    excludesOne(placement.ratio, before) &&
    staysStrong
  );
}

/**
 * The cell to measure in other placements after others. It depends only on the observations of the times
 * and of these others, so a resumed run chooses the same cells.
 *
 * @param {CellComparison[]} cells with verdicts by the times alone
 * @param {string[]} chosen ids of the cells chosen before, which are measured
 * @param {PlacementRun} run
 * @returns {string | null} its id; null if no other cell is due, or six were chosen
 */
export function choosePlacementCell(cells, chosen, run) {
  if (chosen.length === MAX_CELLS) return null;
  const measured = chosen.map((cellId) => measureCell(cellId, run));
  const due = listDue(run.manifest.question, cells, measured);
  const next = due.find(
    ({ cell }) => !chosen.includes(cell.id) && hasPlacements(cell, run.manifest),
  );
  return next?.cell.id ?? null;
}

/** Separate from the streams that order timed jobs and edit sources. */
const FIRST_STREAM = 2_000_000;

/**
 * The jobs that measure both variants of a cell in several placements, in the order in which they run: for
 * each look its placements of both in random order, then in reverse, twice. In a paired schedule once is as
 * precise (decision 0018), and positions 2n and 2n + 1 are of both variants and run at the same time. The
 * order depends only on the seed and the cell.
 *
 * @param {Pick<Question, 'seed' | 'cells' | 'schedule'>} question
 * @param {string} cellId
 * @param {number} placements edited ones of each variant, which is also measured unedited
 * @returns {PlannedPlacementJob[][]} for each look; its number is the block of its jobs
 */
export function planPlacements(question, cellId, placements) {
  const cellNumber = question.cells.findIndex(({ id }) => id === cellId);
  let from = 0;
  return countByLook(placements).map((count, block) => {
    const random = generatorFor(question.seed, block, FIRST_STREAM + cellNumber);
    const [baseline, candidate] = /** @type {const} */ (['baseline', 'candidate']).map((arm) =>
      Array.from({ length: count }, (_, index) => ({ arm, placement: from + index })),
    );
    from += count;
    const partners = shuffle(candidate, random);
    return scheduleOf(question)
      .orderPlacements({ baseline, candidate, partners }, random)
      .flatMap((there) => [...there, ...there.toReversed()])
      .map(({ arm, placement }, position) => {
        const place = { cellId, arm, placement, block, position };
        return { id: namePlacementJob(place), ...place };
      });
  });
}

/** The identity of a timed job of a placement. @type {(place: Omit<PlannedPlacementJob, 'id'>) => string} */
export function namePlacementJob({ placement, ...place }) {
  return `placement/${nameJob(place)}-${placement}`;
}
