import { countOf, formatRatio, formatShare } from '../../lib/numbers.js';
import { meanOf, varianceOf } from '../../stats/means.js';
import { summarizeCollections } from '../../stats/memory/results.js';
import { compareTrimmedMeans, halfWidth } from '../../stats/robust.js';
import { listCauses, groupCauses } from './causes.js';
import {
  MIN_PROFILES,
  compareFunctions,
  keepMeasured,
  measureDifference,
  scaleArms,
} from './functions.js';
import { compareLogs } from './log-changes.js';
import { averagePauseMs, compareAllocations } from './memory.js';
import { summarizeDifference, writeParagraph } from './paragraph.js';
import { compareInstructions, compareWholeProcess, forBothArms } from './samples.js';

/** @import { CellExplanation, CollectionSummary, Explanation, Warning } from '../../formats/types.ts' */
/** @import { CellEvidence, ComparedArm, ScaledArms } from './types.ts' */

/**
 * Garbage collections of one arm over the windows of all its processes. Their share of the time is that
 * of the timed jobs, which have no profiler, where it is known.
 * @type {(evidence: CellEvidence, arm: ComparedArm) => CollectionSummary | null}
 */
function summarizeWindows({ collections, cell: { gcShare } }, arm) {
  const summary = summarizeCollections(collections[arm]);
  return summary && { ...summary, timeShare: gcShare[arm] ?? summary.timeShare };
}

/**
 * Explains why the arms of a cell differ, or states that no difference was found.
 *
 * @param {CellEvidence} evidence
 * @param {ScaledArms | null} arms made by `scaleArms`
 * @returns {CellExplanation}
 */
