import { expect, test } from '@jest/globals';
import { buildVerdict, restoreSessionTotals } from './verdict.js';
import { validate } from '../formats/schemas.js';
import { makeWhole } from '../studies/shards/test-support/make-shards.js';

/** @import { Verdict } from '../formats/types.ts' */

const WHOLE = makeWhole();
/** Measured in blocks of two to 24 processes a side. */
const CELL = WHOLE.manifest.question.cells[2].id;

/**
 * One session after another, each judged with what the last verdict remembers.
 *
 * @param {number[]} blockCounts that were there at the end of each session
 * @returns {Verdict} of the last one
 */
function judgeSessions(blockCounts) {
  let run = { ...WHOLE, verdict: /** @type {Verdict | null} */ (null) };
  for (const blocks of blockCounts) {
    const observations = WHOLE.observations.filter(({ block }) => block < blocks);
    run = { ...run, observations };
    run.verdict = buildVerdict({ ...run, ...restoreSessionTotals(run), ended: 'interrupted' });
  }
  return /** @type {Verdict} */ (run.verdict);
}

/** @param {Verdict} verdict */
function widthOf({ cells }) {
  const ratio = cells.find(({ cell }) => cell.id === CELL)?.effect?.ratio;
  return (ratio?.high ?? NaN) / (ratio?.low ?? NaN);
}

test('a run judged at its planned looks alone has no others to remember', () => {
  expect(judgeSessions([6, 12]).interimLooks?.[CELL]).toBeUndefined();
});

test('verdicts given between two looks are remembered from session to session', async () => {
  const verdict = judgeSessions([7, 9, 12]);
  validate('verdict', verdict);
  expect(verdict.interimLooks?.[CELL]).toEqual([14, 18]);
});

test('each makes the interval at the end a little wider', () => {
  const widths = [[12], [7, 12], [7, 9, 12]].map((sessions) => widthOf(judgeSessions(sessions)));
  expect(widths[1]).toBeGreaterThan(widths[0]);
  expect(widths[2]).toBeGreaterThan(widths[1]);
});

test('to judge again what is there is no look more', () => {
  expect(judgeSessions([7, 7, 12])).toEqual(judgeSessions([7, 12]));
});

test('a verdict on too few processes to tell anything is none', () => {
  expect(judgeSessions([1, 12]).interimLooks?.[CELL]).toBeUndefined();
});
