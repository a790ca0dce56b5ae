/** The report on claims that were reproduced: what was claimed, what was measured here. */

/** @import { Claim, ClaimResult, ClaimSource, RatioInterval, ReportedFigure, Reproduction, JudgedClaim } from '../../harness/formats/types.ts' */
/** @import { Block, Column, Document, Inline, Row, Section, Span, Tone } from '../document/model.ts' */

import {
  countOf,
  formatConfidence,
  formatDuration,
  formatInterval,
  formatRatio,
} from '../../harness/lib/numbers.js';
import { USUAL } from '../../harness/stats/usual.js';
import { dayOf } from '../../harness/lib/words.js';
import { figureColumn, list, paragraph } from './build.js';
import { hostSection, listStudyFacts, repeatSection } from './environment.js';

const MINUS = '−';

const LEGEND = [
  'Ratios are candidate ÷ baseline, of times or bytes: below 1 is faster or smaller.',
  'Reproduced: the whole interval measured here lies within the tolerance of the claim, and a claimed difference has its direction and is not below the minimum effect.',
  'Size open: the direction is the claimed one, and the interval reaches across an edge of that range, so the size is not settled.',
  'Direction only: the direction is the claimed one, and the whole interval lies outside.',
  'Plots are on a log scale: ◇ is the claimed ratio, ● the ratio measured here with its interval.',
].join(' ');

/** The shape of `sign` repeats what the colour of `tone` says. @type {Record<ClaimResult['verdict'], { words: string, tone: Tone, sign: string }>} */
const VERDICTS = {
  reproduced: { words: 'reproduced', tone: 'good', sign: '✓' },
  'size-open': { words: 'size open', tone: 'doubtful', sign: '±' },
  'direction-only': { words: 'direction only', tone: 'doubtful', sign: '≈' },
  'not-reproduced': { words: 'not reproduced', tone: 'bad', sign: '✕' },
  inconclusive: { words: 'inconclusive', tone: 'doubtful', sign: '?' },
  'cannot-run': { words: 'cannot run here', tone: 'quiet', sign: '–' },
};

/**
 * @param {Reproduction} reproduction
 * @param {string} [path] of its directory, as a user of this machine would type it
 * @param {string | null} [resume] command that resumes it; null where it cannot be resumed
 * @returns {Document}
 */
export function describeReproduction(reproduction, path = reproduction.id, resume = null) {
  const { sources, judged, environment, assay, id, createdAt, command } = reproduction;
  const names = sources.length === 0 ? 'No claim' : sources.map((source) => source.id).join(', ');
  return {
    title: `Does ${names} hold here?`,
    eyebrow: `Assay reproduction · ${dayOf(createdAt)}`,
    marker: id,
    source: 'reproduction.json',
    sections: [
      summarySection(reproduction, resume),
      ...sources.map((source, index) => {
        const own = judged.filter(({ claim }) => claim.source === source.id);
        return sourceSection(source, own, index);
      }),
      statementSection(judged, sources.length),
      hostSection(environment, 'Node of Assay'),
      repeatSection(command, path, listStudyFacts(reproduction)),
    ],
    footer: [`Assay ${assay.version} · `, { code: id }],
  };
}

/** @type {(reproduction: Reproduction, resume: string | null) => Section} */
function summarySection({ judged, ended, command, wallMs, environment }, resume) {
  const { node, cpuCount, cpuModel } = environment;
  return {
    id: 'summary',
    title: 'Summary',
    untitled: ['terminal', 'markdown'],
    blocks: [
      paragraph(summarize(judged), 'lead'),
      paragraph(
        `Measured in ${formatDuration(wallMs)} by Assay under Node ${node.replace(/^v/, '')}, on ${cpuCount} × ${cpuModel}.`,
        'basis',
      ),
      ...(judged.length === 0 ? [] : [paragraph(LEGEND, 'quiet')]),
      ...(ended === 'complete'
        ? []
        : [
            paragraph(
              `Interrupted: some claims were not measured. ${resume === null ? `To start again: ${command}` : `To measure them: ${resume}`}`,
              'remark',
            ),
          ]),
    ],
  };
}

/** @type {(verdict: ClaimResult['verdict']) => Span} */
export function claimBadge(verdict) {
  const { words, sign, tone } = VERDICTS[verdict];
  return { badge: { sign, tone, text: words } };
}

/** @type {(judged: JudgedClaim[]) => string} `3 claims: 2 reproduced, 1 inconclusive.` */
function summarize(judged) {
  if (judged.length === 0) return 'No claim was measured.';
  return `${countOf(judged.length, 'claim')}: ${countVerdicts(judged.map(({ result }) => result))}.`;
}

