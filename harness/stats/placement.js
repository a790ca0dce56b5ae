import { countOf, formatP, formatRoughShare, formatConfidence } from '../lib/numbers.js';
import { omitUndefined } from '../lib/records.js';
import { isStrong } from './decision-rule.js';
import { normalCritical } from './distributions.js';
import { undisturbedSpeeds } from './interference.js';
import { toLogs } from './means.js';
import { adjustByHolm } from './multiplicity.js';
import { noteCells } from './notes.js';
import { comparePlacements, listDropped, takePlacementFigures } from './placement-figures.js';
import { countPerPlacement, listPlacementLooks, planPlacements } from './placement-plan.js';
import { isOfPrograms, jobCellId, lackedBy, pairOf, sharedIdOf } from './plan.js';
import { detectableEffect } from './robust.js';
import { isDirection, isSlower } from './verdicts.js';

/** @import { Cell, CellComparison, PlacementComparison, PlacementObservation, Manifest, Observation, Question, RatioInterval, Verdict, Warning } from '../formats/types.ts' */
/** @import { CellNoteKind } from './notes.js' */

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
 * over placements excludes 1 on the same side; where it was not measured in time, only if it is beyond what placement
 * usually does, and it is then not strong. Holm's adjustment never falls when a p-value rises, so a verdict can only be weakened
 * here; one cell may weaken another.
 *
 * @param {{ cells: CellComparison[], warnings: Warning[] }} comparison of the times
 * @param {PlacementRun & { ended: Verdict['ended'] }} run
 * @returns {PlacementJudgement}
 */
export function judgePlacements({ cells, warnings }, run) {
  const { question } = run.manifest;
  const measured = cells.map((cell) => measureCell(cell, run));
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
  const { alpha, minimumEffect, cells } = run.manifest.question;
  const { effect, verdict, strong } = before;
  const pAdjusted = Math.max(effect?.pAdjusted ?? 1, p);
  const isUnmeasured = placement === null && run.isDue;
  const missing = isUnmeasured ? explainMissing(before.cell, dropped, run) : null;
  const holds =
    placement === null
      ? missing === null ||
        !missing.isForNow ||
        isBeyond(before, USUAL_SPREAD, alpha / cells.length)
      : excludesOne(placement.ratio, before);
  const stands = !isDirection(verdict) || (holds && pAdjusted <= alpha);
  const isStillStrong =
    placement === null || isStrong(toLogs(placement.ratio), Math.log1p(minimumEffect));
  return {
    before,
    comparison: {
      ...before,
      verdict: stands ? verdict : 'inconclusive',
      strong: strong && stands && isStillStrong && !isUnmeasured,
      effect: effect === null ? null : { ...effect, pAdjusted },
      detectableEffect: detectThroughPlacements(before, run),
      ...omitUndefined({ placement: placement ?? undefined }),
      warnings: [...before.warnings],
    },
    heldBackByHolm: !stands && holds,
    missing: stands || !holds ? (missing?.reason ?? null) : null,
    dropped: placement === null ? [] : [...dropped].map(([name, reason]) => `${name}: ${reason}`),
  };
}

/**
 * @typedef {object} MeasuredCell
 * @property {PlacementComparison | null} placement null with too few placements
 * @property {Map<string, string>} dropped why placements do not count, by name
 */

/**
 * The placements of a cell at the last look that was taken, at its share of alpha. The p-value is of the side on which the
 * times have the difference, and corrected for all looks (Bonferroni). One side is enough, because the copies are not the
 * builds that were timed: whatever side these show, copies of equal code confirm it in a share of alpha.
 *
 * @type {(before: CellComparison, run: PlacementRun) => MeasuredCell}
 */
function measureCell({ cell, effect }, { manifest, observations, placementObservations }) {
  const { question, expectedDigests } = manifest;
  const own = placementObservations.filter(({ cellId }) => cellId === cell.id);
  if (own.length === 0 || effect === null) return { placement: null, dropped: new Map() };
  const timed = observations.filter(({ cellId, arm }) => cellId === jobCellId(cell, arm));
  const known = {
    speedOf: undisturbedSpeeds(timed, pairOf(question, cell)),
    digest: expectedDigests[sharedIdOf(cell)],
  };
  const isSlower = effect.ratio.estimate > 1;
  const looks = listTaken(question, cell.id, own);
  const compared = looks.map(({ share }, look) => {
    const seen = own.filter(({ block }) => block <= look);
    const level = 2 * share * question.alpha;
    return comparePlacements(takePlacementFigures(seen, known, question), question, {
      level,
      isSlower,
    });
  });
  const corrected = compared.map((each, look) => (each?.p ?? 1) / looks[look].share);
  const last = compared.at(-1) ?? null;
  const placement = last && { ...last, p: Math.min(1, ...corrected) };
  return { placement, dropped: listDropped(own, known) };
}

/**
 * The looks whose jobs are all done. A look that was interrupted is none: it would be another test.
 * @type {(question: Question, cellId: string, own: PlacementObservation[]) => ReturnType<typeof listPlacementLooks>}
 */
