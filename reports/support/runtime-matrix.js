/** The cells of a run under several versions of Node, arranged by version. */

/** @import { Cell, CellComparison, Environment, Manifest, Verdict } from '../../harness/formats/types.ts' */

/**
 * One operation on one corpus under every version.
 *
 * @typedef {object} MatrixRow
 * @property {string} operation
 * @property {string} corpus
 * @property {(CellComparison | null)[]} entries one a version; null where it was not measured
 */

/** @typedef {{ versions: string[], rows: MatrixRow[] }} RuntimeMatrix */

/**
 * The version of Node under which a cell is measured where its variants are not pinned to one, or
 * that a geometric mean is of.
 *
 * @param {Pick<Cell, 'node'>} cell
 * @param {Pick<Environment, 'node'>} environment
 * @returns {string} exact: `22.11.0`
 */
export function nodeOf(cell, environment) {
  return cell.node ?? environment.node.replace(/^v/, '');
}

/**
 * @param {Cell[]} cells
 * @param {Pick<Environment, 'node'>} environment
 * @returns {string[]} the versions of Node that they are measured under, ascending
 */
export function listVersions(cells, environment) {
  const versions = new Set(cells.map((cell) => nodeOf(cell, environment)));
  return [...versions].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/**
 * Whether tables give the version of Node a column of its own.
 *
 * @param {Pick<Verdict, 'cells'>} verdict
 * @returns {boolean}
 */
export function hasNodeColumn({ cells }) {
  return cells.some(({ cell }) => cell.node !== undefined);
}

/**
 * @param {Cell} cell
 * @param {Pick<Verdict, 'cells'>} verdict
 * @returns {string} its name in a table of the cells, beside the column for the version of Node
 */
export function nameInTable(cell, verdict) {
  return hasNodeColumn(verdict) ? `${cell.operation} ${cell.corpus}` : cell.id;
}

/**
 * A row an operation and corpus, a column a version.
 *
 * @param {Pick<Manifest, 'environment'>} manifest
 * @param {Pick<Verdict, 'cells'>} verdict
 * @returns {RuntimeMatrix | null} null where all cells are of one version, or none has a ratio
 */
export function arrangeByNode({ environment }, { cells }) {
  const versions = listVersions(
    cells.map(({ cell }) => cell),
    environment,
  );
  if (versions.length < 2 || cells.every(({ effect }) => effect === null)) return null;
  /** @type {MatrixRow[]} */
  const rows = [];
  for (const comparison of cells) {
    const { operation, corpus } = comparison.cell;
    let row = rows.find((one) => one.operation === operation && one.corpus === corpus);
    if (row === undefined) {
      row = { operation, corpus, entries: versions.map(() => null) };
      rows.push(row);
    }
    row.entries[versions.indexOf(nodeOf(comparison.cell, environment))] = comparison;
  }
  return { versions, rows };
}

/** What a reader must know of the table, without its end. */
export const MATRIX_REMARK =
  'each entry is candidate ÷ baseline under one version; versions are not tested against each other';
