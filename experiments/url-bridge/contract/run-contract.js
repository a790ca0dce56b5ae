import { findKnownDifferences } from './known-differences.js';
import { CONTRACT } from './table.js';

/** @import { ContractRow } from '../../../harness/formats/types.ts' */
/** @import { UrlClass } from '../bridge/types.ts' */
/** @import { Row, Subject, Theme } from './types.ts' */

/**
 * Holds a variant against the behaviour contract. A row that does not hold fails, unless the variant's
 * parser is known to differ there.
 *
 * @param {Subject} subject
 * @param {Theme[]} [themes]
 * @returns {ContractRow[]} none for a lower bound, which promises no URL objects
 */
export function runContract(subject, themes = CONTRACT) {
  const { URL } = subject;
  if (URL === undefined) return [];
  const known = findKnownDifferences(subject);
  return themes.flatMap(({ title, rows }) =>
    rows.map((row) => {
      const { name, promise } = row;
      return { theme: title, name, promise, ...judge(tryRow(row, URL), known[name]) };
    }),
  );
}

/**
 * @param {Row} row
 * @param {UrlClass} URL
 * @returns {string | null} what is wrong
 */
function tryRow(row, URL) {
  try {
    row.check(URL);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * @param {string | null} problem
 * @param {string | undefined} reason
 * @returns {Pick<ContractRow, 'outcome' | 'detail'>}
 */
function judge(problem, reason) {
  if (problem === null) return { outcome: 'holds', detail: null };
  return reason === undefined
    ? { outcome: 'fails', detail: problem }
    : { outcome: 'differs', detail: reason };
}
