/** Which of several variants are the fastest, workload by workload. */

/** @import { CellComparison, ContractRow, Manifest, Standing, Verdict } from '../../../harness/formats/types.ts' */
/** @import { Cell, Column, Inline, Section, Table } from '../../document/model.ts' */

import { group } from 'd3-array';
import {
  formatConfidence,
  formatInterval,
  formatRatio,
  formatShare,
  formatTime,
  NO_FIGURE,
} from '../../../harness/lib/numbers.js';
import { listAllLooks, sharedIdOf } from '../../../harness/stats/plan.js';
import { VERDICTS } from '../../../harness/stats/verdicts.js';
import { separate } from '../build.js';
import { timeLabel } from './cells.js';
import { countColumns, isMeasured } from './counts.js';
import { listSpecs, verdictBadge } from './words.js';

/** @typedef {CellComparison & { standing: Standing }} Ranked */
/** @typedef {Column & { draw: (comparison: CellComparison) => Cell }} DrawnColumn */

/** Workloads that have a sentence each. */
const MAX_SENTENCES = 3;

/** @type {(manifest: Manifest, verdict: Verdict) => Section} */
export function makeRankingSection(manifest, verdict) {
  return {
    id: 'ranking',
    title: 'Ranking',
    order: 2,
    untitled: ['terminal', 'markdown', 'html'],
    blocks: [tabulateRanking(manifest, verdict)],
  };
}

/**
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @param {{ isShort?: boolean }} [form] with six columns, for a comment on a pull request
 * @returns {Table}
 */
export function tabulateRanking(manifest, verdict, { isShort = false } = {}) {
  const { question, contracts } = manifest;
  const differs =
    !isShort && Object.values(contracts).some((rows) => countKept(rows) < rows.length);
  const hasNotes = !isShort && verdict.cells.some(({ warnings }) => warnings.length > 0);
  const counts = countColumns(verdict);
  /** @type {(DrawnColumn | false)[]} */
  const all = [
    {
      title: 'workload',
      kind: 'group',
      draw: ({ cell }) => ({ code: sharedIdOf(cell) }),
    },
    {
      title: 'variant',
      kind: 'name',
      draw: (comparison) => ({ code: specOf(question, comparison) }),
    },
    {
      title: question.mode === 'screen' ? 'screen verdict' : 'verdict',
      draw: (comparison) => verdictBadge(comparison, question.mode),
    },
    differs && {
      title: 'contract',
      hint: 'Promises of the behaviour contract that hold',
      draw: (comparison) => describeKept(contracts[specOf(question, comparison)]),
    },
    { title: 'time', align: 'right', draw: ({ candidateNs }) => formatTime(candidateNs) },
    {
      title: 'to fastest',
      hint: 'Its time divided by that of the fastest of the others',
      align: 'right',
      draw: ({ standing }) => formatRatio(standing?.ratio.estimate),
    },
    {
      title: `${formatConfidence(question.alpha)} interval`,
      align: 'right',
      draw: ({ standing }) => formatInterval(standing?.ratio),
    },
    !isShort && {
      title: 'plot',
      kind: 'plot',
      minimumEffect: question.minimumEffect,
      draw: ({ standing, verdict: word }) => ({
        range: standing?.ratio,
        tone: VERDICTS[word]?.tone ?? 'plain',
      }),
    },
    ...(isShort ? [] : counts.columns),
    hasNotes && { title: 'notes', draw: ({ warnings }) => ({ notes: warnings }) },
  ];
  const columns = all.filter((column) => column !== false);
  return {
    kind: 'table',
    name: 'cells',
    caption: [timeLabel(question), ', the fastest first.'],
    label: 'Ranking by workload',
    columns,
    rows: listWorkloads(verdict)
      .flatMap(sortByTime)
      .map((comparison) => columns.map(({ draw }) => draw(comparison))),
    legend: isShort ? undefined : `${explain(question)} ${counts.legend}`,
  };
}

/** @type {(rows: ContractRow[]) => number} */
function countKept(rows) {
  return rows.filter(({ outcome }) => outcome === 'holds').length;
}

/** @type {(rows: ContractRow[] | undefined) => Inline} `22 of 25`, a link to those that do not hold */
function describeKept(rows) {
  if (rows === undefined) return NO_FIGURE;
  return { link: 'contract', text: `${countKept(rows)} of ${rows.length}` };
}

/** @type {(question: Manifest['question']) => string} */
function explain({ alpha, minimumEffect }) {
  return `To fastest: time ÷ that of the fastest of the others; below 1 is faster than all. All intervals hold together with ${formatConfidence(alpha)} confidence. Among the best: no other variant is shown to be faster. Plot: the interval on a log scale, with marks at 1 and at the minimum effect of ${formatShare(minimumEffect)}. The code is that of one build each: its placement in memory may cause differences of a few per cent.`;
}

/** @type {(verdict: Verdict) => CellComparison[][]} variants by workload */
function listWorkloads({ cells }) {
  return [...group(cells, ({ cell }) => sharedIdOf(cell)).values()];
}

/** @type {(comparisons: CellComparison[]) => CellComparison[]} those without a time last */
function sortByTime(comparisons) {
  const timeOf = (/** @type {CellComparison} */ { candidateNs }) => candidateNs ?? Number.MAX_VALUE;
  return comparisons.toSorted((a, b) => timeOf(a) - timeOf(b));
}

/** @type {(question: Manifest['question'], comparison: CellComparison) => string} */
function specOf({ candidates }, { cell: { candidate = 0 } }) {
  return candidates[candidate];
}

