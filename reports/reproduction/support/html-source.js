/** The claims of one source, as a section of the page. */

/** @import { Claim, ClaimSource, ToldClaim } from '../../../harness/formats/types.ts' */
/** @import { Content } from '../../document/markup.js' */
/** @import { HtmlColumn, TablePlace } from '../../support/html-table.js' */

import { pageSection } from '../../support/html-blocks.js';
import { codeName, joinBlocks, markup } from '../../document/markup.js';
import { drawRatioTicks } from '../../figures/ratio-plot.js';
import { htmlTable } from '../../support/html-table.js';
import { formatInterval, formatRatio } from '../../../harness/lib/numbers.js';
import { describeFigure, describeVerdict, listRemarks, nameWithin } from './claim-words.js';
import { makeClaimAxis } from './claim-axis.js';
import { drawClaimPlot } from './html-claim-plot.js';

const PLOT_WIDTH = 260;

/** @typedef {HtmlColumn & { draw: (told: ToldClaim) => TablePlace }} ClaimColumn */

/**
 * Where the claims come from, a row each, and what else there is to say.
 *
 * @param {ClaimSource} source
 * @param {ToldClaim[]} told its claims
 * @param {string} id of the section
 * @returns {Content} nothing without claims
 */
export function sourcePart(source, told, id) {
  if (told.length === 0) return null;
  const columns = listColumns(told);
  const table = htmlTable({
    caption:
      'The mark is the ratio that was claimed, the band around it its tolerance; the dot with its line is what was measured here, with the interval of its comparison. The upright line is 1: no difference.',
    label: `Claims of ${source.id}`,
    kind: 'claims',
    columns,
    rows: told.map((one) => columns.map(({ draw }) => draw(one))),
  });
  return pageSection(id, `${source.id}: ${source.title}`, [
    markup`<p>${source.reference}. Reported from: ${source.conditions}.</p>`,
    table,
    contradictionList(told),
  ]);
}

/**
 * @param {ToldClaim[]} told
 * @returns {ClaimColumn[]}
 */
function listColumns(told) {
  const axis = makeClaimAxis(told, PLOT_WIDTH);
  /** @type {ClaimColumn[]} */
  const plots =
    axis === null ? [] : [{ title: drawRatioTicks(axis), draw: (one) => drawClaimPlot(axis, one) }];
  return [
    {
      title: 'claim',
      sortable: true,
      draw: ({ claim }) => ({ content: describeClaim(claim), sort: nameWithin(claim) }),
    },
    {
      title: 'result',
      sortable: true,
      wraps: true,
      draw: ({ result }) => ({ content: describeResult(result), sort: result.verdict }),
    },
    ...plots,
    {
      title: 'claimed',
      align: 'right',
      sortable: true,
      draw: ({ claim, result }) => ({
        content: markup`${formatRatio(result.claimed)}<span class="below">${describeFigure(claim.figure)}</span>`,
        sort: result.claimed,
      }),
    },
    {
      title: 'here',
      hint: 'With the interval of its comparison',
      align: 'right',
      sortable: true,
      draw: ({ result }) => ({
        content: markup`<strong>${formatRatio(result.measured?.estimate)}</strong><span class="below">${formatInterval(result.measured)}</span>`,
        sort: result.measured?.estimate ?? null,
      }),
    },
  ];
}

/**
 * @param {Claim} claim
 * @returns {Content} its name, what it says, and what was compared on what
 */
function describeClaim(claim) {
  const { operation, corpus, baseline, candidate, statement, contradiction } = claim;
  const cell = codeName(`${operation} ${corpus}`);
  return markup`${codeName(nameWithin(claim))}${contradiction === undefined ? null : ' *'}<span class="below">${statement}</span><span class="below">${cell}: ${codeName(candidate)} beside ${codeName(baseline)}</span>`;
}

/**
 * @param {ToldClaim['result']} result
 * @returns {Content} the verdict, and what it does not say
 */
function describeResult({ verdict, reason }) {
  const { words, sign } = describeVerdict(verdict);
  const remark = reason === null ? null : markup`<span class="below">${reason}</span>`;
  return markup`<span class="badge ${verdict}"><span aria-hidden="true">${sign}</span> ${words}</span>${remark}`;
}

/**
 * @param {ToldClaim[]} told
 * @returns {Content} nothing where no source contradicts itself
 */
function contradictionList(told) {
  const found = listRemarks(told).filter(({ kind }) => kind === 'contradiction');
  if (found.length === 0) return null;
  const items = found.map(({ name, text }) => markup`<li>* ${codeName(name)}: ${text}.</li>`);
  return markup`<ul class="notes">\n${joinBlocks(items)}\n</ul>`;
}
