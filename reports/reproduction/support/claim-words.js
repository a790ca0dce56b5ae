/** What every report says of a claim, in the same words. */

/** @import { Claim, ClaimResult, ReportedFigure, Reproduction, ToldClaim } from '../../../harness/formats/types.ts' */
/** @import { Tone } from '../../types.ts' */
/** @import { Remark } from '../types.ts' */

import { countOf, formatDuration, formatRatio } from '../../../harness/lib/numbers.js';

const MINUS = '−';

/** `sign` tells by shape what `tone` tells by colour. @type {Record<ClaimResult['verdict'], { words: string, tone: Tone, sign: string }>} */
const VERDICTS = {
  reproduced: { words: 'reproduced', tone: 'good', sign: '✓' },
  'direction-only': { words: 'direction only', tone: 'doubtful', sign: '≈' },
  'not-reproduced': { words: 'not reproduced', tone: 'bad', sign: '✕' },
  inconclusive: { words: 'inconclusive', tone: 'doubtful', sign: '?' },
  'cannot-run': { words: 'cannot run here', tone: 'quiet', sign: '–' },
};

/**
 * @param {ClaimResult['verdict']} verdict
 * @returns {{ words: string, tone: Tone, sign: string }}
 */
export function describeVerdict(verdict) {
  return VERDICTS[verdict];
}

/**
 * @param {Pick<ToldClaim, 'result'>[]} told
 * @returns {string} `3 claims: 2 reproduced, 1 inconclusive.`
 */
export function summarize(told) {
  if (told.length === 0) return 'No claim had its turn.';
  const counts = Object.entries(VERDICTS).flatMap(([verdict, { words }]) => {
    const count = told.filter(({ result }) => result.verdict === verdict).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  return `${countOf(told.length, 'claim')}: ${counts.join(', ')}.`;
}

/**
 * @param {Reproduction} reproduction
 * @returns {string | null} why there is no more of it; null where it is whole
 */
export function tellEnd({ ended, command }) {
  if (ended === 'complete') return null;
  return `Interrupted: claims that had no turn are left out. Again, from the start: ${command}`;
}

/**
 * @param {Reproduction} reproduction
 * @returns {string} `Measured in 8 min 20 s by Assay under Node 20.20.2`
 */
export function tellMeasured({ wallMs, environment }) {
  return `Measured in ${formatDuration(wallMs)} by Assay under Node ${environment.node.replace(/^v/, '')}`;
}

/**
 * @param {Claim} claim
 * @returns {string} its name without that of the source
 */
export function nameWithin({ id }) {
  return id.slice(id.indexOf('/') + 1);
}

/**
 * @param {ReportedFigure} figure
 * @returns {string} as the source gives it: `216 → 99 normalized throughput`, `slower`
 */
export function describeFigure(figure) {
  switch (figure.formula) {
    case 'throughput-percent':
      return `${formatPercent(figure.percent)} throughput`;
    case 'symmetric-percent':
      return `${formatPercent(figure.percent)} of the mean`;
    case 'time-percent':
      return `${formatPercent(figure.percent)} time`;
    case 'throughput-pair':
      return `${formatNumber(figure.baseline)} → ${formatNumber(figure.candidate)} ${figure.unit}`;
    case 'retained-bytes':
      return `${formatNumber(figure.baseline)} → ${formatNumber(figure.candidate)} bytes`;
    case 'direction':
      return figure.direction === 'not-slower' ? 'not slower' : figure.direction;
    case 'same-output':
      return 'same bytes';
    case 'contract':
      return 'holds';
    case 'contract-breaks':
      return 'breaks';
  }
}

/**
 * @param {ToldClaim} told
 * @returns {string} the ratio that the figure comes to; without one what is claimed in a word
 */
export function describeClaimed({ claim, result }) {
  return result.claimed === null ? describeFigure(claim.figure) : formatRatio(result.claimed);
}

/**
 * What a verdict alone does not say.
 *
 * @param {ToldClaim[]} told
 * @returns {Remark[]}
 */
export function listRemarks(told) {
  return told.flatMap(({ claim, result }) => {
    const name = nameWithin(claim);
    /** @type {Remark[]} */
    const remarks = [];
    if (result.reason !== null) remarks.push({ name, kind: 'reason', text: result.reason });
    return [...remarks, ...listContradictions([claim])];
  });
}

/**
 * Where the sources of claims are at odds with themselves, which an asterisk marks in a table.
 *
 * @param {Claim[]} claims
 * @returns {Remark[]}
 */
export function listContradictions(claims) {
  return claims.flatMap((claim) =>
    claim.contradiction === undefined
      ? []
      : {
          name: nameWithin(claim),
          kind: 'contradiction',
          text: `the source contradicts itself, ${claim.contradiction}`,
        },
  );
}

/** @param {number} percent */
function formatPercent(percent) {
  const sign = percent < 0 ? MINUS : percent > 0 ? '+' : '';
  return `${sign}${formatNumber(Math.abs(percent))}\u00a0%`;
}

/**
 * @param {number} value
 * @returns {string} all its digits, those before the point in threes
 */
function formatNumber(value) {
  const [whole = '', decimals] = String(value).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '\u00a0');
  return decimals === undefined ? grouped : `${grouped}.${decimals}`;
}
