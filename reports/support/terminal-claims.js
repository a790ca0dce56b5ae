/** What `just claims` and `just reproduce` print. */

/** @import { Claim, ClaimResult, ClaimSource, ReportedFigure } from '../../harness/types.ts' */
/** @import { TableColumn, TableRow, Tone } from '../types.ts' */

import { findExpectedRatio } from '../../harness/claims/expected-ratio.js';
import { showInvisible } from './escape.js';
import { formatInterval, formatRatio, NO_FIGURE } from './numbers.js';
import { makePainter } from './paint.js';
import { layOutTable } from './table.js';
import { plain } from './terminal-rows.js';
import { wrapText } from './wrap.js';

/** @type {Record<ClaimResult['verdict'], { words: string, tone: Tone }>} */
const VERDICTS = {
  reproduced: { words: 'reproduced', tone: 'good' },
  'direction-only': { words: 'direction only', tone: 'doubtful' },
  'not-reproduced': { words: 'not reproduced', tone: 'bad' },
  inconclusive: { words: 'inconclusive', tone: 'doubtful' },
  'cannot-run': { words: 'cannot run here', tone: 'quiet' },
};

/** @typedef {{ width: number, color: boolean }} Terminal */

/**
 * The claims of each source with their last result on this host.
 *
 * @param {{ sources: ClaimSource[], claims: Claim[], results: Record<string, ClaimResult & { measuredAt: string }> }} known
 * @param {Terminal} terminal
 * @returns {string} ends with a line end
 */
export function formatClaims({ sources, claims, results }, { width, color }) {
  const paint = makePainter(color);
  const blocks = sources.flatMap((source) => {
    const own = claims.filter((claim) => claim.source === source.id);
    if (own.length === 0) return [];
    /** @type {TableRow[]} */
    const rows = own.map((claim) => {
      const result = results[claim.id];
      const verdict = result === undefined ? null : VERDICTS[result.verdict];
      return [
        plain(` ${nameWithin(claim)}`),
        plain(`${claim.operation} ${claim.corpus}`),
        plain(describeFigure(claim.figure)),
        plain(result?.measuredAt.slice(0, 10) ?? NO_FIGURE),
        { text: verdict?.words ?? 'not tried', tone: verdict?.tone ?? 'quiet' },
      ];
    });
    /** @type {TableColumn[]} */
    const columns = [
      { title: '', align: 'left', minWidth: 20 },
      { title: 'cell', align: 'left', minWidth: 14, dropRank: 1 },
      { title: 'claimed', align: 'left', minWidth: 10 },
      { title: 'last here', align: 'left', dropRank: 2 },
      { title: 'result', align: 'left' },
    ];
    return [[...describeSource(source, width, paint), ...layOutTable(columns, rows, width, paint)]];
  });
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/**
 * What is claimed and what was measured, side by side.
 *
 * @param {{ sources: ClaimSource[], told: { claim: Claim, result: ClaimResult }[], path: string }} reproduction
 * @param {Terminal} terminal
 * @returns {string} ends with a line end
 */
export function formatReproduction({ sources, told, path }, { width, color }) {
  const paint = makePainter(color);
  const blocks = [[...wrapText(summarize(told), width).map((line) => paint(line, 'title'))]];
  for (const source of sources) {
    const own = told.filter(({ claim }) => claim.source === source.id);
    if (own.length === 0) continue;
    blocks.push([
      ...describeSource(source, width, paint),
      ...layOutTable(RESULT_COLUMNS, own.map(toResultRow), width, paint),
      ...listRemarks(own, width, paint),
    ]);
  }
  blocks.push(wrapText(`Ratio: candidate ÷ baseline, of times or bytes. Runs: ${path}`, width));
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** @type {TableColumn[]} */
const RESULT_COLUMNS = [
  { title: '', align: 'left', minWidth: 20 },
  { title: 'claimed', align: 'right' },
  { title: 'here', align: 'right' },
  { title: '95 % interval', align: 'right', dropRank: 1 },
  { title: 'result', align: 'left' },
];

/**
 * @param {{ claim: Claim, result: ClaimResult }} row
 * @returns {TableRow}
 */
function toResultRow({ claim, result }) {
  const { words, tone } = VERDICTS[result.verdict];
  const claimed =
    result.claimed === null ? describeFigure(claim.figure) : formatRatio(result.claimed);
  return [
    plain(` ${nameWithin(claim)}${claim.contradiction === undefined ? '' : ' *'}`),
    plain(claimed),
    plain(formatRatio(result.measured?.estimate)),
    plain(formatInterval(result.measured)),
    { text: words, tone },
  ];
}

/**
 * @param {{ claim: Claim, result: ClaimResult }[]} rows
 * @param {number} width
 * @param {ReturnType<typeof makePainter>} paint
 * @returns {string[]} what a verdict alone does not say
 */
function listRemarks(rows, width, paint) {
  const remarks = rows.flatMap(({ claim, result }) => [
    ...(result.reason === null ? [] : [`${nameWithin(claim)}: ${result.reason}.`]),
    ...(claim.contradiction === undefined
      ? []
      : [`* ${nameWithin(claim)}: the source contradicts itself, ${claim.contradiction}.`]),
  ]);
  return remarks.flatMap((text) =>
    wrapText(showInvisible(text), width, { first: '  ', next: '    ' }).map((line) =>
      paint(line, 'quiet'),
    ),
  );
}

/** @param {{ result: ClaimResult }[]} told */
function summarize(told) {
  const counts = Object.entries(VERDICTS).flatMap(([verdict, { words }]) => {
    const count = told.filter(({ result }) => result.verdict === verdict).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  return `${told.length} ${told.length === 1 ? 'claim' : 'claims'}: ${counts.join(', ')}.`;
}

/**
 * @param {ClaimSource} source
 * @param {number} width
 * @param {ReturnType<typeof makePainter>} paint
 */
function describeSource({ id, title, reference, conditions }, width, paint) {
  return [
    paint(showInvisible(`${id}: ${title}`), 'title'),
    ...wrapText(showInvisible(`${reference}. Reported from: ${conditions}.`), width).map((line) =>
      paint(line, 'quiet'),
    ),
  ];
}

/** @param {Claim} claim */
function nameWithin({ id }) {
  return showInvisible(id.slice(id.indexOf('/') + 1));
}

/**
 * @param {ReportedFigure} figure
 * @returns {string} as the source gives it
 */
function describeFigure(figure) {
  switch (figure.formula) {
    case 'direction':
      return figure.direction === 'not-slower' ? 'not slower' : figure.direction;
    case 'same-output':
      return 'same bytes';
    case 'contract':
      return 'holds';
    case 'contract-breaks':
      return 'breaks';
    default:
      return `×${formatRatio(findExpectedRatio(figure))}`;
  }
}
