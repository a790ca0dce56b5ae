/** @import { ReportedFigure } from '../formats/types.ts' */

/**
 * The ratio of candidate to baseline that a reported figure means: of times, so above 1 is slower, or of
 * bytes where bytes were reported.
 *
 * @param {ReportedFigure} figure
 * @returns {number | null} null where no figure was reported
 */
export function findExpectedRatio(figure) {
  switch (figure.formula) {
    case 'throughput-percent':
      return 1 / (1 + figure.percent / 100);
    case 'time-percent':
      return 1 + figure.percent / 100;
    case 'symmetric-percent': {
      // (b − a) / ((a + b) / 2) = p, solved for b / a, the ratio of throughputs.
      const share = figure.percent / 200;
      return (1 - share) / (1 + share);
    }
    case 'throughput-pair':
      return figure.baseline / figure.candidate;
    case 'retained-bytes':
      return figure.candidate / figure.baseline;
    default:
      return null;
  }
}
