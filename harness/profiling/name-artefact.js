/** @import { Cell, PlannedProfileJob } from '../formats/types.ts' */

/** Between a name that another cell has too and the cell's number: no name has it. */
const DIVIDER = '~';
/** Side, number and ending still fit into the 255 bytes of a file name. */
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
