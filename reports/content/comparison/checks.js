/** What a careful reader checks: other placements, notes, differences in output, failed jobs. */

import {
  countOf,
  formatConfidence,
  formatCount,
  formatInterval,
  formatRatio,
} from '../../../harness/lib/numbers.js';
import { listVariants } from '../../../harness/stats/plan.js';
import { figureColumns, list, noteLeftOut, separate } from '../build.js';
import { formatSpread } from '../shares.js';

/** @import { Difference, FailedJob, Manifest, PlacementComparison, Verdict } from '../../../harness/formats/types.ts' */
/** @import { Block, Inline, Section } from '../../document/model.ts' */

const MAX_DIFFERENCE_COUNT = 20;
const MAX_FAILED_COUNT = 10;
const MAX_VALUE_LENGTH = 400;

/** @type {(verdict: Verdict) => Section} */
export function makeNotesSection({ warnings, memory, explanation }) {
  const all = [...warnings, ...(memory?.warnings ?? []), ...(explanation?.warnings ?? [])];
  return {
    id: 'notes',
    title: 'Notes',
    order: 6,
    blocks: [
      // Elsewhere the sections on memory and on causes have their own.
      { kind: 'notes', notes: warnings, only: ['terminal', 'markdown'] },
      { kind: 'notes', notes: all, only: ['html'] },
    ],
  };
}

/**
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @param {number} [most] differences that are shown
 * @returns {Section} where outputs are not the reference's; not folded when that ended the run
 */
export function makeDifferencesSection(
  { variants, question },
  { differences, ended },
  most = MAX_DIFFERENCE_COUNT,
) {
  const shown = differences.slice(0, most);
  return {
    id: 'differences',
    title: `Differences from the reference (${formatCount(differences.length)})`,
    order: 7,
    folded: ended === 'refused' ? undefined : ['markdown'],
    blocks:
      differences.length === 0
        ? []
        : [
            {
              kind: 'paragraph',
              text: [
                'The reference is ',
                { code: variants.reference.spec },
                '. ',
                ...describeAgreement(listVariants(question), differences),
                ' Another reference: ',
                { code: '--reference VARIANT' },
                '.',
              ],
            },
            list(
              shown.map(({ variant, cellId, document, path, expected, found }) => ({
                text: [
                  { code: variant },
                  ': ',
                  { code: cellId },
                  `, document ${document}, `,
                  { code: path },
                ],
                items: [
                  ['expected ', showValue(expected)],
                  { tone: 'bad', text: ['found ', showValue(found)] },
                ],
              })),
            ),
            ...noteLeftOut(differences.length - shown.length, 'differences'),
          ],
  };
}

/**
 * Whether the variants agree where one of them differs from the reference.
 *
 * @param {string[]} variants specs
 * @param {Difference[]} differences at least one
 * @returns {Inline[]} a sentence
 */
function describeAgreement(variants, differences) {
  const differing = new Set(differences.map(({ variant }) => variant));
  const right = variants.filter((spec) => !differing.has(spec));
  const nameAll = (/** @type {string[]} */ specs) =>
    separate(
      specs.map((code) => ({ code })),
      ' and ',
    );
  if (right.length > 0) {
    const verbs = [differing.size, right.length].map((count) => (count === 1 ? 's' : ''));
    return [
      nameAll([...differing]),
      ` differ${verbs[0]} from it, and `,
      nameAll(right),
      ` agree${verbs[1]} with it.`,
    ];
  }
  const isOne = differences.every(({ sameAs = [] }) => sameAs.length === variants.length - 1);
  return isOne
    ? [
        'All variants agree with each other and differ from it, so that it may be the reference that is wrong.',
      ]
    : ['All variants differ from it, and from each other.'];
}

/** @type {(value: string) => Inline} */
function showValue(value) {
  if (value.length <= MAX_VALUE_LENGTH) return { code: value };
  return [{ code: `${value.slice(0, MAX_VALUE_LENGTH)}…` }, ' (complete in verdict.json)'];
}

/** @type {(verdict: Verdict) => Section} each failed job with the last lines that its worker wrote */
export function makeFailedJobsSection({ failedJobs }) {
  const shown = failedJobs.slice(0, MAX_FAILED_COUNT);
  return {
    id: 'failed-jobs',
    title: `Failed jobs (${formatCount(failedJobs.length)})`,
    order: 9,
    folded: ['markdown'],
    blocks: [
      ...shown.flatMap((job) => describeFailedJob(job)),
      ...noteLeftOut(failedJobs.length - shown.length, 'failed jobs'),
    ],
  };
}

/**
 * @param {FailedJob} job
 * @returns {Block[]} `serialize deep/000/0/candidate: ended by SIGKILL; gave up after 3 failed attempts`
 */
function describeFailedJob({ jobId, failedAttempts, measured, failure }) {
  const attempts = countOf(failedAttempts, 'failed attempt');
  const ending = measured ? 'succeeded after' : 'gave up after';
  /** @type {Block} */
  const paragraph = {
    kind: 'paragraph',
    text: [{ code: jobId }, `: ${failure.detail}; ${ending} ${attempts}`],
  };
  if (failure.lastLines.length === 0) return [paragraph];
  return [paragraph, { kind: 'output', text: failure.lastLines.join('\n') }];
}

/** @type {(verdict: Verdict) => Section} with a row for every cell that was measured in other placements */
export function makePlacementSection({ cells }) {
  return {
    id: 'placement',
    title: 'Other placements of the same code',
    order: 3,
    blocks: [
      {
        kind: 'table',
        caption: 'Copies of each arm whose code is elsewhere in memory.',
        label: 'Ratios in other placements',
        columns: [
          { title: 'cell', kind: 'name' },
          ...figureColumns('ratio', 'interval', 'spread', 'placements × figures'),
        ],
        rows: cells.flatMap(({ cell, placement }) => {
          if (placement === undefined) return [];
          const { ratio, interval, spread, placements } = describePlacement(placement);
          return [[{ code: cell.id }, ratio, interval, spread, placements]];
        }),
        legend:
          'The interval counts each placement as one sample; in brackets is its confidence, which differs between looks. Spread: the standard deviation between placements of the same code, beyond that between its processes. Placements × figures: placements of each arm, and the fewest figures of one.',
      },
    ],
  };
}

/**
 * @param {PlacementComparison} placement
 * @returns {{ ratio: string, interval: string, spread: string, placements: string }} copies of
 *   each arm, and figures of each
 */
export function describePlacement({ ratio, confidence, spread, placements, figures }) {
  const level = confidence === undefined ? '' : ` (${formatConfidence(1 - confidence)})`;
  return {
    ratio: formatRatio(ratio.estimate),
    interval: `${formatInterval(ratio)}${level}`,
    spread: formatSpread(spread),
    placements: `${placements} × ${figures}`,
  };
}
