import { countSeen } from './seen.js';

/** @import { FollowedPurpose, VerdictWord } from '../../formats/types.ts' */
/** @import { FollowedRecord } from './chain.js' */

/** @type {(purpose: FollowedPurpose, createdAt: string, count?: number, verdict?: VerdictWord) => FollowedRecord} */
function makeRecord(purpose, createdAt, count = 2, verdict = 'inconclusive') {
  const cells = [...Array(count - 1).fill({ verdict: 'equivalent' }), { verdict }];
  const record = { followed: { purpose }, cells, identity: { createdAt } };
  return /** @type {FollowedRecord} */ (/** @type {unknown} */ (record));
}

test('merges and confirmations of the last year count, in any order', () => {
  const records = [
    makeRecord('confirmation', '2026-11-01T00:00:00Z', 1),
    makeRecord('merge', '2026-11-02T00:00:00Z'),
    makeRecord('point', '2026-11-03T00:00:00Z'),
    makeRecord('search', '2026-11-03T00:00:00Z'),
    makeRecord('merge', '2025-11-04T00:00:00Z'),
    makeRecord('merge', '2025-11-02T00:00:00Z'),
    makeRecord('confirmation', '2025-11-02T00:00:00Z', 1),
  ];
  expect(countSeen(records, 2)).toEqual({ merges: 2, confirmations: 1 });
});

test('a confirmation that confirms a change says nothing of how often there is none', () => {
  const at = '2026-11-01T00:00:00Z';
  const records = [
    makeRecord('confirmation', at, 2, 'slower'),
    makeRecord('confirmation', at, 2, 'equivalent'),
    makeRecord('merge', at, 2, 'slower'),
  ];
  expect(countSeen(records, 2)).toEqual({ merges: 1, confirmations: 1 });
});

test('a merge that was compared on fewer cells counts as a part, on more as one', () => {
  const at = '2026-11-01T00:00:00Z';
  expect(countSeen([makeRecord('merge', at, 6), makeRecord('merge', at, 90)], 60).merges).toBe(1.1);
});

test('a branch without records has seen nothing', () => {
  expect(countSeen([], 6)).toEqual({ merges: 0, confirmations: 0 });
});
