/** What is known of an edit: its ratios to the baseline and to the edit before, and where its change comes from. */

import { FORMAT_VERSION } from '../../formats/format-version.js';
import { divideRatios, leastChange } from '../../stats/means.js';
import { countPerVariant } from '../../stats/plan.js';
import { isSameCode } from './snapshots.js';

/** @import { Cause, Cell, CellComparison, FileChange, Question, RatioInterval, WatchCause, WatchCell, WatchLine } from '../../formats/types.ts' */
/** @import { Snapshot } from './snapshots.js' */

/**
 * @typedef {object} Edit
 * @property {number} number
 * @property {string} at
 * @property {Snapshot} snapshot
 * @property {FileChange[]} changes
 * @property {number | null} sameAs
 * @property {boolean | null} isCorrect
 * @property {string[]} problems
 * @property {CellComparison[]} found at the last look
 * @property {{ cellId: string, causes: Cause[] } | null} explained by a profile, compared with the baseline
 * @property {WatchLine | null} line the last one
 */

/**
 * What an edit is compared with.
 *
 * @typedef {object} Compared
 * @property {Edit[]} edits so far
 * @property {{ spec: string, snapshot: Snapshot | null }} baseline
 * @property {Pick<Question, 'minimumEffect'>} question
 * @property {(baseline: string, candidate: string) => string} compareCommand command that compares two specs
 */

/** @type {(compared: Compared, edit: Edit, state: WatchLine['state']) => WatchLine} */
export function describeEdit(compared, edit, state) {
  const { number, at, changes, sameAs, snapshot, isCorrect, problems } = edit;
  return {
    formatVersion: FORMAT_VERSION,
    edit: number,
    at,
    changes,
    sameAs,
    spec: snapshot.spec,
    state,
    isCorrect,
    problems,
    cells: describeCells(compared, edit),
    cause: findCause(compared, edit),
    ...advise(compared, edit, state),
  };
}

/** @type {(compared: Compared, edit: Edit) => WatchCell[]} */
function describeCells({ edits }, { number, found }) {
  return found.flatMap(({ cell, verdict, effect, processes }) => {
    const count = countPerVariant(processes);
    if (count === 0) return [];
    const toBaseline = effect?.ratio ?? null;
    const before = findBefore(edits, number, cell.id)?.ratio;
    const toEditBefore =
      toBaseline === null || before === undefined ? null : divideRatios(toBaseline, before);
    return [{ cellId: cell.id, verdict, processes: count, toBaseline, toEditBefore }];
  });
}

/** The last edit before that has a ratio. @type {(edits: Edit[], number: number, cellId: string) => { edit: Edit, ratio: RatioInterval } | undefined} */
function findBefore(edits, number, cellId) {
  const ratios = edits.slice(0, number).flatMap((edit) => {
    const ratio = edit.found.find(({ cell }) => cell.id === cellId)?.effect?.ratio;
    return ratio === undefined || edit.isCorrect !== true ? [] : [{ edit, ratio }];
  });
  return ratios.at(-1);
}

/**
 * How much a cell has changed since the edit before, at least, on the log scale: by the end of the interval that is nearer to
 * no change.
 * @type {(cell: WatchCell) => number}
 */
function sizeOfChange({ toBaseline, toEditBefore }) {
  const ratio = toEditBefore ?? toBaseline;
  return ratio === null ? 0 : Math.max(0, leastChange(ratio));
}

/** @type {(compared: Compared, edit: Edit) => CellComparison | undefined} the cell that has changed most; undefined if none has by the minimum effect */
export function chooseChanged(compared, edit) {
  const least = Math.log1p(compared.question.minimumEffect);
  const [largest] = describeCells(compared, edit)
    .filter(({ toBaseline, toEditBefore }) => {
      const { estimate = 1 } = toEditBefore ?? toBaseline ?? {};
      return Math.abs(Math.log(estimate)) >= least;
    })
    .filter((cell) => sizeOfChange(cell) > 0)
    .sort((one, other) => sizeOfChange(other) - sizeOfChange(one));
  return edit.found.find(({ cell }) => cell.id === largest?.cellId);
}

/**
 * @param {readonly Cell[]} cells
 * @param {Edit[]} edits before the one that is measured next
 * @returns {Cell[]} those first that have changed most, since an edit often goes on where the one before began
 */
export function orderCells(cells, edits) {
  const known = edits.findLast(({ found }) => found.length > 0)?.line?.cells ?? [];
  const sizes = new Map(known.map((cell) => [cell.cellId, sizeOfChange(cell)]));
  return cells.toSorted(
    ({ id: one }, { id: other }) => (sizes.get(other) ?? 0) - (sizes.get(one) ?? 0),
  );
}

/**
 * The largest cause of a change since the edit before, if that was profiled on the same cell or is the baseline itself; else
 * since the baseline.
 * @type {(compared: Compared, edit: Edit) => WatchCause | null}
 */
function findCause({ edits, baseline }, { number, explained }) {
  if (explained === null || explained.causes.length === 0) return null;
  const { cellId, causes } = explained;
  const before = findBefore(edits, number, cellId)?.edit;
  const isBaseline =
    before !== undefined &&
    baseline.snapshot !== null &&
    isSameCode(before.snapshot, baseline.snapshot);
  const known = before?.explained?.cellId === cellId ? before.explained.causes : null;
  const earlier = known ?? [];
  const names = new Set([...causes, ...earlier].map(({ name }) => name));
  const sizeIn = (/** @type {Cause[]} */ list, /** @type {string} */ wanted) =>
    list.find(({ name }) => name === wanted)?.change.estimate ?? 0;
  const [largest] = [...names]
    .map((name) => ({ name, changeNs: sizeIn(causes, name) - sizeIn(earlier, name) }))
    .sort((one, other) => Math.abs(other.changeNs) - Math.abs(one.changeNs));
  if (largest === undefined) return null;
  const since = before !== undefined && (known !== null || isBaseline) ? before.number : null;
  return { cellId, ...largest, since };
}

/** @type {(compared: Compared, edit: Edit, state: WatchLine['state']) => Pick<WatchLine, 'next' | 'command'>} */
function advise({ baseline, compareCommand }, { snapshot }, state) {
  if (state === 'checking') return { next: 'Wait for the check.', command: null };
  if (state === 'broken') return { next: 'Correct the error.', command: null };
  if (state === 'wrong') {
    return { next: 'Make output and behaviour those of the reference again.', command: null };
  }
  const command = compareCommand(baseline.spec, snapshot.spec);
  return state === 'measuring'
    ? { next: 'Edit on, or wait until the intervals are narrow enough.', command }
    : { next: 'Confirm it by a comparison before you rely on it.', command };
}
