/** What a careful reader checks: the notes, differences in output, jobs that failed. */

/** @import { FailedJob, Manifest, Verdict } from '../../../harness/formats/types.ts' */
/** @import { Block, Inline, Section } from '../../document/model.ts' */

import { countOf, formatCount } from '../../../harness/lib/numbers.js';

const LARGEST_DIFFERENCE_COUNT = 20;
const LARGEST_FAILED_COUNT = 10;
const LARGEST_VALUE_LENGTH = 400;

/**
 * @param {Verdict} verdict
 * @returns {Section}
 */
export function makeNotesSection({ warnings, memory, explanation }) {
  const all = [...warnings, ...(memory?.warnings ?? []), ...(explanation?.warnings ?? [])];
  return {
    id: 'notes',
    title: 'Notes',
    rank: 6,
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
 * @returns {Section} where outputs are not the reference's; not folded when that ended the run
 */
export function makeDifferencesSection({ variants }, { differences, ended }) {
  const shown = differences.slice(0, LARGEST_DIFFERENCE_COUNT);
  return {
    id: 'differences',
    title: `Differences from the reference (${formatCount(differences.length)})`,
    rank: 7,
    ...(ended === 'refused' ? {} : { folded: ['markdown'] }),
    blocks:
      differences.length === 0
        ? []
        : [
            {
              kind: 'paragraph',
              text: ['The reference is ', { code: variants.reference.spec }, '.'],
            },
            {
              kind: 'list',
              items: shown.map(({ variant, cellId, document, path, expected, found }) => ({
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
            },
            ...remarkOnRest(differences.length - shown.length),
          ],
  };
}

/**
 * @param {string} value
 * @returns {Inline}
 */
function showValue(value) {
  if (value.length <= LARGEST_VALUE_LENGTH) return { code: value };
  return [{ code: `${value.slice(0, LARGEST_VALUE_LENGTH)}…` }, ' (complete in verdict.json)'];
}

/**
 * @param {Verdict} verdict
 * @returns {Section} each failed job with the last lines that its worker wrote
 */
export function makeFailedJobsSection({ failedJobs }) {
  const shown = failedJobs.slice(0, LARGEST_FAILED_COUNT);
  return {
    id: 'failed-jobs',
    title: `Failed jobs (${formatCount(failedJobs.length)})`,
    rank: 9,
    folded: ['markdown'],
    blocks: [
      ...shown.flatMap((job) => describeFailedJob(job)),
      ...remarkOnRest(failedJobs.length - shown.length),
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

/**
 * @param {number} count
 * @returns {Block[]}
 */
function remarkOnRest(count) {
  if (count <= 0) return [];
  return [{ kind: 'paragraph', text: `and ${formatCount(count)} more, all in verdict.json` }];
}
