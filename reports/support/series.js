/** Cells that differ in one number alone, which a report shows along that number. */

/** @import { Cell, CellComparison, OperationSummary, Series, Verdict, VerdictWord } from '../../harness/formats/types.ts' */

/**
 * Cells of one corpus, under one Node, whose operations belong to one series.
 *
 * @typedef {object} CellSeries
 * @property {string} label what the number counts: `getters read`
 * @property {string} corpus
 * @property {string | undefined} node
 * @property {SeriesPoint[]} points ascending by the number
 */

/** @typedef {{ at: number, comparison: CellComparison }} SeriesPoint */

/**
 * Points that follow each other and have the same verdict.
 *
 * @typedef {object} Stretch
 * @property {VerdictWord} verdict
 * @property {number} from the number at its first point
 * @property {number} to the number at its last point
 */

/** @type {Record<VerdictWord, string>} */
const WORDS = {
  faster: 'faster',
  slower: 'slower',
  equivalent: 'equivalent',
  inconclusive: 'no difference known',
  untrusted: 'not to be trusted',
  refused: 'refused',
};

/**
 * The series of a run.
 *
 * @param {Pick<Verdict, 'cells'>} verdict
 * @returns {CellSeries[]} of those with two points at least, in the order of the cells
 */
export function findSeries({ cells }) {
  /** @type {Map<string, CellSeries>} */
  const found = new Map();
  for (const comparison of cells) {
    const { series, corpus, node } = comparison.cell;
    if (series === undefined || comparison.effect === null) continue;
    const key = JSON.stringify([series.name, corpus, node]);
    const one = found.get(key) ?? { label: series.label, corpus, node, points: [] };
    one.points.push({ at: series.at, comparison });
    found.set(key, one);
  }
  const long = [...found.values()].filter(({ points }) => points.length > 1);
  for (const { points } of long) points.sort((a, b) => a.at - b.at);
  return long;
}

/**
 * The place of an operation, the same for all its cells: one that was refused, or measured on a corpus
 * by itself, is listed beside the others.
 *
 * @param {CellSeries[]} all
 * @param {Cell} cell
 * @returns {Series | null} null where none of them has a point of the cell's operation
 */
export function placeInSeries(all, { operation, series }) {
  const isIn = all.some(({ points }) =>
    points.some(({ comparison }) => comparison.cell.operation === operation),
  );
  return isIn && series !== undefined ? series : null;
}

/**
 * The geometric means worth a row: those of several cells, and those of operations that no series
 * tells of.
 *
 * @param {Pick<Verdict, 'cells' | 'summaries'>} verdict
 * @returns {OperationSummary[]}
 */
export function chooseMeans({ cells, summaries }) {
  const all = findSeries({ cells });
  const told = new Set(
    cells.flatMap(({ cell }) => (placeInSeries(all, cell) === null ? [] : [cell.operation])),
  );
  return summaries.filter(({ operation, cellCount }) => cellCount > 1 || !told.has(operation));
}

/**
 * Where the candidate has the lead and where not, by the verdicts of the points, which come from
 * their intervals.
 *
 * @param {CellSeries} series
 * @returns {string} `faster up to 4 getters read, no difference known at 6, slower from 8 on`;
 *   `faster at every point, 0 to 10 getters read`
 */
export function describeLead({ label, points }) {
  const stretches = joinStretches(points);
  const [first] = stretches;
  if (first !== undefined && stretches.length === 1) {
    return `${WORDS[first.verdict]} at every point, ${first.from} to ${first.to} ${label}`;
  }
  return stretches
    .map((stretch, index) => {
      const isLast = index === stretches.length - 1;
      const place = describePlace(stretch, index === 0, isLast);
      return `${WORDS[stretch.verdict]} ${place(index === 0 ? ` ${label}` : '')}`;
    })
    .join(', ');
}

/**
 * @param {Stretch} stretch
 * @param {boolean} isFirst
 * @param {boolean} isLast
 * @returns {(unit: string) => string} where it lies, with what the number counts behind the number
 */
function describePlace({ from, to }, isFirst, isLast) {
  if (from === to) return (unit) => `at ${from}${unit}`;
  if (isFirst) return (unit) => `up to ${to}${unit}`;
  if (isLast) return (unit) => `from ${from}${unit} on`;
  return (unit) => `from ${from} to ${to}${unit}`;
}

/**
 * @param {SeriesPoint[]} points
 * @returns {Stretch[]}
 */
function joinStretches(points) {
  /** @type {Stretch[]} */
  const stretches = [];
  for (const { at, comparison } of points) {
    const { verdict } = comparison;
    const last = stretches.at(-1);
    if (last?.verdict === verdict) last.to = at;
    else stretches.push({ verdict, from: at, to: at });
  }
  return stretches;
}
