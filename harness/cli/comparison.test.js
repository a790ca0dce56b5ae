import { EXIT } from '../lib/errors.js';
import { findExitStatus } from './comparison.js';

/** @import { CellComparison, Verdict } from '../formats/types.ts' */

test.each(
  /** @type {[ended: Verdict['ended'], verdict: CellComparison['verdict'], check: boolean, status: number][]} */ ([
    ['complete', 'slower', false, EXIT.done],
    ['complete', 'slower', true, EXIT.regression],
    ['complete', 'faster', true, EXIT.done],
    ['budget', 'inconclusive', true, EXIT.done],
    ['refused', 'refused', false, EXIT.wrongBytes],
    ['complete', 'refused', true, EXIT.wrongBytes],
    ['interrupted', 'slower', true, EXIT.interrupted],
    ['failed', 'inconclusive', false, EXIT.failed],
    ['failed', 'slower', true, EXIT.failed],
  ]),
)(
  'a run that is %s with a cell that is %s, --check %s: status %d',
  (ended, verdict, check, status) => {
    const cells = [/** @type {CellComparison} */ ({ verdict })];
    expect(findExitStatus({ ended, cells }, check)).toBe(status);
  },
);
