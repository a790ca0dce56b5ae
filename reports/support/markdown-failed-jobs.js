/** The jobs that failed, as Markdown. */

/** @import { Verdict } from '../../harness/formats/types.ts' */

import { codeBlock, escapeProse } from '../../harness/lib/escape.js';
import { folded } from './markdown-table.js';
import { formatCount } from '../../harness/lib/numbers.js';
import { failedJobLabel } from './verdict-words.js';

const LARGEST_FAILED_COUNT = 10;

/**
 * Each failed job with the last lines that its worker wrote.
 *
 * @param {Verdict} verdict
 * @returns {string} empty where every job measured at once
 */
export function failedJobList({ failedJobs }) {
  if (failedJobs.length === 0) return '';
  const blocks = failedJobs.slice(0, LARGEST_FAILED_COUNT).map((job) => {
    const { lastLines } = job.failure;
    const said = lastLines.length === 0 ? [] : [codeBlock(lastLines.join('\n'), 'text')];
    return [escapeProse(failedJobLabel(job)), ...said].join('\n\n');
  });
  const rest = failedJobs.length - LARGEST_FAILED_COUNT;
  if (rest > 0) blocks.push(`And ${formatCount(rest)} more, all in verdict.json.`);
  return folded(`Failed jobs (${formatCount(failedJobs.length)})`, blocks.join('\n\n'));
}
