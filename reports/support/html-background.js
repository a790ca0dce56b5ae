/** What a stranger needs to judge a run: host and method. */

/** @import { Manifest, Verdict } from '../../harness/types.ts' */
/** @import { Content } from './html-escape.js' */

import { factList, pageSection } from './html-blocks.js';
import { markup } from './html-escape.js';
import { formatConfidence, formatDuration, formatShare, formatSize, isFigure } from './numbers.js';

/**
 * Host fingerprint, and what disturbed the run.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {Content}
 */
export function hostPart({ environment }, { hostNoise }) {
  const known = (/** @type {unknown} */ value) => (value === null ? 'unknown' : String(value));
  const limit = environment.cgroupCpuLimit;
  const throttled = isFigure(hostNoise.throttledMs)
    ? formatDuration(hostNoise.throttledMs)
    : 'unknown';
  return pageSection('host', 'Host', [
    factList([
      ['Node', `${environment.node}, V8 ${environment.v8}`],
      ['system', `${environment.os}, kernel ${environment.kernel}, ${environment.arch}`],
      ['processor', `${environment.cpuCount} × ${environment.cpuModel}`],
      ['memory', formatSize(environment.memoryBytes)],
      ['virtualization', environment.virtualization ?? 'none found'],
      ['frequency governor', known(environment.governor)],
      ['autogroup scheduling', known(environment.autogroup)],
      ['CPU limit of the control group', limit === null ? 'none' : `${limit} CPUs`],
      [
        'before the first job',
        `load ${environment.loadAverage}, runnable processes ${known(environment.runnableProcesses)}`,
      ],
      [
        'while measuring',
        `CPU time stolen ${formatShare(hostNoise.stealShare)}, used by others ${formatShare(hostNoise.othersShare)}, throttled ${throttled}`,
      ],
    ]),
  ]);
}

/**
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {Content}
 */
export function methodPart({ question, settings }, { explanation }) {
  const margin = formatShare(question.minimumEffect);
  const confidence = formatConfidence(question.alpha);
  const sentences = [
    'Before any timing, both variants had to produce the same output as the reference for every document of every cell.',
    `Each observation is a fresh process, one at a time, that warms up and then times ${settings.batchCount} batches; baseline, candidate and control (the baseline again, under another name) run in random mirrored blocks.`,
    `The ratio is the difference of the 20 % trimmed means of log process medians, with a Yuen–Welch interval that holds with ${confidence} over all the looks at ${question.looks.join(', ')} processes a side.`,
    `A cell is equivalent when the interval lies within the minimum effect of ${margin}, faster or slower when it excludes 1 after Holm’s correction over all cells, strong when all of it lies beyond the minimum effect, and otherwise inconclusive.`,
    'A verdict is untrusted when the control shows a difference that could have made it; “detects” is the smallest effect that this many processes find with 80 % power.',
  ];
  const profiling =
    'Profiles come from a second pass of processes that were not timed for the verdict. The shares of each are scaled to the time per document of its side, so that the changes of all functions sum to the timed difference.';
  return pageSection('method', 'Method', [
    ...[...sentences, ...(explanation === undefined ? [] : [profiling])].map(
      (sentence) => markup`<p>${sentence}</p>`,
    ),
  ]);
}
