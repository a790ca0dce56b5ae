import { countOf, formatRatio, formatShare } from '../../lib/numbers.js';
import { compareTrimmedMeans, halfWidth } from '../../stats/robust.js';
import { describeCauses, groupCauses } from './causes.js';
import {
  MIN_PROFILES,
  compareFunctions,
  keepMeasured,
  measureDifference,
  scaleArms,
} from './functions.js';
import { writeParagraph } from './paragraph.js';
import {
  averagePauseMs,
  compareInstructions,
  compareWholeProcess,
  forBothArms,
  summarizeCollections,
} from './samples.js';
import { compareAllocations, compareLogs } from './v8-changes.js';

/** @import { CellExplanation, Explanation, Warning } from '../../formats/types.ts' */
/** @import { CellEvidence, ScaledArms } from './types.ts' */

/**
 * Says why the arms of a cell differ, or that nothing shows that they do. Pure: the same evidence
 * gives the same explanation.
 *
 * @param {CellEvidence} evidence
 * @returns {CellExplanation}
 */
export function explainCell(evidence) {
  return explainArms(evidence, scaleArms(evidence));
}

/**
 * @param {CellEvidence} evidence
 * @param {ScaledArms | null} arms made by `scaleArms`
 * @returns {CellExplanation}
 */
function explainArms(evidence, arms) {
  const measured = measureDifference(evidence);
  const groups = arms === null ? [] : groupCauses(arms);
  const collections = forBothArms((arm) =>
    summarizeCollections(evidence.collections[arm], evidence.cell.gcShare[arm]),
  );
  const allocation = compareAllocations(evidence.allocations);
  const { deopts, cacheSites, tiers } = compareLogs(keepMeasured(evidence));
  const instructions = compareInstructions(evidence.figures.instructions);
  const pauseMs = forBothArms((arm) => averagePauseMs(collections[arm], evidence.timedNs[arm]));
  return {
    cell: evidence.cell.cell,
    source: arms?.source ?? null,
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
  const cells = evidences.map((evidence) => ({ evidence, arms: scaleArms(evidence) }));
  return {
    cells: cells.map(({ evidence, arms }) => explainArms(evidence, arms)),
    warnings: collectProfileWarnings(cells, firstNumber),
  };
}

/** Beyond this standard deviation between the profiled processes of an arm, the machine was busy. */
const MAX_SPREAD = 0.25;
const LEVEL = 0.05;

/**
 * A cell as far as the warnings look at it.
 *
 * @typedef {object} ProfiledCell
 * @property {CellEvidence} evidence
 * @property {ScaledArms | null} arms
 */

/**
 * Reasons for caution with the explanations of a run, one note for all cells that it concerns.
 *
 * @param {ProfiledCell[]} cells
 * @param {number} firstNumber of the notes
 * @returns {Warning[]}
 */
function collectProfileWarnings(cells, firstNumber) {
  const notes = [
    ...warnOfMissing(cells),
    ...warnOfFailures(cells),
    ...warnOfCells(
      cells,
      'few-profiles',
      tellTooFew,
      (names) =>
        `Fewer than ${MIN_PROFILES} usable profiles an arm, so no functions are compared: ${names}.`,
    ),
    ...warnOfCells(
      cells,
      'profile-noisy',
      tellSpread,
      (names) =>
        `Profiled processes of one arm differ much in time: ${names} standard deviation. Shares within a process suffer less, and the intervals allow for it.`,
    ),
    ...warnOfCells(
      cells,
      'profile-slows',
      tellSlowdown,
      (names) =>
        `Under the profiler the arms compare otherwise than when they are timed: ${names}. The recorder itself costs one arm more, so read its split with care.`,
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
    const text = `Functions are compared by V8's own profile, not by perf${because}: ${listCells(blind)}. It hides builtins in the time of the functions that call them.`;
    notes.push({ kind: 'perf-missing', text });
  }
  for (const [recorder, reason] of reasons) {
    if (recorder === 'perf' && blind.length > 0) continue;
    notes.push({
      kind: 'recorder-missing',
      text: `The recorder '${recorder}' cannot work here: ${reason}.`,
    });
  }
  return notes;
}

/**
 * Each recorder's failures in the words of the first, with the places that it happened at; what
 * failed in other words, a file by another name for instance, is counted.
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
    text: `The recorder '${recorder}' failed: ${first}${tellOthers(others)} (${[...places].join('; ')}).`,
  }));
}

/** @param {number} count */
function tellOthers(count) {
  if (count === 0) return '';
  return `, and ${countOf(count, 'more failure')}`;
}

/**
 * @param {ProfiledCell[]} cells
 * @param {string} kind
 * @param {(cell: ProfiledCell) => string | null} look figure to print behind the cell, null for none
 * @param {(names: string) => string} tell
 */
function warnOfCells(cells, kind, look, tell) {
  const names = cells.flatMap((cell) => {
    const figure = look(cell);
    const { id } = cell.evidence.cell.cell;
    return figure === null ? [] : [figure === '' ? id : `${id} (${figure})`];
  });
  return names.length === 0 ? [] : [{ kind, text: tell(names.join(', ')) }];
}

/** @param {ProfiledCell} cell */
function tellTooFew({ evidence, arms }) {
  return arms === null && evidence.isProfiled ? '' : null;
}

/** @param {ProfiledCell} cell */
function tellSpread({ arms }) {
  if (arms === null) return null;
  const spreads = /** @type {const} */ (['baseline', 'candidate']).map((arm) => ({
    arm,
    spread: deviationOfLogs(arms.rawNs[arm]),
  }));
  const widest = spreads[0].spread >= spreads[1].spread ? spreads[0] : spreads[1];
  return widest.spread > MAX_SPREAD ? `${widest.arm} ${formatShare(widest.spread)}` : null;
}

/**
 * The ratio of the profiled processes is held against the timed one; both have an interval, and only
 * intervals that do not meet are worth a note.
 *
 * @param {ProfiledCell} cell
 */
function tellSlowdown({ evidence: { cell }, arms }) {
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

/** @param {number[]} values */
function deviationOfLogs(values) {
  const logs = values.map(Math.log);
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length;
  const squares = logs.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (logs.length - 1));
}

/** @param {ProfiledCell[]} cells */
function listCells(cells) {
  return cells.map(({ evidence }) => evidence.cell.cell.id).join(', ');
}
