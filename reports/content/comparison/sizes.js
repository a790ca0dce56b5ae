/** How large the messages of variants are, by workload, or their code. */

/** @import { CellComparison, Compression, Manifest, SizeComparison, Verdict } from '../../../harness/formats/types.ts' */
/** @import { Cell, Inline, Row, Section } from '../../document/model.ts' */

import { group } from 'd3-array';
import { formatBytes, formatRatio, formatShare, NO_FIGURE } from '../../../harness/lib/numbers.js';
import { contrastOf } from '../../../harness/stats/contrast.js';
import { sharedIdOf } from '../../../harness/stats/plan.js';
import { MEMORY_VERDICTS } from '../../../harness/stats/verdicts.js';
import { capitalize, figureColumns, separate } from '../build.js';
import { timesLoad } from './words.js';

const NO_BREAK_SPACE = '\u00a0';

/** In the order of the columns. @type {Record<Compression, string>} */
const LABELS = { raw: 'raw', gzip: 'gzip', brotli: 'brotli', zstd: 'zstd' };

/** @type {(question: Manifest['question']) => { subject: string, caption: string, label: (compression: Compression) => string }} */
function describeSubject(question) {
  if (!timesLoad(question)) {
    return {
      subject: 'messages',
      caption: 'Mean size of a message, as it is and compressed on its own',
      label: (compression) => LABELS[compression],
    };
  }
  return {
    subject: 'code',
    caption:
      'Size of the code: the module of the variant with all that it imports but modules of Node, bundled and minified by esbuild, then compressed',
    label: (compression) => (compression === 'raw' ? 'minified' : LABELS[compression]),
  };
}

/** @type {Record<SizeComparison['verdict'], string>} */
const SIGNS = { smaller: '▼', larger: '▲', equivalent: '=' };

/** @type {(manifest: Manifest, verdict: Verdict) => Section} without blocks where no operation makes messages */
export function makeSizesSection({ question, environment }, verdict) {
  const isRanking = !contrastOf(question).hasBaseline;
  const cells = verdict.cells.filter(({ sizes }) => sizes !== undefined);
  const compressions = listCompressions(cells);
  const rows = [...group(cells, ({ cell }) => sharedIdOf(cell))].flatMap(([workload, variants]) => [
    ...(isRanking ? [] : [baselineRow(workload, question.baseline, variants[0], compressions)]),
    ...(isRanking ? variants.toSorted(compareRawSizes) : variants).map((variant) => [
      { code: workload },
      { code: question.candidates[variant.cell.candidate ?? 0] },
      ...compressions.flatMap((compression) => showSize(findSize(variant, compression))),
    ]),
  ]);
  const { subject, caption, label } = describeSubject(question);
  const hasAll = compressions.length === Object.keys(LABELS).length;
  return {
    id: 'sizes',
    title: 'Sizes',
    order: 3,
    blocks: [
      {
        kind: 'table',
        caption: `${caption}${isRanking ? ', the smallest first' : ''}.`,
        label: `Sizes of ${subject}`,
        columns: [
          { title: isRanking ? 'workload' : 'cell', kind: 'group' },
          { title: 'variant', kind: 'name' },
          ...compressions.flatMap((compression) =>
            figureColumns(label(compression), isRanking ? 'to smallest' : 'ratio'),
          ),
        ],
        rows,
        legend: [
          isRanking
            ? 'To smallest: size ÷ that of the smallest of the others. '
            : 'Ratio: size ÷ that of the baseline. ',
          `▼ smaller, ▲ larger, = within the minimum effect of ${formatShare(question.minimumEffect)}. Sizes have no noise, and so no interval. Compression is that of zlib in Node by its defaults (gzip 6, brotli 11, zstd 3); other levels and dictionaries give other ratios.`,
          hasAll
            ? ''
            : ` Node ${environment.node.replace(/^v/, '')} has no zstd; 22.15 and later have.`,
        ],
      },
    ],
  };
}

