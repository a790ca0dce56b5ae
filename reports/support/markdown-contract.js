/** The behaviour contract as Markdown. */

/** @import { ShownRow } from './contract-words.js' */

import { listBroken, listContractRows, OUTCOMES, summarizeContract } from './contract-words.js';
import { codeSpan, escapeProse } from '../../harness/lib/escape.js';
import { folded, markdownTable } from './markdown-table.js';

/**
 * How the variants stand to the contract: a sentence each, the rows that do not hold with the
 * reason, and the whole table, folded.
 *
 * @param {Parameters<typeof listContractRows>[0]} manifest
 * @returns {string} empty where the family has no contract
 */
export function describeContracts(manifest) {
  const entries = listContractRows(manifest);
  if (entries.length === 0) return '';
  const sentences = entries.map(([spec, rows]) =>
    [
      `- Behaviour contract of ${summarizeContract(codeSpan(spec), rows)}`,
      ...listReasons(rows),
    ].join('\n'),
  );
  return `${sentences.join('\n')}\n\n${folded('Behaviour contract', layOutTable(entries))}`;
}

/**
 * @param {ShownRow[]} rows
 * @returns {string[]}
 */
function listReasons(rows) {
  return listBroken(rows).map(({ name, outcome, detail }) => {
    const { word } = OUTCOMES[outcome];
    return `  - **${word}** ${codeSpan(name)}: ${escapeProse(detail ?? '')}`;
  });
}

/**
 * @param {[spec: string, rows: ShownRow[]][]} entries
 * @returns {string} a row a promise, a column a variant
 */
function layOutTable(entries) {
  const titles = ['row', 'promise', ...entries.map(([spec]) => codeSpan(spec))];
  const columns = titles.map((title) => ({ title, align: /** @type {const} */ ('left') }));
  const [[, first]] = entries;
  const rows = first.map(({ name, promise }) => [
    codeSpan(name),
    escapeProse(promise),
    ...entries.map(([, others]) => showOutcome(others.find((row) => row.name === name))),
  ]);
  return markdownTable(columns, rows);
}

/**
 * @param {ShownRow | undefined} row
 * @returns {string}
 */
function showOutcome(row) {
  return row === undefined ? '–' : OUTCOMES[row.outcome].word;
}
