/** What `just claims` prints. */

/** @import { Claim, ClaimSource } from '../../harness/formats/types.ts' */
/** @import { RememberedResult } from '../../harness/studies/claims/reproduction.js' */
/** @import { TableColumn, TableRow } from '../types.ts' */

import { findExpectedRatio } from '../../harness/stats/expected-ratio.js';
import {
  describeFigure,
  describeVerdict,
  listContradictions,
  nameWithin,
} from '../reproduction/support/claim-words.js';
import { describeSource } from '../reproduction/support/terminal-source.js';
import { showInvisible } from '../../harness/lib/escape.js';
import { formatRatio, NO_FIGURE } from '../../harness/lib/numbers.js';
import { makePainter } from './paint.js';
import { layOutTable } from './table.js';
import { plain } from './terminal-rows.js';
import { wrapText } from '../../harness/lib/wrap.js';

/** @typedef {{ width: number, color: boolean }} Terminal */

/** @type {TableColumn[]} */
const COLUMNS = [
  { title: '', align: 'left', minWidth: 32 },
  { title: 'cell', align: 'left', dropRank: 3 },
  { title: 'claimed', align: 'left', minWidth: 10 },
  { title: 'last here', align: 'left', dropRank: 1 },
  { title: 'Node', align: 'left', dropRank: 2 },
  { title: 'result', align: 'left' },
];

/**
 * The claims of each source with their last result on this host.
 *
 * @param {{ sources: ClaimSource[], claims: Claim[], results: Record<string, RememberedResult> }} known
 * @param {Terminal} terminal
 * @returns {string} ends with a line end
 */
export function formatClaims({ sources, claims, results }, { width, color }) {
  const paint = makePainter(color);
  const blocks = sources.flatMap((source) => {
    const own = claims.filter((claim) => claim.source === source.id);
    if (own.length === 0) return [];
    const rows = own.map((claim) => toRow(claim, results[claim.id]));
    const remarks = listContradictions(own).flatMap(({ name, text }) =>
      wrapText(showInvisible(`* ${name}: ${text}`), width, { first: '  ', next: '    ' }),
    );
    return [
      [
        ...describeSource(source, width, paint),
        ...layOutTable(COLUMNS, rows, width, paint),
        ...remarks.map((line) => paint(line, 'quiet')),
      ],
    ];
  });
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/**
 * @param {Claim} claim
 * @param {RememberedResult | undefined} result
 * @returns {TableRow}
 */
function toRow(claim, result) {
  const ratio = findExpectedRatio(claim.figure);
  const verdict = result === undefined ? null : describeVerdict(result.verdict);
  return [
    plain(` ${showInvisible(nameWithin(claim))}${claim.contradiction === undefined ? '' : ' *'}`),
    plain(showInvisible(`${claim.operation} ${claim.corpus}`)),
    plain(ratio === null ? describeFigure(claim.figure) : `×${formatRatio(ratio)}`),
    plain(result === undefined ? NO_FIGURE : showInvisible(result.measuredAt.slice(0, 10))),
    plain(result === undefined ? NO_FIGURE : showInvisible(result.node)),
    { text: verdict?.words ?? 'not tried', tone: verdict?.tone ?? 'quiet' },
  ];
}
