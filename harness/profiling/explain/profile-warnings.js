import { countOf, formatRatio, formatShare } from '../../lib/numbers.js';
import { compareTrimmedMeans, halfWidth } from '../../stats/robust.js';
import { MIN_PROFILES } from './scale-sides.js';

/** @import { Warning } from '../../formats/types.ts' */
/** @import { CellEvidence, ScaledSides } from './types.ts' */

/** Beyond this standard deviation between the profiled processes of a side, the machine was busy. */
const MAX_SPREAD = 0.25;
const LEVEL = 0.05;

/**
 * A cell as far as the warnings look at it.
 *
 * @typedef {object} ProfiledCell
 * @property {CellEvidence} evidence
 * @property {ScaledSides | null} sides
 */

/**
 * Reasons for caution with the explanations of a run, one note for all cells that it concerns.
 *
 * @param {ProfiledCell[]} cells
 * @param {number} firstNumber of the notes
 * @returns {Warning[]}
 */
export function collectProfileWarnings(cells, firstNumber) {
  const notes = [
    ...warnOfMissing(cells),
    ...warnOfFailures(cells),
    ...warnOfCells(
      cells,
      'few-profiles',
      tellTooFew,
      (names) =>
        `Fewer than ${MIN_PROFILES} usable profiles a side, so no functions are compared: ${names}.`,
    ),
    ...warnOfCells(
      cells,
      'profile-noisy',
      tellSpread,
      (names) =>
        `Profiled processes of one side differ much in time: ${names} standard deviation. Shares within a process suffer less, and the intervals allow for it.`,
    ),
    ...warnOfCells(
      cells,
      'profile-slows',
      tellSlowdown,
      (names) =>
        `Under the profiler the sides compare otherwise than when they are timed: ${names}. The recorder itself costs one side more, so read its split with care.`,
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
  const blind = cells.filter(({ sides }) => sides?.source === 'v8-cpu-profile');
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
function tellTooFew({ evidence, sides }) {
  return sides === null && evidence.isProfiled ? '' : null;
}

/** @param {ProfiledCell} cell */
function tellSpread({ sides }) {
  if (sides === null) return null;
  const spreads = /** @type {const} */ (['baseline', 'candidate']).map((side) => ({
    side,
    spread: deviationOfLogs(sides.rawNs[side]),
  }));
  const widest = spreads[0].spread >= spreads[1].spread ? spreads[0] : spreads[1];
  return widest.spread > MAX_SPREAD ? `${widest.side} ${formatShare(widest.spread)}` : null;
}

/**
 * The ratio of the profiled processes is held against the timed one; both have an interval, and only
 * intervals that do not meet are worth a note.
 *
 * @param {ProfiledCell} cell
 */
function tellSlowdown({ evidence: { cell }, sides }) {
  if (sides === null || cell.effect === null) return null;
  const test = compareTrimmedMeans(
    sides.rawNs.candidate.map(Math.log),
    sides.rawNs.baseline.map(Math.log),
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
