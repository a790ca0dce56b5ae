/** The claims that can be reproduced, with their last results on this host. */

/** @import { Claim, ClaimResult, ClaimSource } from '../../harness/formats/types.ts' */
/** @import { Document, Row, Section } from '../document/model.ts' */

import { formatRatio, NO_FIGURE } from '../../harness/lib/numbers.js';
import { PROGRAM } from '../../harness/lib/program.js';
import { findExpectedRatio } from '../../harness/stats/means.js';
import { paragraph } from './build.js';
import { claimBadge, contradictions, describeFigure, nameWithin } from './reproduction.js';

/** @typedef {{ verdict: ClaimResult['verdict'], measuredAt: string, node: string }} LastResult */

/** @type {(known: { sources: ClaimSource[], claims: Claim[], results: Record<string, LastResult> }) => Document} */
export function describeClaims({ sources, claims, results }) {
  return {
    title: 'Claims',
    eyebrow: 'Assay claims',
    source: 'experiments/*/claims',
    sections: sources.map((source, index) => {
      const own = claims.filter((claim) => claim.source === source.id);
      return sourceSection(source, own, results, index);
    }),
    footer: `${PROGRAM} reproduce NAME measures the claims of a source or a single one.`,
  };
}

/**
 * @param {ClaimSource} source
 * @param {Claim[]} claims of the source
 * @param {Record<string, LastResult>} results by the claims' ids
 * @param {number} index
 * @returns {Section}
 */
function sourceSection({ id, title, reference, conditions }, claims, results, index) {
  return {
    id: `source-${index + 1}`,
    title: `${id}: ${title}`,
    blocks:
      claims.length === 0
        ? []
        : [
            paragraph(`${reference}. Reported conditions: ${conditions}.`, 'quiet'),
            {
              kind: 'table',
              label: `Claims of ${id}`,
              columns: [
                { title: 'claim', kind: 'name' },
                { title: 'claimed', align: 'right' },
                { title: 'result here' },
                { title: 'on' },
                { title: 'Node' },
                { title: 'cell' },
              ],
              rows: claims.map((claim) => claimRow(claim, results[claim.id])),
            },
            { kind: 'list', items: contradictions(claims) },
          ],
  };
}

/** @type {(claim: Claim, result: LastResult | undefined) => Row} */
function claimRow(claim, result) {
  const ratio = findExpectedRatio(claim.figure);
  const mark = claim.contradiction === undefined ? '' : ' *';
  return [
    [{ code: nameWithin(claim) }, mark],
    ratio === null ? describeFigure(claim.figure) : `×${formatRatio(ratio)}`,
    result === undefined ? { tone: 'quiet', text: 'not tried' } : claimBadge(result.verdict),
    result?.measuredAt.slice(0, 10) ?? NO_FIGURE,
    result?.node ?? NO_FIGURE,
    { code: `${claim.operation} ${claim.corpus}` },
  ];
}