/** @type {(results: Pick<ClaimResult, 'verdict'>[]) => string} `2 reproduced, 1 inconclusive` */
export function countVerdicts(results) {
  const counts = Object.entries(VERDICTS).flatMap(([verdict, { words }]) => {
    const count = results.filter((result) => result.verdict === verdict).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  return counts.join(', ');
}

/**
 * The claims of one source.
 *
 * @param {ClaimSource} source
 * @param {JudgedClaim[]} judged its claims
 * @param {number} index of the source
 * @returns {Section}
 */
function sourceSection({ id, title, reference, conditions }, judged, index) {
  const origin = paragraph(`${reference}. Reported conditions: ${conditions}.`, 'quiet');
  const blocks = (/** @type {boolean} */ hasPlots) =>
    /** @type {Block[]} */ ([origin, claimTable(id, judged, hasPlots), remarkList(judged)]);
  return {
    id: `source-${index + 1}`,
    title: `${id}: ${title}`,
    order: 2 + index,
    blocks: judged.length === 0 ? [] : blocks(true),
    short: judged.length === 0 ? [] : blocks(false),
  };
}

/** @type {(source: string, judged: JudgedClaim[], hasPlots: boolean) => Block} */
function claimTable(source, judged, hasPlots) {
  const isPlotted = judged.some(
    ({ result }) => result.claimed !== null || result.measured !== null,
  );
  /** @type {Column[]} */
  const plots = hasPlots && isPlotted ? [{ title: 'plot', kind: 'plot' }] : [];
  return {
    kind: 'table',
    name: 'claims',
    label: `Claims of ${source}`,
    columns: [
      { title: 'claim', kind: 'name', sortable: true },
      { title: 'result', sortable: true },
      { title: 'claimed', align: 'right', sortable: true },
      { title: 'here', align: 'right', sortable: true },
      // All comparisons are asked without another level.
      figureColumn(`${formatConfidence(USUAL.alpha)} interval`),
      ...plots,
      figureColumn('reported as'),
      { title: 'cell', kind: 'prose', only: ['markdown', 'html'] },
    ],
    rows: judged.map((one) => claimRow(one, plots.length > 0)),
  };
}

/** @type {(judged: JudgedClaim, isPlotted: boolean) => Row} */
function claimRow(judged, isPlotted) {
  const { claim, result } = judged;
  const { tone } = VERDICTS[result.verdict];
  const name = nameWithin(claim);
  const mark = claim.contradiction === undefined ? [] : [' *'];
  return [
    { value: [{ code: name }, ...mark], sort: name },
    { value: claimBadge(result.verdict), sort: result.verdict },
    { value: formatRatio(result.claimed), sort: result.claimed },
    {
      value: { strong: formatRatio(result.measured?.estimate) },
      sort: result.measured?.estimate ?? null,
    },
    formatInterval(result.measured),
    ...(isPlotted ? [plotOf(judged, tone)] : []),
    describeFigure(claim.figure),
    { code: `${claim.operation} ${claim.corpus}` },
  ];
}

/** @param {JudgedClaim} judged @param {Tone} tone */
function plotOf({ claim: { tolerance }, result: { claimed, measured } }, tone) {
  /** @type {RatioInterval | undefined} */
  const expected =
    claimed === null
      ? undefined
      : { estimate: claimed, low: claimed / tolerance, high: claimed * tolerance };
  return { range: measured ?? undefined, tone, expected };
}

/**
 * Why claims have no result, and where a source contradicts itself.
 * @type {(judged: JudgedClaim[]) => Block}
 */
function remarkList(judged) {
  return list(
    judged.flatMap(({ claim, result: { reason } }) => {
      const name = { code: nameWithin(claim) };
      return [...(reason === null ? [] : [[name, `: ${reason}`]]), ...contradictions([claim])];
    }),
  );
}

/** @type {(claims: Claim[]) => Inline[]} one a claim whose source contradicts itself */
export function contradictions(claims) {
  return claims.flatMap((claim) =>
    claim.contradiction === undefined
      ? []
      : [
          [
            '* ',
            { code: nameWithin(claim) },
            `: the source contradicts itself: ${claim.contradiction}`,
          ],
        ],
  );
}

/** @type {(judged: JudgedClaim[], sourceCount: number) => Section} */
function statementSection(judged, sourceCount) {
  return {
    id: 'statements',
    title: 'What is claimed',
    order: 2 + sourceCount,
    folded: ['terminal', 'markdown', 'html'],
    blocks: [
      list(
        judged.map(({ claim }) => [
          { code: nameWithin(claim) },
          ', ',
          { code: claim.candidate },
          ' against ',
          { code: claim.baseline },
          `: ${claim.statement}`,
        ]),
      ),
    ],
  };
}

/** @type {(claim: Claim) => string} its name within its source */
export function nameWithin({ id }) {
  return id.slice(id.indexOf('/') + 1);
}

/** @type {(figure: ReportedFigure) => string} as the source gives it: `216 → 99 normalized throughput`, `slower` */
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

/** @param {number} percent */
function formatPercent(percent) {
  const sign = percent < 0 ? MINUS : percent > 0 ? '+' : '';
  return `${sign}${formatNumber(Math.abs(percent))}\u00a0%`;
}

/** @type {(value: number) => string} all its digits, those before the point in threes */
function formatNumber(value) {
  const [whole = '', decimals] = String(value).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '\u00a0');
  return decimals === undefined ? grouped : `${grouped}.${decimals}`;
}
