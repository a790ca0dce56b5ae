/** The report on benchmark tools that were given the same task. */

/** @import { PeerPoint, PeerSummary, PeerTool, PeersComparison } from '../../harness/formats/types.ts' */
/** @import { Column, Document, Section, Table } from '../document/model.ts' */

import { formatCount, formatDuration, formatShare, NO_FIGURE } from '../../harness/lib/numbers.js';
import { summarizePeers } from '../../harness/stats/calibration/peers.js';
import { DETAIL, paragraph } from './build.js';
import { scatterFigure } from '../figures/scatter.js';
import { hostSection, listStudyFacts, repeatSection, summarySection } from './environment.js';
import { costSection } from './calibration/errors.js';
import {
  formatCountOf,
  formatDeviation,
  formatDeviationInterval,
  formatProportion,
  formatProportionInterval,
} from './shares.js';

/** @type {Column} */
const TOOL_COLUMN = { title: 'tool', kind: 'name' };

/**
 * @param {PeersComparison} peers
 * @param {string} [path] of its directory, as a user of this machine would type it
 * @returns {Document}
 */
export function describePeers(peers, path = peers.id) {
  const summaries = summarizePeers(peers);
  const { environment, assay, id, createdAt, command, tools, costs, variant, cell } = peers;
  return {
    title: 'Benchmark tools on the same task',
    eyebrow: `Assay peers · ${createdAt.slice(0, 10)}`,
    marker: id,
    source: 'peers.json',
    sections: [
      summarySection([summarizeErrors(peers, summaries)], peers),
      sameSection(peers, summaries),
      foundSection(summaries),
      detailSection(summaries),
      costs.length === 0 ? { id: 'costs', title: 'Costs', blocks: [] } : costSection(costs),
      toolSection(tools),
      hostSection(environment),
      repeatSection(command, path, [
        ...listStudyFacts(peers),
        ['compared with itself', { code: variant }],
        ['task', { code: cell.id }],
        ['a comparison', `${peers.budgetSeconds} s, both arms together`],
        ['comparisons', `${formatCount(peers.trials.length)} in random order, seed ${peers.seed}`],
      ]),
    ],
    footer: [`Assay ${assay.version} · `, { code: id }],
  };
}

/** @type {(peers: PeersComparison, summaries: PeerSummary[]) => string} */
function summarizeErrors({ cell, budgetSeconds }, summaries) {
  const shares = summaries
    .filter(({ falsePositives }) => falsePositives.of > 0)
    .map(({ tool, falsePositives }) => {
      const { count, of } = falsePositives;
      return `${tool} in ${count} of ${of} (${formatProportion(falsePositives)})`;
    });
  if (shares.length === 0) return 'No A/A comparison finished.';
  return `The same code under two names (${cell.id}, ${budgetSeconds} s per comparison) was called different by ${shares.join(', ')}.`;
}

/** @type {(peers: PeersComparison, summaries: PeerSummary[]) => Section} */
function sameSection(peers, summaries) {
  return {
    id: 'same',
    title: 'The same code under two names',
    rank: 1,
    blocks: [
      ...scatterFigure(peers),
      {
        kind: 'table',
        caption: 'A/A comparisons: none of them should find a difference.',
        columns: [
          TOOL_COLUMN,
          { title: 'different', align: 'right' },
          { title: 'share', align: 'right' },
          { title: '95 % interval', align: 'right' },
          { title: 'order effect', align: 'right' },
          { title: '95 % interval', align: 'right' },
          { title: 'scatter', align: 'right' },
          { title: 'time', align: 'right' },
          { title: 'failed', align: 'right' },
        ],
        rows: summaries.map(({ tool, falsePositives, orderEffect, spread, wallMs, failures }) => [
          { code: tool },
          formatCountOf(falsePositives),
          formatProportion(falsePositives),
          formatProportionInterval(falsePositives),
          formatDeviation(orderEffect?.estimate),
          formatDeviationInterval(orderEffect),
          formatShare(spread),
          formatDuration(wallMs),
          formatCount(failures),
        ]),
        legend:
          'Order effect: how much larger the ratio is when the baseline runs first; its interval should contain 0. Scatter: standard deviation of the A/A ratios. Time: mean per comparison.',
      },
    ],
  };
}

