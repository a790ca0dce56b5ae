/** The claims that can be reproduced, with their last results on this host. */

/** @import { Claim, ClaimResult, ClaimSource } from '../../harness/formats/types.ts' */
/** @import { Document, Row, Section } from '../document/model.ts' */

import { countOf, formatRatio, NO_FIGURE } from '../../harness/lib/numbers.js';
import { PROGRAM } from '../../harness/lib/program.js';
import { findExpectedRatio } from '../../harness/stats/means.js';
import { dayOf } from '../../harness/lib/words.js';
import { figureColumn, figureColumns, list, paragraph, section, untitled } from './build.js';
import {
  claimBadge,
  contradictions,
  countVerdicts,
  describeFigure,
  nameWithin,
} from './reproduction.js';

/** @typedef {{ verdict: ClaimResult['verdict'], measuredAt: string, node: string }} LastResult */

/** @typedef {{ sources: ClaimSource[], claims: Claim[], results: Record<string, LastResult> }} Known */

/** @type {(known: Known, isOverview?: boolean) => Document} an overview has a line per source as its short form */
export function describeClaims({ sources, claims, results }, isOverview = false) {
  return {
    title: 'Claims',
    eyebrow: 'Assay claims',
    source: 'experiments/*/claims',
    brief: isOverview ? briefSections({ sources, claims, results }) : undefined,
    sections: sources.map((source, index) => {
      const own = claims.filter((claim) => claim.source === source.id);
      return sourceSection(source, own, results, index);
    }),
    footer: `${PROGRAM} reproduce NAME measures the claims of a source or a single one.`,
  };
}

/** @type {(known: Known) => Section[]} */
function briefSections({ sources, claims, results }) {
  const tried = claims.flatMap(({ id }) => results[id] ?? []);
  const all = `${countOf(claims.length, 'claim')} of ${countOf(sources.length, 'source')}`;
  const found =
    tried.length === 0
      ? 'none was tried on this host'
      : `tried on this host: ${tried.length} (${countVerdicts(tried)})`;
  return [
    untitled('claims', [
      paragraph(`${all}; ${found}.`, 'lead'),
      {
        kind: 'table',
        label: 'Sources',
        columns: [
          { title: 'source', kind: 'name' },
          ...figureColumns('claims', 'reproduced'),
          { title: 'about', kind: 'text' },
        ],
        rows: sources.map(({ id, title }) => {
          const own = claims.filter(({ source }) => source === id);
          const known = own.flatMap((claim) => results[claim.id] ?? []);
          const reproduced = known.filter(({ verdict }) => verdict === 'reproduced');
          return [
            { code: id },
            String(own.length),
            known.length === 0 ? 'not tried' : `${reproduced.length} of ${known.length}`,
            title,
          ];
        }),
      },
      {
        kind: 'facts',
        facts: [
          ['Claims of a source', { command: `${PROGRAM} claims SOURCE` }],
          ['Measure them here', { command: `${PROGRAM} reproduce SOURCE` }],
          ['All claims', { command: `${PROGRAM} claims --full` }],
        ],
        only: ['terminal'],
      },
    ]),
  ];
}

/**
 * @param {ClaimSource} source
 * @param {Claim[]} claims of the source
 * @param {Record<string, LastResult>} results by the claims' ids
 * @param {number} index
 * @returns {Section}
 */
function sourceSection({ id, title, reference, conditions }, claims, results, index) {
  return section(
    `source-${index + 1}`,
    `${id}: ${title}`,
    claims.length === 0
      ? []
      : [
          paragraph(`${reference}. Reported conditions: ${conditions}.`, 'quiet'),
          {
            kind: 'table',
            label: `Claims of ${id}`,
            columns: [
              { title: 'claim', kind: 'name' },
              figureColumn('claimed'),
              { title: 'result here' },
              { title: 'on' },
              { title: 'Node' },
              { title: 'cell' },
            ],
            rows: claims.map((claim) => claimRow(claim, results[claim.id])),
          },
          list(contradictions(claims)),
        ],
  );
}

/** @type {(claim: Claim, result: LastResult | undefined) => Row} */
function claimRow(claim, result) {
  const ratio = findExpectedRatio(claim.figure);
  const mark = claim.contradiction === undefined ? '' : ' *';
  return [
    [{ code: nameWithin(claim) }, mark],
    ratio === null ? describeFigure(claim.figure) : `×${formatRatio(ratio)}`,
    result === undefined ? { tone: 'quiet', text: 'not tried' } : claimBadge(result.verdict),
    result === undefined ? NO_FIGURE : dayOf(result.measuredAt),
    result?.node ?? NO_FIGURE,
    { code: `${claim.operation} ${claim.corpus}` },
  ];
}
