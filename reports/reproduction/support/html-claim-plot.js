/** Claimed beside measured as a small plot, on an axis that all claims of a source share. */

/** @import { ToldClaim } from '../../../harness/formats/types.ts' */
/** @import { PlotAxis } from '../../types.ts' */
/** @import { Markup } from '../../document/markup.js' */

import * as Plot from '@observablehq/plot';
import { NOTHING } from '../../document/markup.js';
import { drawPlot } from '../../figures/plot.js';
import { formatInterval, formatRatio } from '../../../harness/lib/numbers.js';
import { findBand } from './claim-axis.js';
import { describeVerdict } from './claim-words.js';

const ROW_HEIGHT = 26;

/**
 * The claimed ratio as a mark within the band of its tolerance, and the measured one as a dot on its
 * interval. What lies beyond the axis ends at its edge.
 *
 * @param {PlotAxis} axis `width` in pixels
 * @param {ToldClaim} told
 * @returns {Markup} nothing where there is neither
 */
export function drawClaimPlot(axis, told) {
  const { verdict, measured } = told.result;
  const band = findBand(told);
  if (band === undefined && measured === null) return NOTHING;
  const clip = (/** @type {number} */ ratio) => Math.min(axis.high, Math.max(axis.low, ratio));
  const { tone } = describeVerdict(verdict);
  const marks = [Plot.ruleX([1], { className: 'one' })];
  if (band !== undefined) {
    marks.push(
      Plot.rect([band], {
        x1: clip(band.low),
        x2: clip(band.high),
        y1: -0.75,
        y2: 0.75,
        className: 'band',
      }),
      Plot.ruleX([clip(band.estimate)], { y1: -0.75, y2: 0.75, className: 'claimed' }),
    );
  }
  if (measured !== null) {
    const [x1, x2] = [clip(measured.low), clip(measured.high)];
    marks.push(
      Plot.ruleY([0], { x1, x2, className: `interval ${tone}` }),
      Plot.dot([clip(measured.estimate)], { x: Number, y: 0, r: 4, className: `estimate ${tone}` }),
    );
  }
  return drawPlot(describePlot(told), {
    width: axis.width,
    height: ROW_HEIGHT,
    margin: 0,
    axis: null,
    x: { type: 'log', domain: [axis.low, axis.high], range: [6, axis.width - 6] },
    y: { domain: [-1, 1], range: [ROW_HEIGHT, 0] },
    marks,
  });
}

/**
 * @param {ToldClaim} told
 * @returns {string} for those who do not see it
 */
function describePlot({ result: { claimed, measured } }) {
  const here =
    measured === null
      ? 'nothing measured'
      : `measured ${formatRatio(measured.estimate)}, interval ${formatInterval(measured)}`;
  return claimed === null ? here : `claimed ${formatRatio(claimed)}; ${here}`;
}
