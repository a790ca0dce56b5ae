/** The confirmations of a suspicion: which one counts, and whether another is to be measured. */

import { ATTEMPTS } from '../../stats/alarms.js';
import { isDecided, isDirection } from '../../stats/verdicts.js';

/** @import { RatioInterval, RecordedCell } from '../../formats/types.ts' */
/** @import { FollowedRecord } from './chain.js' */

/** One that the budget cut short is repeated with this many times its budget: not for ever, where that is always too small. */
const MORE = 1.5;

/** @typedef {{ record: FollowedRecord, cell: RecordedCell, ratio: RatioInterval }} CellFigure */

/**
 * @typedef {object} Confirmations of one cell of a pair of commits
 * @property {CellFigure | null} answer the first that settles anything, so that no suspicion is asked about until it is
 *   confirmed
 * @property {CellFigure | null} last the last one with figures
 * @property {boolean} isMissing whether another is to be measured: where the first settles nothing, as in a busy hour, or was
 *   cut short by its budget
 * @property {number} needs seconds of budget without which another is not begun; 0 where none was cut short
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
  const answer = figures.find(settles) ?? null;
  const cut = all.filter(({ record }) => isCut(record));
  return {
    answer,
    last: figures.at(-1) ?? null,
    isMissing: answer === null && all.length - cut.length < ATTEMPTS,
    needs:
      MORE * Math.max(0, ...cut.map(({ record }) => record.identity.question.budgetSeconds ?? 0)),
  };
}

/** @type {(record: Pick<FollowedRecord, 'ended'>) => boolean} */
function isCut({ ended }) {
  return ended === 'budget';
}

/**
 * Without other placements it is no confirmation, however large the difference.
 * @type {(one: Pick<CellFigure, 'record' | 'cell'>) => boolean}
 */
function settles({ record, cell: { verdict, placement } }) {
  if (isCut(record) && isDirection(verdict) && placement === undefined) return false;
  return isDecided(verdict) && verdict !== 'refused';
}