/** @type {(summaries: PeerSummary[]) => Section} */
function foundSection(summaries) {
  const tables = [
    tableByCost(
      summaries,
      'Comparisons called slower, which is right, by injected cost.',
      ({ found }) => formatProportion(found),
    ),
    tableByCost(summaries, 'Bias by injected cost: ratio ÷ verified ratio, minus 1.', ({ bias }) =>
      formatDeviation(bias?.estimate),
    ),
  ].filter(({ rows }) => rows.length > 0);
  const remark =
    'A tool that calls everything different finds every cost. Read these figures together with the false positives above.';
  return {
    id: 'found',
    title: 'An injected cost',
    rank: 2,
    blocks: tables.length === 0 ? [] : [paragraph(remark), ...tables],
  };
}

/**
 * @param {PeerSummary[]} summaries
 * @param {string} caption
 * @param {(point: PeerPoint) => string} describe
 * @returns {Table} without rows where no cost was injected
 */
function tableByCost(summaries, caption, describe) {
  const injected = summaries.flatMap(({ points }) => points.map((point) => point.injected));
  const costs = [...new Set(injected)].sort((a, b) => a - b);
  return {
    kind: 'table',
    caption,
    columns: [
      TOOL_COLUMN,
      ...costs.map((cost) => ({
        title: formatShare(cost),
        align: /** @type {const} */ ('right'),
      })),
    ],
    rows:
      costs.length === 0
        ? []
        : summaries.map(({ tool, points }) => [
            { code: tool },
            ...costs.map((cost) => {
              const point = points.find((one) => one.injected === cost);
              return point === undefined ? NO_FIGURE : describe(point);
            }),
          ]),
  };
}

/** @type {(summaries: PeerSummary[]) => Section} */
function detailSection(summaries) {
  return {
    id: 'each-cost',
    title: 'Each cost with its intervals',
    rank: 99,
    folded: DETAIL,
    blocks: [
      {
        kind: 'table',
        caption: 'Verdicts of each tool on each cost. Slower is right, faster has the wrong sign.',
        columns: [
          TOOL_COLUMN,
          { title: 'cost', align: 'right' },
          { title: 'verified', align: 'right' },
          { title: 'slower', align: 'right' },
          { title: 'share', align: 'right' },
          { title: '95 % interval', align: 'right' },
          { title: 'faster', align: 'right' },
          { title: 'bias', align: 'right' },
          { title: '95 % interval', align: 'right' },
        ],
        rows: summaries.flatMap(({ tool, points }) =>
          points.map(({ injected, truth, found, wrongSign, bias }) => [
            { code: tool },
            formatShare(injected),
            formatShare(truth - 1),
            formatCountOf(found),
            formatProportion(found),
            formatProportionInterval(found),
            formatCount(wrongSign.count),
            formatDeviation(bias?.estimate),
            formatDeviationInterval(bias),
          ]),
        ),
      },
    ],
  };
}

/** How each tool was read. @type {(tools: PeerTool[]) => Section} */
function toolSection(tools) {
  const hasAbsent = tools.some(({ cannotRun }) => cannotRun !== undefined);
  return {
    id: 'tools',
    title: 'When each tool reports a difference',
    rank: 5,
    blocks: [
      {
        kind: 'table',
        caption:
          'Each tool ran as its documentation recommends for comparing two functions, and this rule was applied to its figures. The command runs the comparisons of one tool alone.',
        columns: [
          TOOL_COLUMN,
          { title: 'version', kind: 'name' },
          { title: 'different when', kind: 'prose' },
          { title: 'alone', kind: 'prose' },
          .../** @type {Column[]} */ (hasAbsent ? [{ title: 'did not run', kind: 'prose' }] : []),
        ],
        rows: tools.map(({ name, version, rule, command, cannotRun }) => [
          { code: name },
          version,
          rule,
          { code: command },
          cannotRun === undefined ? '' : { tone: 'doubtful', text: cannotRun },
        ]),
      },
    ],
  };
}