/**
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {Inline[]} a sentence for each workload; of many workloads one for all
 */
export function rankingSentences({ question }, verdict) {
  const workloads = listWorkloads(verdict);
  if (workloads.length > MAX_SENTENCES) return [countBest(question, workloads)];
  return workloads.map((variants) => {
    const [{ cell }] = variants;
    return [
      { code: sharedIdOf(cell) },
      ': ',
      describeWorkload(question, sortByTime(variants)),
      '.',
    ];
  });
}

/**
 * @param {Manifest['question']} question
 * @param {CellComparison[]} variants of one workload, the fastest first
 * @returns {Inline} `a and b are the best (indistinguishable: within 1.2 % of each other); slower: c (by at least 31 %)`
 */
function describeWorkload(question, variants) {
  const ranked = variants.filter(isRanked);
  const best = ranked.filter(isAmongBest);
  const others = ranked.filter((variant) => !best.includes(variant));
  const isWord = (/** @type {string} */ word) => variants.filter(({ verdict }) => verdict === word);
  const [untrusted, refused] = ['untrusted', 'refused'].map(isWord);
  const specs = (/** @type {CellComparison[]} */ list) =>
    listSpecs(list.map((variant) => specOf(question, variant)));
  /** @type {Inline[]} */
  const parts = [
    ...(best.length === 0 ? [] : [describeBest(best, specs(best))]),
    ...(others.length === 0 ? [] : [describeOthers(question, others)]),
    ...(untrusted.length === 0 ? [] : [[specs(untrusted), ' untrusted']]),
    ...(refused.length === 0 ? [] : [[specs(refused), ' refused for wrong output']]),
  ];
  if (parts.length > 0) return separate(parts, '; ');
  return variants.some(isMeasured) ? 'too few figures for a ranking' : 'nothing was measured';
}

/** @type {(comparison: CellComparison) => comparison is Ranked} */
function isRanked({ standing, verdict }) {
  return standing !== undefined && verdict !== 'refused' && verdict !== 'untrusted';
}

/** @param {Ranked} comparison */
function isAmongBest({ standing }) {
  return standing.class !== 'not-the-best';
}

/** A factor beyond which it says nothing how far variants may be apart. */
const MAX_APART = 2;

/**
 * @param {Ranked[]} best at least one
 * @param {Inline} specs
 * @returns {Inline} which are the best, and how far several are from each other
 */
function describeBest(best, specs) {
  if (best[0].standing.class === 'best') return [specs, ' is the best'];
  const factor = Math.max(...best.map(({ standing: { ratio } }) => ratio.high));
  const apart = `within ${formatShare(factor - 1)} of each other`;
  if (best.every(isSettled)) return [specs, ` are the best (indistinguishable: ${apart})`];
  return ['not settled: the best of ', specs, factor > MAX_APART ? '' : ` (${apart})`];
}

/** @param {CellComparison} comparison */
function isSettled({ verdict }) {
  return verdict !== 'inconclusive';
}

/** @type {(question: Manifest['question'], others: Ranked[]) => Inline} `slower: b (by at least 10 %), c (31 %)` */
function describeOthers(question, others) {
  const phrases = others.map((variant, index) => {
    const size = formatShare(variant.standing.ratio.low - 1);
    return [{ code: specOf(question, variant) }, ` (${index === 0 ? 'by at least ' : ''}${size})`];
  });
  return ['slower: ', separate(phrases, ', ')];
}

/**
 * @param {Manifest['question']} question
 * @param {CellComparison[][]} workloads
 * @returns {Inline} `Best or among the best: a on 6 of 6 workloads, b on 2.`
 */
function countBest(question, workloads) {
  const counts = question.candidates
    .map((spec, number) => ({
      spec,
      count: workloads.filter((variants) =>
        variants.some(
          (variant) =>
            variant.cell.candidate === number &&
            isRanked(variant) &&
            isAmongBest(variant) &&
            isSettled(variant),
        ),
      ).length,
    }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count);
  const open = workloads.filter((variants) => !variants.every(isSettled)).length;
  const rest = open === 0 ? '' : `; not settled on ${open}`;
  if (counts.length === 0) return `No variant is known to be the best${rest}.`;
  const phrases = counts.map(({ spec, count }, index) => [
    { code: spec },
    ` on ${count}${index === 0 ? ` of ${workloads.length} workloads` : ''}`,
  ]);
  return ['Best or among the best: ', separate(phrases, ', '), `${rest}.`];
}

/** How variants are ranked, for the section on the method. @type {(question: Manifest['question']) => string[]} */
export function describeRankingRule(question) {
  const margin = formatShare(question.minimumEffect);
  const confidence = formatConfidence(question.alpha);
  return [
    `Each variant is compared with the fastest of the others (multiple comparisons with the best, Hsu 1996): differences of the 20 % trimmed means of the logarithms of these times, with Yuen–Welch errors and Bonferroni's correction for all pairs of variants. All intervals hold together with ${confidence} confidence, over all variants, workloads and looks (interim analyses) at ${listAllLooks(question).join(', ')} processes per variant.`,
    `A variant is not the best when another is shown to be faster; the others are among the best, or the best if there is one. A variant that is as fast as the best is excluded in at most ${formatShare(question.alpha)} of runs.`,
    `All variants of a workload are measured until each is either not the best, or known to be at most ${margin} (the minimum effect) slower than the best.`,
    "A verdict is untrusted when two halves of the variant's own processes differ enough to explain it. All verdicts are on the variants as built: other placements of their code in memory were not measured.",
  ];
}
