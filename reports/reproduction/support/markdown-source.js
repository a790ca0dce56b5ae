/** The claims of one source, as Markdown. */

/** @import { ClaimSource, ToldClaim } from '../../../harness/formats/types.ts' */

import { codeSpan, escapeProse } from '../../../harness/lib/escape.js';
import { markdownTable } from '../../support/markdown-table.js';
import { formatInterval, formatRatio } from '../../../harness/lib/numbers.js';
import { drawTicks } from '../../document/range-plot.js';
import { describeFigure, describeVerdict, listRemarks, nameWithin } from './claim-words.js';
import { drawClaim, makeClaimAxis } from './claim-axis.js';

const PLOT_WIDTH = 25;

/** @typedef {{ title: string, align: 'left' | 'right', draw: (told: ToldClaim) => string }} ClaimColumn */

/**
 * Where the claims come from, a row each, and what else there is to say.
 *
 * @param {ClaimSource} source
 * @param {ToldClaim[]} told its claims
 * @param {'whole' | 'short'} form the short one has no plots
 * @returns {string} empty without claims
 */
export function sourceSection({ id, title, reference, conditions }, told, form) {
  if (told.length === 0) return '';
  const columns = listColumns(told, form);
  const rows = told.map((one) => columns.map(({ draw }) => draw(one)));
  const remarks = listRemarks(told).map(({ name, kind, text }) => {
    const mark = kind === 'contradiction' ? '\\* ' : '';
    return `- ${mark}${codeSpan(name)}: ${escapeProse(text)}`;
  });
  const origin = `${escapeProse(reference)}. Reported from: ${escapeProse(conditions)}.`;
  const legend = form === 'whole' ? ' Plot: `├─●─┤` measured, `◇` claimed, on a log axis.' : '';
  return [
    `**${escapeProse(`${id}: ${title}`)}**`,
    `${origin} Ratios are candidate ÷ baseline, of times or bytes: below 1 is faster or smaller.${legend}`,
    markdownTable(columns, rows),
    remarks.join('\n'),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

/**
 * @param {ToldClaim[]} told
 * @param {'whole' | 'short'} form
 * @returns {ClaimColumn[]}
 */
function listColumns(told, form) {
  const axis = form === 'whole' ? makeClaimAxis(told, PLOT_WIDTH) : null;
  /** @type {ClaimColumn[]} */
  const plots =
    axis === null
      ? []
      : [
          {
            title: plotSpan(drawTicks(axis)),
            align: 'left',
            draw: (one) => plotSpan(drawClaim(axis, one)),
          },
        ];
  return [
    {
      title: 'claim',
      align: 'left',
      draw: ({ claim }) =>
        `${codeSpan(nameWithin(claim))}${claim.contradiction === undefined ? '' : ' \\*'}`,
    },
    // A ticket shows the first 700 pixels of a table; the rest has to be scrolled to.
    { title: 'result', align: 'left', draw: ({ result }) => drawVerdict(result.verdict) },
    {
      title: 'claimed',
      align: 'left',
      draw: ({ claim }) => escapeProse(describeFigure(claim.figure)),
    },
    { title: 'as ratio', align: 'right', draw: ({ result }) => formatRatio(result.claimed) },
    { title: 'here', align: 'right', draw: ({ result }) => formatRatio(result.measured?.estimate) },
    {
      title: 'interval',
      align: 'right',
      draw: ({ result }) => formatInterval(result.measured),
    },
    ...plots,
    {
      title: 'cell',
      align: 'left',
      draw: ({ claim }) => codeSpan(`${claim.operation} ${claim.corpus}`),
    },
  ];
}

/** @param {ToldClaim['result']['verdict']} verdict */
function drawVerdict(verdict) {
  const { words, sign } = describeVerdict(verdict);
  return verdict === 'cannot-run' ? words : `${sign}\u00a0**${words}**`;
}

/**
 * A plot as a code span of which no space gets lost.
 *
 * @param {string} plot
 * @returns {string}
 */
function plotSpan(plot) {
  return `\`${plot.replaceAll(' ', '\u00a0')}\``;
}
