/** The confirmations of a suspicion: which one counts, and whether another is to be measured. */

import { ATTEMPTS } from '../../stats/alarms.js';
import { isDecided } from '../../stats/verdicts.js';

/** @import { RatioInterval, RecordedCell } from '../../formats/types.ts' */
/** @import { FollowedRecord } from './chain.js' */

/** @typedef {{ record: FollowedRecord, cell: RecordedCell, ratio: RatioInterval }} CellFigure */

/**
 * @typedef {object} Confirmations of one cell of a pair of commits
 * @property {CellFigure | null} answer the first that settles anything, so that no suspicion is asked about until it is
 *   confirmed
 * @property {CellFigure | null} last the last one with figures
 * @property {boolean} isMissing whether another is to be measured: where the first settles nothing, as in a busy hour
 */

/**
 * @param {readonly FollowedRecord[]} records the oldest first; of any commits
 * @param {{ before: string | null, after: string, cellId: string }} of
 * @returns {Confirmations}
 */
export function readConfirmations(records, { before, after, cellId }) {
  const all = records.flatMap((record) => {
    const { purpose, ...pair } = record.followed;
    if (purpose !== 'confirmation' || pair.before !== before || pair.after !== after) return [];
    const cell = record.cells.find((one) => one.cellId === cellId);
    return cell === undefined ? [] : { record, cell };
  });
  const figures = all.flatMap((one) =>
    one.cell.ratio === null ? [] : { ...one, ratio: one.cell.ratio },
  );
  const answer = figures.find(({ cell }) => settles(cell)) ?? null;
  return {
    answer,
    last: figures.at(-1) ?? null,
    isMissing: answer === null && all.length < ATTEMPTS,
  };
}

/** @type {(cell: RecordedCell) => boolean} */
function settles({ verdict }) {
  return isDecided(verdict) && verdict !== 'refused';
}
