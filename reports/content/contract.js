/** How variants stand to the behaviour contract of their family. */

/** @import { ContractRow, Manifest } from '../../harness/formats/types.ts' */
/** @import { Block, Cell, ListItem, Section, Tone } from '../document/model.ts' */

import { countOf, NO_FIGURE } from '../../harness/lib/numbers.js';
import { isAccepted } from '../../harness/stats/verdicts.js';
import { list } from './build.js';

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
 * @param {{ contracts: Manifest['contracts'], question: Pick<Manifest['question'], 'acceptedRows'> }} manifest
 * @returns {[spec: string, rows: ShownRow[]][]} none where the family has no contract
 */
export function listContracts({ contracts, question: { acceptedRows } }) {
  return Object.entries(contracts)
    .filter(([, rows]) => rows.length > 0)
    .map(([spec, rows]) => [
      spec,
      rows.map((row) =>
        row.outcome === 'fails' && isAccepted(row, acceptedRows)
          ? { ...row, outcome: /** @type {const} */ ('accepted') }
          : row,
      ),
    ]);
}

/**
 * @param {ShownRow[]} rows of one variant
 * @returns {string} `26 of 28 promises hold, 2 differ on purpose`
 */
export function summarizeContract(rows) {
  const counts = { holds: 0, differs: 0, accepted: 0, fails: 0 };
  for (const { outcome } of rows) counts[outcome]++;
  const parts = [
    `${counts.holds} of ${countOf(rows.length, 'promise')} ${counts.holds === 1 ? 'holds' : 'hold'}`,
  ];
  if (counts.differs > 0) parts.push(`${countOf(counts.differs, 'differs', 'differ')} on purpose`);
  for (const [count, suffix] of /** @type {const} */ ([
    [counts.fails, ''],
    [counts.accepted, counts.accepted === 1 ? ' but is accepted' : ' but are accepted'],
  ])) {
    if (count > 0) parts.push(`${countOf(count, 'fails', 'fail')}${suffix}`);
  }
  return parts.join(', ');
}

/** @type {(rows: ShownRow[]) => ShownRow[]} those that do not hold, failures first */
function listBroken(rows) {
  const order = /** @type {const} */ (['fails', 'accepted', 'differs']);
  return order.flatMap((wanted) => rows.filter(({ outcome }) => outcome === wanted));
}

/**
 * @param {Parameters<typeof listContracts>[0]} manifest
 * @returns {Section} a sentence for each variant, what does not hold and why, and the whole table
 */
export function makeContractSection(manifest) {
  const entries = listContracts(manifest);
  return {
    id: 'contract',
    title: 'Behaviour contract',
    order: 8,
    blocks: [
      list(entries.map(([spec, rows]) => describeContract(spec, rows))),
      tabulateContracts(entries),
    ],
  };
}

/** @type {(spec: string, rows: ShownRow[]) => ListItem} */
function describeContract(spec, rows) {
  return {
    text: [{ code: spec }, `: ${summarizeContract(rows)}`],
    items: listBroken(rows).map(({ name, outcome, detail }) => {
      const { word, tone } = OUTCOMES[outcome];
      return [{ tone, text: word }, ' ', { code: name }, `: ${detail ?? ''}`];
    }),
  };
}

/**
 * @param {[spec: string, rows: ShownRow[]][]} entries
 * @returns {Block} a row for each promise, a column for each variant
 */
function tabulateContracts(entries) {
  const [[, first] = ['', []]] = entries;
  return {
    kind: 'group',
    title: 'All promises',
    folded: ['terminal', 'markdown', 'html'],
    blocks: [
      {
        kind: 'table',
        caption: 'The behaviour contract by promise',
        label: 'Behaviour contract',
        columns: [
          { title: 'name', kind: 'name' },
          ...entries.map(([spec]) => ({ title: spec })),
          { title: 'promise', kind: 'prose' },
        ],
        rows: first.map(({ name, promise }) => [
          { code: name },
          ...entries.map(([, rows]) => showOutcome(rows.find((row) => row.name === name))),
          promise,
        ]),
      },
    ],
  };
}

/** @type {(row: ShownRow | undefined) => Cell} */
function showOutcome(row) {
  if (row === undefined) return NO_FIGURE;
  const { word, tone } = OUTCOMES[row.outcome];
  return { tone, text: word };
}
