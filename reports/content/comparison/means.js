/** The geometric means of the ratios of each operation. */

/** @import { Manifest, OperationSummary, Verdict } from '../../../harness/formats/types.ts' */
/** @import { Column, Inline, Section } from '../../document/model.ts' */

import { formatChange, formatInterval, formatRatio } from '../../../harness/lib/numbers.js';
import { figureOf } from '../../../harness/stats/figure.js';
import { figureColumns, listCode } from '../build.js';
import { findSeries, placeInSeries } from './series.js';
import {
  candidateOf,
  countHosts,
  hasRuntimeColumn,
  nameInterval,
  timesFirstCalls,
  runtimeOf,
  partOf,
} from './words.js';

/**
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {Section} without blocks where every mean is of one cell, which the table of times has
 */
export function makeMeansSection(manifest, verdict) {
  const { alpha, minimumEffect, mode } = manifest.question;
  const means = chooseMeans(verdict);
  const hasSeveral = means.some(({ cellCount }) => cellCount > 1);
  const hasRuntimes = hasRuntimeColumn(verdict);
  const hasCalls = timesFirstCalls(manifest.question);
  const remark = meansRemark(verdict);
  const screen = mode === 'screen' ? ' (screen mode)' : '';
  /** @type {Column[]} */
  const columns = [
    { title: 'operation', kind: 'name' },
    ...(hasCalls ? [/** @type {Column} */ ({ title: 'calls', kind: 'name', align: 'right' })] : []),
    ...(hasRuntimes ? [/** @type {Column} */ ({ title: 'runtime', kind: 'name' })] : []),
    ...candidateOf(manifest.question, {}).map(
      () => /** @type {Column} */ ({ title: 'candidate', kind: 'name' }),
    ),
    ...figureColumns('ratio', nameInterval(alpha, verdict.cells)),
    { title: 'plot', kind: 'plot', minimumEffect },
    ...figureColumns('time', 'throughput', 'cells'),
  ];
  return {
    id: 'means',
    title: 'Geometric means',
    order: 1,
    untitled: ['terminal', 'markdown'],
    blocks: [
      {
        kind: 'table',
        caption: `Geometric means over the cells of each operation${screen}.`,
        label: 'Geometric means',
        columns,
        rows: (hasSeveral ? means : []).map((mean) => {
          const { change, throughput } = formatChange(mean.ratio.estimate);
          return [
            { code: mean.operation },
            ...(hasCalls ? [figureOf(mean).calls] : []),
            ...(hasRuntimes ? [runtimeOf(mean, manifest.environment)] : []),
            ...candidateOf(manifest.question, mean),
            formatRatio(mean.ratio.estimate),
            formatInterval(mean.ratio),
            { range: mean.ratio },
            change,
            throughput,
            String(mean.cellCount),
          ];
        }),
        legend: remark ?? undefined,
      },
    ],
  };
}

/**
 * The geometric means worth a row: those of several cells, and those of operations in no series.
 * @type {(verdict: Pick<Verdict, 'cells' | 'summaries'>) => OperationSummary[]}
 */
function chooseMeans({ cells, summaries }) {
  const all = findSeries({ cells });
  const shown = new Set(
    cells.flatMap(({ cell }) => (placeInSeries(all, cell) === null ? [] : [cell.operation])),
  );
  return summaries.filter(({ operation, cellCount }) => cellCount > 1 || !shown.has(operation));
}

/**
 * @param {Verdict} verdict
 * @returns {Inline | null} null where every mean is of one kind of machine
 */
function meansRemark({ cells, summaries, ...verdict }) {
  const mixed = summaries.filter((summary) => {
    const parts = cells
      .filter(
        ({ cell, effect }) =>
          cell.operation === summary.operation &&
          cell.runtime === summary.runtime &&
          effect !== null,
      )
      .map(({ cell }) => partOf(verdict, cell.id));
    return countHosts(parts.filter((part) => part !== undefined)) > 1;
  });
  if (mixed.length === 0) return null;
  const operations = [...new Set(mixed.map(({ operation }) => operation))];
  return ['The means of ', listCode(operations), ' combine cells from several kinds of machine.'];
}