function explainCell(evidence, arms) {
  const measured = measureDifference(evidence);
  const groups = arms === null ? [] : groupCauses(arms);
  const collections = forBothArms((arm) => summarizeWindows(evidence, arm));
  const allocation = compareAllocations(evidence.allocations);
  const { deopts, cacheSites, tiers } = compareLogs(keepMeasured(evidence));
  const instructions = compareInstructions(evidence.figures.instructions);
  const pauseMs = forBothArms((arm) => averagePauseMs(collections[arm], evidence.timedNs[arm]));
  const summary = summarizeDifference({ evidence, measured, arms, groups });
  return {
    cell: evidence.cell.cell,
    source: arms?.source ?? null,
    ...(summary === null ? {} : { summary }),
    paragraph: writeParagraph({
      evidence,
      measured,
      arms,
      groups,
      collections,
      pauseMs,
      allocation,
      logs: { deopts, cacheSites },
      instructions,
    }),
    measured,
    profiled: forBothArms((arm) => (arms === null ? null : meanOf(arms.rawNs[arm]))),
    processes: arms?.processes ?? { baseline: 0, candidate: 0 },
    ...(arms === null
      ? { functions: [], rest: { functions: 0, selfNs: 0 } }
      : compareFunctions(arms)),
    ...(arms === null || arms.parts.length === 0 ? {} : { parts: arms.parts }),
    causes: listCauses(groups, measured),
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

/**
 * Explains every cell that was profiled.
 *
 * @param {CellEvidence[]} evidences in the order of the report
 * @param {number} firstNumber number of the first warning
 * @returns {Explanation}
 */
export function explainCells(evidences, firstNumber) {
  const cells = evidences.map((evidence) => ({ evidence, arms: scaleArms(evidence) }));
  return {
    cells: cells.map(({ evidence, arms }) => explainCell(evidence, arms)),
    warnings: collectProfileWarnings(cells, firstNumber),
  };
}

/** A larger standard deviation between the profiled processes of an arm means a busy machine. */
const MAX_SPREAD = 0.25;
const LEVEL = 0.05;

/**
 * Input of the warnings on a cell.
 *
 * @typedef {object} ProfiledCell
 * @property {CellEvidence} evidence
 * @property {ScaledArms | null} arms
 */

/**
 * Warnings on the explanations of a run, each for all cells that it concerns.
 * @type {(cells: ProfiledCell[], firstNumber: number) => Warning[]}
 */
function collectProfileWarnings(cells, firstNumber) {
  const notes = [
    ...warnOfMissing(cells),
    ...warnOfFailures(cells),
    ...warnOfCells(
      cells,
      'few-profiles',
      describeTooFew,
      (names) =>
        `Fewer than ${MIN_PROFILES} usable profiles per arm, so functions are not compared: ${names}.`,
    ),
    ...warnOfCells(
      cells,
      'profile-noisy',
      describeSpread,
      (names) =>
        `Times of the profiled processes of one arm vary widely: ${names} standard deviation. Shares within a process vary less, and the intervals account for it.`,
    ),
    ...warnOfCells(
      cells,
      'profile-slows',
      describeSlowdown,
      (names) =>
        `The profiled ratio differs from the timed one: ${names}. The profiler slows one arm more than the other, so its attribution may be biased.`,
    ),
  ];
  return notes.map((note, index) => ({ number: firstNumber + index, ...note }));
}

/** @param {ProfiledCell[]} cells */
function warnOfMissing(cells) {
  const reasons = new Map(
    cells.flatMap(({ evidence }) =>
      evidence.missing.map(({ recorder, reason }) => [recorder, reason]),
    ),
  );
  const blind = cells.filter(({ arms }) => arms?.source === 'v8-cpu-profile');
  const notes = [];
  if (blind.length > 0) {
    const because = reasons.has('perf') ? ` (${reasons.get('perf')})` : '';
    const text = `Functions are compared by V8's own profiler instead of perf${because}: ${listCells(blind)}. It attributes the time of builtins to the functions that call them.`;
    notes.push({ kind: 'perf-missing', text });
  }
  for (const [recorder, reason] of reasons) {
    if (recorder === 'perf' && blind.length > 0) continue;
    notes.push({
      kind: 'recorder-missing',
      text: `The recorder '${recorder}' is not available: ${reason}.`,
    });
  }
  return notes;
}

/**
 * One warning per recorder: the message of its first failure, the cells and arms that failed, and the
 * number of failures with other messages.
 *
 * @param {ProfiledCell[]} cells
 */
function warnOfFailures(cells) {
  /** @type {Map<string, { first: string, places: Set<string>, others: number }>} */
  const failures = new Map();
  for (const { evidence } of cells) {
    for (const { recorder, arm, detail } of evidence.failures) {
      const found = failures.get(recorder) ?? { first: detail, places: new Set(), others: 0 };
      failures.set(recorder, found);
      found.places.add(`${evidence.cell.cell.id}, ${arm}`);
      if (detail !== found.first) found.others++;
    }
  }
  return [...failures].map(([recorder, { first, places, others }]) => ({
    kind: 'recorder-failed',
    text: `The recorder '${recorder}' failed: ${first}${describeOthers(others)} (${[...places].join('; ')}).`,
  }));
}

/** @param {number} count */
function describeOthers(count) {
  if (count === 0) return '';
  return `, and ${countOf(count, 'more failure')}`;
}

/**
 * @param {ProfiledCell[]} cells
 * @param {string} kind
 * @param {(cell: ProfiledCell) => string | null} look detail to print after the cell; null for no warning
 * @param {(names: string) => string} describe
 */
function warnOfCells(cells, kind, look, describe) {
  const names = cells.flatMap((cell) => {
    const figure = look(cell);
    const { id } = cell.evidence.cell.cell;
    return figure === null ? [] : [figure === '' ? id : `${id} (${figure})`];
  });
  return names.length === 0 ? [] : [{ kind, text: describe(names.join(', ')) }];
}

/** @param {ProfiledCell} cell */
function describeTooFew({ evidence, arms }) {
  return arms === null && evidence.isProfiled ? '' : null;
}

/** @param {ProfiledCell} cell */
function describeSpread({ arms }) {
  if (arms === null) return null;
  const spreads = /** @type {const} */ (['baseline', 'candidate']).map((arm) => ({
    arm,
    spread: Math.sqrt(varianceOf(arms.rawNs[arm].map(Math.log))),
  }));
  const widest = spreads[0].spread >= spreads[1].spread ? spreads[0] : spreads[1];
  return widest.spread > MAX_SPREAD ? `${widest.arm} ${formatShare(widest.spread)}` : null;
}

/**
 * Warns if the intervals of the profiled and the timed ratio do not overlap.
 *
 * @param {ProfiledCell} cell
 */
function describeSlowdown({ evidence: { cell }, arms }) {
  if (arms === null || cell.effect === null) return null;
  const test = compareTrimmedMeans(
    arms.rawNs.candidate.map(Math.log),
    arms.rawNs.baseline.map(Math.log),
  );
  if (test === null) return null;
  const half = test.standardError === 0 ? 0 : halfWidth(test, LEVEL);
  const { low, high, estimate } = cell.effect.ratio;
  const meets = Math.exp(test.difference - half) <= high && Math.exp(test.difference + half) >= low;
  return meets
    ? null
    : `ratio ${formatRatio(Math.exp(test.difference))} instead of ${formatRatio(estimate)}`;
}

/** @param {ProfiledCell[]} cells */
function listCells(cells) {
  return cells.map(({ evidence }) => evidence.cell.cell.id).join(', ');
}