/** @type {(cells: CellComparison[]) => Compression[]} those that every cell has */
function listCompressions(cells) {
  const all = /** @type {Compression[]} */ (Object.keys(LABELS));
  return all.filter((compression) =>
    cells.every((comparison) => findSize(comparison, compression) !== undefined),
  );
}

/** @type {(comparison: CellComparison, compression: Compression) => SizeComparison | undefined} */
function findSize({ sizes = [] }, compression) {
  return sizes.find((size) => size.compression === compression);
}

/** @type {(workload: string, spec: string, comparison: CellComparison, compressions: Compression[]) => Row} */
function baselineRow(workload, spec, comparison, compressions) {
  return [
    { code: workload },
    { code: spec },
    ...compressions.flatMap((compression) => [
      formatBytes(findSize(comparison, compression)?.bytes.baseline),
      NO_FIGURE,
    ]),
  ];
}

/** @type {(size: SizeComparison | undefined) => [Cell, Cell]} */
function showSize(size) {
  if (size === undefined) return [NO_FIGURE, NO_FIGURE];
  const { bytes, verdict, ratio } = size;
  const { tone } = MEMORY_VERDICTS[verdict];
  const text = `${SIGNS[verdict]}${NO_BREAK_SPACE}${formatRatio(ratio)}`;
  return [formatBytes(bytes.candidate), { tone, text }];
}

/** @type {(a: CellComparison, b: CellComparison) => number} */
function compareRawSizes(a, b) {
  const [sizeA, sizeB] = [a, b].map((each) => findSize(each, 'raw')?.bytes.candidate ?? 0);
  return sizeA - sizeB;
}

/**
 * @param {Manifest['question']} question
 * @param {Verdict} verdict of one candidate, or of a ranking
 * @returns {Inline} `Messages, raw: smaller on 3 of 3 cells; …`, in a ranking `Smallest messages, raw: avsc on 3 of 3
 *   workloads; …`; empty without sizes
 */
export function summarizeSizes(question, { cells }) {
  const sized = cells.filter(({ sizes }) => sizes !== undefined);
  if (sized.length === 0) return '';
  const { hasBaseline } = contrastOf(question);
  const { subject, label } = describeSubject(question);
  const describe = hasBaseline ? countDirections : describeSmallest;
  const phrases = listCompressions(sized).map((compression) => [
    `${label(compression)} `,
    describe(question, sized, compression),
  ]);
  return [
    hasBaseline ? `${capitalize(subject)}: ` : `Smallest ${subject}: `,
    separate(phrases, '; '),
    '.',
  ];
}

/** @type {(question: Manifest['question'], cells: CellComparison[], compression: Compression) => Inline} */
function describeSmallest({ candidates }, cells, compression) {
  const workloads = group(cells, ({ cell }) => sharedIdOf(cell)).size;
  const smallest = cells.filter((each) => findSize(each, compression)?.verdict !== 'larger');
  const counts = candidates
    .map((spec, number) => ({
      spec,
      count: smallest.filter(({ cell }) => (cell.candidate ?? 0) === number).length,
    }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count);
  const phrases = counts.map(({ spec, count }) => [
    { code: spec },
    ...(workloads === 1 ? [] : [` on ${count} of ${workloads}`]),
  ]);
  return separate(phrases, ', ');
}

/** @type {(question: Manifest['question'], cells: CellComparison[], compression: Compression) => Inline} */
function countDirections(_question, cells, compression) {
  const words = /** @type {const} */ (['smaller', 'larger', 'equivalent']);
  const parts = words
    .map((word) => ({
      word,
      count: cells.filter((each) => findSize(each, compression)?.verdict === word).length,
    }))
    .filter(({ count }) => count > 0);
  return parts.map(({ word, count }) => `${word} on ${count} of ${cells.length}`).join(', ');
}
