/** @import { ContractRow } from '../formats/types.ts' */

/**
 * The rows that keep a comparison from being made: they fail, the variant does not say why, and the
 * user has not accepted it.
 *
 * @param {Record<string, ContractRow[]>} contracts
 * @param {string[]} acceptedRows by name
 * @returns {{ spec: string, row: ContractRow }[]}
 */
export function contractViolations(contracts, acceptedRows) {
  return Object.entries(contracts).flatMap(([spec, rows]) =>
    rows
      .filter(({ name, outcome }) => outcome === 'fails' && !acceptedRows.includes(name))
      .map((row) => ({ spec, row })),
  );
}
