/** What renderers say of the behaviour contract, in words that all of them share. */

import { countOf } from '../../harness/lib/numbers.js';

/** @import { ContractRow, Manifest } from '../../harness/formats/types.ts' */
/** @import { Tone } from '../types.ts' */

/**
 * A row as it is shown: `accepted` is a failure that the user accepts.
 *
 * @typedef {Omit<ContractRow, 'outcome'> & { outcome: ContractRow['outcome'] | 'accepted' }} ShownRow
 */

/** @type {Record<ShownRow['outcome'], { word: string, tone: Tone }>} */
export const OUTCOMES = {
  holds: { word: 'ok', tone: 'good' },
  differs: { word: 'differs', tone: 'doubtful' },
  accepted: { word: 'fails, accepted', tone: 'doubtful' },
  fails: { word: 'FAILS', tone: 'bad' },
};

/**
 * The contracts of a comparison, with what `--accept` names.
 *
 * @param {{ contracts: Manifest['contracts'], question: Pick<Manifest['question'], 'acceptedRows'> }} manifest
 * @returns {[spec: string, rows: ShownRow[]][]} none where the family has no contract
 */
export function listContractRows({ contracts, question: { acceptedRows } }) {
  return Object.entries(contracts)
    .filter(([, rows]) => rows.length > 0)
    .map(([spec, rows]) => [
      spec,
      rows.map((row) =>
        row.outcome === 'fails' && acceptedRows.includes(row.name)
          ? { ...row, outcome: /** @type {const} */ ('accepted') }
          : row,
      ),
    ]);
}

/**
 * How a variant stands to the contract, in one sentence.
 *
 * @param {string} subject the variant, escaped where that is needed
 * @param {ShownRow[]} rows
 * @returns {string} `pooled: 26 of 28 promises hold, 2 differ on purpose`
 */
export function summarizeContract(subject, rows) {
  const counts = { holds: 0, differs: 0, accepted: 0, fails: 0 };
  for (const { outcome } of rows) counts[outcome]++;
  const parts = [
    `${counts.holds} of ${countOf(rows.length, 'promise')} ${counts.holds === 1 ? 'holds' : 'hold'}`,
  ];
  if (counts.differs > 0) parts.push(`${countOf(counts.differs, 'differs', 'differ')} on purpose`);
  for (const [count, suffix] of /** @type {const} */ ([
    [counts.fails, ''],
    [counts.accepted, ' but accepted'],
  ])) {
    if (count > 0) parts.push(`${countOf(count, 'fails', 'fail')}${suffix}`);
  }
  return `${subject}: ${parts.join(', ')}`;
}

/**
 * The rows that do not hold, those that fail first.
 *
 * @param {ShownRow[]} rows
 * @returns {ShownRow[]}
 */
export function listBroken(rows) {
  const order = /** @type {const} */ (['fails', 'accepted', 'differs']);
  return order.flatMap((wanted) => rows.filter(({ outcome }) => outcome === wanted));
}
