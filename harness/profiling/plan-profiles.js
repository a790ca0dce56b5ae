import { isDirection } from '../stats/verdicts.js';

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
    .filter(({ verdict }) => isDirection(verdict))
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
    ({ cell, verdict }) => canBeProfiled(cell) && isDirection(verdict) && !profiled.has(cell.id),
  );
  return left.length;
}

/**
 * The jobs of the second pass: cell by cell, recorder by recorder, the arms in mirrored order from
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

/** Between a name that another cell has too and the cell's number: no name has it. */
const DIVIDER = '~';
/** ComparedArm, number and ending still fit into the 255 bytes of a file name. */
const LARGEST_NAME_LENGTH = 180;

/**
 * What the files of a profile job begin with: fit for a file name on every system, and in a run no
 * other job of the same recorder has it. `flat:10` and `flat-10` look the same without what file
 * names cannot hold, so that the second of them is told by its number.
 *
 * @param {PlannedProfileJob} planned
 * @param {Pick<Cell, 'id'>[]} cells of the run
 * @returns {string} `serialize-flat-baseline-0`
 */
export function nameArtefact({ cellId, arm, process: number }, cells) {
  const place = cells.findIndex(({ id }) => id === cellId);
  const name = simplify(cellId);
  // Some file systems take capitals for small letters.
  const isTaken = cells
    .slice(0, Math.max(0, place))
    .some(({ id }) => simplify(id).toLowerCase() === name.toLowerCase());
  return `${name}${isTaken ? `${DIVIDER}${place + 1}` : ''}-${arm}-${number}`;
}

/** @param {string} id */
function simplify(id) {
  return id.replaceAll(/[^\w.]+/g, '-').slice(0, LARGEST_NAME_LENGTH);
}