function listTaken(question, cellId, own) {
  const { placements = 0 } = question;
  const done = new Set(own.map(({ block, position }) => `${block}/${position}`));
  const failed = new Set(
    own.flatMap((each) => (each.outcome === 'failed' ? `${each.arm} ${each.placement}` : [])),
  );
  const planned = planPlacements(question, cellId, placements);
  const isDone = planned.map((jobs) =>
    jobs.every(
      ({ arm, placement, block, position }) =>
        done.has(`${block}/${position}`) || failed.has(`${arm} ${placement}`),
    ),
  );
  return listPlacementLooks(placements).filter((_, look) => isDone[look]);
}

/**
 * @param {Cell} cell
 * @param {Map<string, string>} dropped reasons by placement
 * @param {Parameters<typeof judgePlacements>[1]} run
 * @returns {{ reason: string, isForNow: boolean }} `isForNow`: whether more time would have changed it
 */
function explainMissing(cell, dropped, { manifest, placementObservations, ended }) {
  const { question } = manifest;
  const { id: cellId } = cell;
  const never = (/** @type {string} */ reason) => ({ reason, isForNow: false });
  const forNow = (/** @type {string} */ reason) => ({ reason, isForNow: true });
  if (isOfPrograms(manifest)) return never('it is measured by an external program');
  if (!hasPlacements(cell, manifest)) return never('its runtime has no placements');
  const reasons = new Set(dropped.values());
  if (reasons.size > 0) return never([...reasons].join('; '));
  const own = placementObservations.filter((each) => each.cellId === cellId);
  const planned = planPlacements(question, cellId, question.placements ?? 0).flat();
  if (own.length >= planned.length) return forNow('too few of its processes were undisturbed');
  if (manifest.merged === true) return forNow('its part did not measure it');
  const tried = new Set(placementObservations.map((each) => each.cellId));
  if (tried.size >= MAX_PLACED_CELLS)
    return forNow(`a run measures at most ${MAX_PLACED_CELLS} cells`);
  return forNow(ENDED_EARLY[ended] ?? 'there was no time left');
}

/** @type {(cell: Cell, manifest: PlacementRun['manifest']) => boolean} */
function hasPlacements(cell, manifest) {
  return !lackedBy(manifest, cell).includes('placements');
}

/** @param {RatioInterval} ratio @param {CellComparison} direction */
function excludesOne({ low, high }, { verdict }) {
  return isSlower(verdict) ? low > 1 : high < 1;
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
    kind: 'placement-missing',
    figure: ({ before, comparison: { verdict }, missing }) =>
      missing !== null && !isDirection(verdict) ? `${before.verdict} as built; ${missing}` : null,
    text: (cells) =>
      `Not measured in other placements of the same code: ${cells}. Code placement alone usually explains a difference of this size, so the verdict is inconclusive. With more time (--budget) it is measured there.`,
  },
  {
    kind: 'no-placement',
    figure: ({ comparison: { verdict }, missing }) => (isDirection(verdict) ? missing : null),
    text: (cells) =>
      `As built only: ${cells}. Code placement could explain the difference, and it was not measured in other placements, so the verdict is on these two builds and not called strong; another build of the same code may differ.`,
  },
];

/** @param {PlacementComparison} placement */
function describePlacements({ placements, ratio, confidence, spread }) {
  const [estimate, low, high] = [ratio.estimate, ratio.low, ratio.high].map((x) => x.toFixed(3));
  const level = confidence === undefined ? '' : `, ${formatConfidence(1 - confidence)} interval`;
  const differ =
    spread === null
      ? ''
      : spread === 0
        ? ', which differ by no more than processes do'
        : `, which differ by ${formatRoughShare(spread)}`;
  return `×${estimate} [${low}, ${high}]${level} over ${countOf(placements, 'placement')} per arm${differ}`;
}

/**
 * Standard deviation between placements of the same code, log scale, that is allowed for before anything
 * is measured in other placements: the upper end of the 95 % interval in the cell where calibration found
 * the largest (decision 0018).
 */
const MAX_SPREAD = 0.047;
/** What it usually is: the root mean square of all cells that were measured. */
const USUAL_SPREAD = 0.01;
/** Share of alpha for directions that are too large for code placement to explain them. */
const LARGE_SHARE = 1 / 4;
/** Most cells that a run measures in other placements. */
export const MAX_PLACED_CELLS = 6;

/** @type {(level: number, spread: number) => number} what placements with this spread explain of a difference, log scale */
function placementEffect(level, spread) {
  return normalCritical(level) * Math.SQRT2 * spread;
}

/**
 * Whether the difference of a direction is larger than its noise and placements with this spread explain together.
 * @type {(cell: CellComparison, spread: number, level: number) => boolean}
 */
function isBeyond({ effect }, spread, level) {
  if (effect === null) return false;
  const { estimate, low, high } = toLogs(effect.ratio);
  const half = estimate > 0 ? estimate - low : high - estimate;
  return Math.abs(estimate) > Math.hypot(half, placementEffect(level, spread));
}

