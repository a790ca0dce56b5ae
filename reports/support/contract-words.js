/** What renderers say of the behaviour contract, in words that all of them share. */

/** @import { ContractRow } from '../../harness/types.ts' */
/** @import { Tone } from '../types.ts' */

/** @type {Record<ContractRow['outcome'], { word: string, tone: Tone }>} */
export const OUTCOMES = {
  holds: { word: 'ok', tone: 'good' },
  differs: { word: 'differs', tone: 'doubtful' },
  fails: { word: 'FAILS', tone: 'bad' },
};

/**
 * How a variant stands to the contract, in one sentence.
 *
 * @param {string} subject the variant, escaped where that is needed
 * @param {ContractRow[]} rows
 * @returns {string} `pooled: 26 of 28 promises hold, 2 differ on purpose`
 */
export function summarizeContract(subject, rows) {
  const counts = { holds: 0, differs: 0, fails: 0 };
  for (const { outcome } of rows) counts[outcome]++;
  const parts = [`${counts.holds} of ${rows.length} promises hold`];
  if (counts.differs > 0) parts.push(`${counts.differs} ${plural(counts.differs)} on purpose`);
  if (counts.fails > 0) parts.push(`${counts.fails} ${counts.fails === 1 ? 'fails' : 'fail'}`);
  return `${subject}: ${parts.join(', ')}`;
}

/**
 * @param {number} count
 * @returns {string}
 */
function plural(count) {
  return count === 1 ? 'differs' : 'differ';
}

/**
 * The rows that do not hold, those that fail first.
 *
 * @param {ContractRow[]} rows
 * @returns {ContractRow[]}
 */
export function listBroken(rows) {
  const fails = rows.filter(({ outcome }) => outcome === 'fails');
  return [...fails, ...rows.filter(({ outcome }) => outcome === 'differs')];
}
