/** How time grows with the size of documents. */

import { group } from 'd3-array';
import { omitUndefined } from '../lib/records.js';
import { combineFreedom, meanOf, studentInterval, sumOf } from './means.js';
import { describeTrimmedMean } from './robust.js';
import { logFiguresOf } from './cell/samples.js';

/** @import { Exponent, PreparedCorpus, Sweep } from '../formats/types.ts' */
/** @import { CellRecord } from './cell/samples.js' */

/** Fewest sizes through which a line says more than two points do. */
const MIN_SIZES = 3;
/** Fewest figures of a size that have an error. */
const MIN_FIGURES = 2;
/** What may miss an exponent, two-sided. */
const LEVEL = 0.05;
/** An exponent that is surely above this is noted: time grows faster than the documents. */
const NOTED_EXPONENT = 1.2;

/**
 * @typedef {object} SizedSample
 * @property {number} size of documents
 * @property {number[]} logFigures of processes
 */

/**
 * Fits time ~ size^exponent: a line through the 20 %-trimmed means of the log figures of each size, over the log of the size. Its
 * slope has two standard errors, from the noise of processes and from the distances of the means from the line, as time need not
 * be a power of the size; the interval is the wider of the two.
 *
 * @param {SizedSample[]} samples one a size
 * @returns {Exponent | null} null with fewer than three sizes that have figures
 */
export function fitExponent(samples) {
  const usable = samples.filter(({ logFigures }) => logFigures.length >= MIN_FIGURES);
  const sizes = new Set(usable.map(({ size }) => size));
  if (sizes.size < MIN_SIZES || sizes.size < usable.length) return null;
  const points = usable.map(({ size, logFigures }) => ({
    x: Math.log(size),
    ...describeTrimmedMean(logFigures),
  }));
  const middle = meanOf(points.map(({ x }) => x));
  const spread = sumOf(points.map(({ x }) => (x - middle) ** 2));
  const weights = points.map(({ x }) => (x - middle) / spread);
  const estimate = sumOf(points.map(({ mean }, index) => weights[index] * mean));
  const level = meanOf(points.map(({ mean }) => mean));
  const distances = points.map(({ x, mean }) => mean - level - estimate * (x - middle));
  const ofLine = sumOf(distances.map((distance) => distance ** 2)) / (points.length - 2);
  const parts = points.map(({ squaredError, freedom }, index) => ({
    squaredError: weights[index] ** 2 * squaredError,
    freedom,
  }));
  const intervals = [
    {
      standardError: Math.sqrt(sumOf(parts.map(({ squaredError }) => squaredError))),
      freedom: combineFreedom(parts),
    },
    { standardError: Math.sqrt(ofLine / spread), freedom: points.length - 2 },
  ].map((error) => studentInterval({ estimate, ...error }, LEVEL));
  return {
    estimate,
    low: Math.min(...intervals.map(({ low }) => low)),
    high: Math.max(...intervals.map(({ high }) => high)),
  };
}

/** @param {Exponent} exponent @returns {string} `size^1.02 (1.00–1.04)` */
export function formatExponent({ estimate, low, high }) {
  return `size^${estimate.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}

/** @type {(exponent: Exponent | null) => boolean} whether time surely grows faster than documents, by more than a little */
export function growsFaster(exponent) {
  return exponent !== null && exponent.low > NOTED_EXPONENT;
}

/**
 * The fits of a run: cells that differ only in how large their documents were made.
 *
 * @param {Pick<CellRecord, 'cell' | 'arms' | 'wrongArms'>[]} records
 * @param {Pick<PreparedCorpus, 'label' | 'sizeBytes' | 'documentCount'>[]} corpora
 * @returns {Sweep[]} those with at least three sizes, in the order of the cells
 */
export function fitSweeps(records, corpora) {
  const sizes = new Map(
    corpora.map(({ label, sizeBytes, documentCount }) => [label, sizeBytes / documentCount]),
  );
  const groups = group(records, ({ cell: { operation, corpus, grown, ...cell } }) =>
    JSON.stringify([operation, grown?.from ?? corpus, cell.runtime, cell.candidate, cell.cold]),
  );
  return [...groups.values()].flatMap((own) => {
    const sized = own.flatMap((record) => {
      const size = sizes.get(record.cell.corpus);
      const { arms, wrongArms } = record;
      const isMeasured = Object.values(arms).some((jobs) => logFiguresOf(jobs).length > 0);
      return size === undefined || wrongArms.length > 0 || !isMeasured ? [] : [{ arms, size }];
    });
    const { operation, corpus, grown, runtime, candidate } = own[0].cell;
    const fit = (/** @type {(keyof CellRecord['arms'])[]} */ arms) =>
      fitExponent(
        sized.map(({ size, arms: jobs }) => ({
          size,
          logFigures: logFiguresOf(arms.flatMap((arm) => jobs[arm])),
        })),
      );
    const exponents = { baseline: fit(['baseline', 'control']), candidate: fit(['candidate']) };
    if (exponents.baseline === null && exponents.candidate === null) return [];
    return [
      {
        ...{ operation, corpus: grown?.from ?? corpus },
        ...omitUndefined({ runtime, candidate }),
        sizesBytes: sized.map(({ size }) => size).sort((a, b) => a - b),
        exponents,
      },
    ];
  });
}
