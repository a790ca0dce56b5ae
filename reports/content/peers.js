/** The report on benchmark tools that were given the same task. */

/** @import { PeerSummary, PeerTool, PeersComparison } from '../../harness/formats/types.ts' */
/** @import { Column, Document, Section, Table } from '../document/model.ts' */

import { formatCount, formatDuration, formatShare, NO_FIGURE } from '../../harness/lib/numbers.js';
import { PEER_COSTS, summarizePeers } from '../../harness/stats/calibration/peers.js';
import { dayOf } from '../../harness/lib/words.js';
import { DETAIL, figureColumn, figureColumns, section } from './build.js';
import { scatterFigure } from '../figures/scatter.js';
import { hostSection, listStudyFacts, repeatSection, summarySection } from './environment.js';
import { costSection } from './calibration/errors.js';
import {
  formatCountOf,
  formatDeviation,
  formatDeviationInterval,
  formatEstimate,
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
    eyebrow: `Assay peers · ${dayOf(createdAt)}`,
    marker: id,
    source: 'peers.json',
    sections: [
      summarySection([summarizeErrors(peers, summaries), ...summarizePower(summaries)], peers),
      errorSection(peers, summaries),
      detailSection(summaries),
      costs.length === 0 ? section('costs', 'Costs', []) : costSection(costs),
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
  const finished = summaries.filter(({ falsePositives }) => falsePositives.of > 0);
  if (finished.length === 0) return 'No A/A comparison finished.';
  const shares = finished.map(({ tool, falsePositives }) => {
    const { count, of } = falsePositives;
    return `${tool} in ${count} of ${of} (${formatProportion(falsePositives)})`;
  });
  return `The same code under two names (${cell.id}, ${budgetSeconds} s per comparison) was called different by ${shares.join(', ')}.`;
}

/** @type {(summaries: PeerSummary[]) => string[]} a sentence for each cost */
function summarizePower(summaries) {
  return PEER_COSTS.flatMap((cost) => {
    const counts = summaries.flatMap(({ tool, points }) => {
      const found = points.find(({ injected }) => injected === cost)?.found;
      return found === undefined ? [] : `${tool} in ${found.count} of ${found.of}`;
    });
    if (counts.length === 0) return [];
    return `An injected cost of ${formatShare(cost)} was found by ${counts.join(', ')}.`;
  });
}

/** @type {(peers: PeersComparison, summaries: PeerSummary[]) => Section} */
function errorSection(peers, summaries) {
  return {
    id: 'same',
    title: 'False positives and power',
    order: 1,
    blocks: [verdictTable(summaries), ...scatterFigure(peers), noiseTable(summaries)],
  };
}

/** @type {(summaries: PeerSummary[]) => Table} */
function verdictTable(summaries) {
  return {
    kind: 'table',
    caption: 'Verdicts of each tool on comparisons with a known truth, with 95 % intervals.',
    columns: [
      TOOL_COLUMN,
      figureColumn('same code: different'),
      ...figureColumns(...PEER_COSTS.map((cost) => `${formatShare(cost)} cost: slower`)),
    ],
    rows: summaries.map(({ tool, falsePositives, points }) => [
      { code: tool },
      formatEstimate(falsePositives),
      ...PEER_COSTS.map((cost) => {
        const point = points.find(({ injected }) => injected === cost);
        return point === undefined ? NO_FIGURE : formatEstimate(point.found);
      }),
    ]),
    legend:
      'Different is wrong for the same code; slower is right for an injected cost. Read the columns together: a tool that never reports a difference has no false positives, and one that always does finds every cost.',
  };
}

/** @type {(summaries: PeerSummary[]) => Table} */
function noiseTable(summaries) {
  return {
    kind: 'table',
    caption: 'Ratios of A/A comparisons.',
    columns: [
      TOOL_COLUMN,
      ...figureColumns('order effect', '95 % interval', 'scatter', 'time', 'failed'),
    ],
    rows: summaries.map(({ tool, orderEffect, spread, wallMs, failures }) => [
      { code: tool },
      formatDeviation(orderEffect?.estimate),
      formatDeviationInterval(orderEffect),
      formatShare(spread),
      formatDuration(wallMs),
      formatCount(failures),
    ]),
    legend:
      'Order effect: how much larger the ratio is when the baseline runs first; its interval should contain 0. Scatter: standard deviation of the ratios. Time: mean per comparison. Failed: comparisons without figures, of any kind.',
  };
}

/** @type {(summaries: PeerSummary[]) => Section} */
function detailSection(summaries) {
  return {
    id: 'each-cost',
    title: 'Each cost with its intervals',
    order: 99,
    folded: DETAIL,
    blocks: [
      {
        kind: 'table',
        caption: 'Verdicts of each tool on each cost. Slower is right, faster has the wrong sign.',
        columns: [
          TOOL_COLUMN,
          ...figureColumns(
            'cost',
            'verified',
            'slower',
            'share',
            '95 % interval',
            'faster',
            'bias',
            '95 % interval',
          ),
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
    order: 5,
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