/** @param {Pick<Question, 'alpha' | 'cells'>} question */
function levelOfLarge({ alpha, cells }) {
  return (LARGE_SHARE * alpha) / cells.length;
}

/**
 * The directions that code placement may explain, if it differs as much as it was ever seen to do, or as it does in a cell of
 * this run. Other verdicts could not change.
 *
 * @param {Pick<Question, 'placements' | 'placesAll' | 'alpha' | 'cells'>} question
 * @param {CellComparison[]} cells with verdicts by the times alone
 * @param {MeasuredCell[]} measured
 * @returns {CellComparison[]} the smallest difference before larger ones
 */
function listDue(question, cells, measured) {
  if ((question.placements ?? 0) === 0) return [];
  const spread = Math.max(MAX_SPREAD, ...measured.map(({ placement }) => placement?.spread ?? 0));
  return cells
    .filter(
      (cell) =>
        isDirection(cell.verdict) &&
        (question.placesAll === true || !isBeyond(cell, spread, levelOfLarge(question))),
    )
    .map((cell) => ({ cell, size: Math.abs(Math.log(cell.effect?.ratio.estimate ?? 1)) }))
    .toSorted((a, b) => a.size - b.size)
    .map(({ cell }) => cell);
}

/** Processes of trimmed means count as this part of them. */
const KEPT_SHARE = 0.6;

/**
 * The smallest effect that times and placements both find four times in five. What the placements find is forecast by the
 * noise of the times and the usual spread; an effect beyond what placements do needs none.
 *
 * @type {(before: CellComparison, run: PlacementRun) => number | null}
 */
function detectThroughPlacements(before, { manifest }) {
  const { cell, effect, pairs, figures, processes, detectableEffect: byTimes } = before;
  const { question } = manifest;
  const { placements = 0, alpha } = question;
  if (byTimes === null || effect?.standardError === undefined || placements === 0) return byTimes;
  if (isOfPrograms(manifest) || !hasPlacements(cell, manifest)) return byTimes;
  const compared = pairs ?? figures.candidate;
  const keptShare = compared / processes.candidate;
  const perPlacement = keptShare * countPerPlacement(placements, question);
  const noise = (effect.standardError ** 2 * compared) / perPlacement;
  const standardError = Math.sqrt((noise + 2 * USUAL_SPREAD ** 2) / placements);
  const degreesOfFreedom = Math.max(1, KEPT_SHARE * placements - 2);
  const share = listPlacementLooks(placements).at(-1)?.share ?? 1;
  const level = (2 * share * alpha) / question.cells.length;
  const byPlacements = detectableEffect({ standardError, degreesOfFreedom }, level);
  const large = Math.expm1(placementEffect(levelOfLarge(question), MAX_SPREAD));
  return Math.max(byTimes, Math.min(byPlacements, large));
}

/** Standard errors by which the estimate at a look may still grow before the last one. */
const MAX_GROWTH = 1.5;

/**
 * Whether the looks so far at the placements of a cell are enough: its direction stands whatever other cells
 * show, or would not at the last look either.
 *
 * @param {CellComparison[]} cells with verdicts by the times alone
 * @param {string} cellId
 * @param {PlacementRun} run
 * @returns {boolean}
 */
export function isPlaced(cells, cellId, run) {
  const { question } = run.manifest;
  const { alpha, placements = 0 } = question;
  const before = cells.find(({ cell }) => cell.id === cellId);
  if (before === undefined) return false;
  const { placement } = measureCell(before, run);
  if (placement === null) return false;
  const own = run.placementObservations.filter((each) => each.cellId === cellId);
  const doneShare = own.length / planPlacements(question, cellId, placements).flat().length;
  const { standardError = 0, ratio } = placement;
  const estimate = Math.log(ratio.estimate) * (isSlower(before.verdict) ? 1 : -1);
  const share = listPlacementLooks(placements).at(-1)?.share ?? 1;
  const needed = normalCritical(2 * share * alpha) * standardError * Math.sqrt(doneShare);
  const mayExceed = (/** @type {number} */ effect) =>
    estimate - effect + MAX_GROWTH * standardError >= needed;
  const isConfirmed = (placement.p ?? 1) * question.cells.length <= alpha;
  if (!isConfirmed || !excludesOne(placement.ratio, before)) return !mayExceed(0);
  const minimumEffect = Math.log1p(question.minimumEffect);
  const isStrongNow = isStrong(toLogs(placement.ratio), minimumEffect);
  return !before.strong || isStrongNow || !mayExceed(minimumEffect);
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
  if (chosen.length === MAX_PLACED_CELLS) return null;
  const measured = cells
    .filter(({ cell }) => chosen.includes(cell.id))
    .map((cell) => measureCell(cell, run));
  const due = listDue(run.manifest.question, cells, measured);
  const next = due.find(
    ({ cell }) => !chosen.includes(cell.id) && hasPlacements(cell, run.manifest),
  );
  return next?.cell.id ?? null;
}
