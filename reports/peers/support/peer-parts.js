/** The sections of the report on benchmark tools. */

/** @import { PeerPoint, PeersComparison, PeerSummary } from '../../../harness/formats/types.ts' */
/** @import { PartColumn, PartTable, ReportPart } from '../../calibration/types.ts' */

import { makeCostPart } from '../../calibration/support/background-parts.js';
import {
  formatCountOf,
  formatDeviation,
  formatDeviationInterval,
  formatProportion,
  formatProportionInterval,
} from '../../calibration/support/share-words.js';
import {
  formatCount,
  formatDuration,
  formatShare,
  NO_FIGURE,
} from '../../../harness/lib/numbers.js';

/** @type {PartColumn} */
const TOOL_COLUMN = { title: 'tool', align: 'left', kind: 'name' };

/**
 * @param {PeersComparison} peers
 * @param {PeerSummary[]} summaries of its trials
 * @returns {ReportPart[]}
 */
export function listPeerParts({ costs }, summaries) {
  return [
    {
      id: 'same',
      title: 'The same code under two names',
      sentences: [
        'Order effect: how much larger the ratio comes out when the baseline ran first, with its 95 % interval; it should hold 0. Scatter: standard deviation of the A/A ratios. Time: mean of a comparison.',
      ],
      tables: [tabulateSame(summaries)],
    },
    {
      id: 'found',
      title: 'An injected cost',
      sentences: [
        'A tool that calls everything different finds every cost: read this beside the false positives above.',
      ],
      tables: listFoundTables(summaries),
    },
    makeDetailPart(summaries),
    ...(costs.length === 0 ? [] : [makeCostPart(costs)]),
  ];
}

/**
 * @param {PeerSummary[]} summaries
 * @returns {PartTable}
 */
function tabulateSame(summaries) {
  return {
    caption: 'A/A comparisons, each of which should be called no difference.',
    columns: [
      TOOL_COLUMN,
      { title: 'different', align: 'right' },
      { title: 'share', align: 'right' },
      { title: '95 % interval', align: 'right', dropRank: 1 },
      { title: 'order effect', align: 'right' },
      { title: 'its interval', align: 'right', dropRank: 2 },
      { title: 'scatter', align: 'right' },
      { title: 'time', align: 'right' },
      { title: 'failed', align: 'right', dropRank: 3 },
    ],
    rows: summaries.map(({ tool, falsePositives, orderEffect, spread, wallMs, failures }) => [
      tool,
      formatCountOf(falsePositives),
      formatProportion(falsePositives),
      formatProportionInterval(falsePositives),
      formatDeviation(orderEffect?.estimate),
      formatDeviationInterval(orderEffect),
      formatShare(spread),
      formatDuration(wallMs),
      formatCount(failures),
    ]),
  };
}

/**
 * @param {PeerSummary[]} summaries
 * @returns {PartTable[]} without rows where no cost was injected
 */
function listFoundTables(summaries) {
  return [
    tabulateByCost(summaries, 'Comparisons called slower, which is right, by cost.', ({ found }) =>
      formatProportion(found),
    ),
    tabulateByCost(summaries, 'Bias by cost: ratio over the verified truth, minus 1.', ({ bias }) =>
      formatDeviation(bias?.estimate),
    ),
  ];
}

/**
 * @param {PeerSummary[]} summaries
 * @returns {ReportPart}
 */
function makeDetailPart(summaries) {
  return {
    id: 'each-cost',
    title: 'Each cost with its intervals',
    sentences: ['Slower is right, faster has the wrong sign.'],
    isDetail: true,
    tables: [
      {
        caption: 'What each tool said of each cost, with intervals of 95 %.',
        columns: [
          TOOL_COLUMN,
          { title: 'cost', align: 'right' },
          { title: 'verified', align: 'right' },
          { title: 'slower', align: 'right' },
          { title: 'share', align: 'right' },
          { title: 'interval', align: 'right' },
          { title: 'faster', align: 'right' },
          { title: 'bias', align: 'right' },
          { title: 'interval', align: 'right' },
        ],
        rows: summaries.flatMap(({ tool, points }) =>
          points.map(({ injected, truth, found, wrongSign, bias }) => [
            tool,
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

/**
 * @param {PeerSummary[]} summaries
 * @param {string} caption
 * @param {(point: PeerPoint) => string} describe
 * @returns {PartTable} a row a tool and cost
 */
function tabulateByCost(summaries, caption, describe) {
  const costs = [
    ...new Set(summaries.flatMap(({ points }) => points.map(({ injected }) => injected))),
  ].sort((a, b) => a - b);
  return {
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
            tool,
            ...costs.map((cost) => {
              const point = points.find(({ injected }) => injected === cost);
              return point === undefined ? NO_FIGURE : describe(point);
            }),
          ]),
  };
}
