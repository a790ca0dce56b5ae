/** @import { Cell, CellComparison, PlannedProfileJob, Question, Recorder } from '../formats/types.ts' */

/** Cells that are explained unasked: more would take longer than the timing. */
const MOST_CELLS = 6;

/**
 * The cells whose difference the second pass explains.
 *
 * @param {Pick<Question, 'explain'>} question
 * @param {CellComparison[]} comparisons
 * @returns {Cell[]} the largest differences first
 */
export function chooseCellsToExplain({ explain }, comparisons) {
  if (explain === 'none') return [];
  const sound = comparisons.filter(
    ({ cell, verdict, effect }) => canBeProfiled(cell) && verdict !== 'refused' && effect !== null,
  );
  if (explain === 'all') return sound.map(({ cell }) => cell);
  return sound
    .filter(({ verdict }) => verdict === 'faster' || verdict === 'slower')
    .sort((a, b) => sizeOf(b) - sizeOf(a))
    .slice(0, MOST_CELLS)
    .map(({ cell }) => cell);
}

/**
 * Differences that would be explained if there were not so many.
 *
 * @param {Pick<Question, 'explain'>} question
 * @param {CellComparison[]} comparisons
 * @param {Set<string>} profiled ids of cells
 * @returns {number}
 */
export function countUnexplained({ explain }, comparisons, profiled) {
  if (explain !== 'differing') return 0;
  const left = comparisons.filter(
    ({ cell, verdict }) =>
      canBeProfiled(cell) &&
      (verdict === 'faster' || verdict === 'slower') &&
      !profiled.has(cell.id),
  );
  return left.length;
}

/**
 * The jobs of the second pass: cell by cell, recorder by recorder, the sides in mirrored order from
 * process to process.
 *
 * @param {object} wanted
 * @param {Cell[]} wanted.cells to explain
 * @param {Cell[]} wanted.allCells for the recorders that were asked for by name
 * @param {Pick<Recorder, 'name' | 'processes' | 'rounds'>[]} wanted.recorders those that can work
 * @param {string[]} wanted.asked their names
 * @returns {PlannedProfileJob[]}
 */
export function planProfileJobs({ cells, allCells, recorders, asked }) {
  const explained = new Set(cells.map(({ id }) => id));
  return allCells.filter(canBeProfiled).flatMap((cell) =>
    recorders.flatMap(({ name, processes, rounds = 1 }) => {
      const isAsked = asked.includes(name);
      if (!isAsked && !explained.has(cell.id)) return [];
      return planProcesses(name, cell.id, isAsked ? Math.max(rounds, processes) : processes);
    }),
  );
}

/**
 * @param {string} recorder
 * @param {string} cellId
 * @param {number} processes
 * @returns {PlannedProfileJob[]}
 */
function planProcesses(recorder, cellId, processes) {
  return Array.from({ length: processes }, (_, process) => {
    /** @type {PlannedProfileJob['arm'][]} */
    const arms = process % 2 === 0 ? ['baseline', 'candidate'] : ['candidate', 'baseline'];
    return arms.map((arm) => {
      const id = `${recorder}/${cellId}/${process}/${arm}`;
      return { id, recorder, cellId, arm, process };
    });
  }).flat();
}

/**
 * An operation that measures itself does more than its loop, a server's work above all, so that a
 * profile of the loop would explain something else.
 *
 * @param {Cell} cell
 * @returns {boolean}
 */
function canBeProfiled({ figure }) {
  return figure === undefined;
}

/** @param {CellComparison} comparison */
function sizeOf({ effect }) {
  return effect === null ? 0 : Math.abs(Math.log(effect.ratio.estimate));
}
