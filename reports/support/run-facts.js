/** What a stranger needs to judge a run and to repeat it, the same in every report. */

/** @import { Manifest, Verdict } from '../../harness/formats/types.ts' */

import { describeAssay, listEnvironmentFacts } from './environment-facts.js';
import {
  countOf,
  formatConfidence,
  formatDuration,
  formatShare,
  isFigure,
} from '../../harness/lib/numbers.js';
import { isOfPrograms, listNodeFacts } from './runtime-facts.js';
import { listVariantFacts } from './variant-facts.js';
import { measuredLabel, partLabel } from './verdict-words.js';

/** @typedef {[name: string, text: string]} Fact */

/**
 * Seed, versions and settings.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {Fact[]}
 */
export function listRepeatFacts(manifest, verdict) {
  const { question, assay, settings } = manifest;
  const flags = question.nodeFlags.length === 0 ? 'none' : question.nodeFlags.join(' ');
  const budget =
    question.budgetSeconds === null ? 'none' : formatDuration(question.budgetSeconds * 1000);
  const part = partLabel(question);
  return [
    ['seed', String(question.seed)],
    ['mode', isOfPrograms(manifest) ? question.mode : `${question.mode}, node flags: ${flags}`],
    ...listNodeFacts(manifest),
    ...listVariantFacts(manifest.variants),
    ['Assay', describeAssay(assay)],
    ['run', manifest.runId],
    ...(part === null ? [] : [/** @type {Fact} */ (['of a plan', part])]),
    ['begun', manifest.createdAt],
    ['looks', `${question.looks.join(', ')} processes a side; time budget: ${budget}`],
    [
      'job',
      `warm-up of ${settings.warmUpMs} ms and ${countOf(settings.warmUpCalls, 'call')} at least, then ${countOf(settings.batchCount, 'batch', 'batches')} of ${settings.batchMs} ms`,
    ],
    ['measured', measuredLabel(verdict, manifest)],
  ];
}

/**
 * The hosts of a run: one, or one a part of a merged run.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {{ title: string | null, facts: Fact[] }[]} without a title for a run that was not merged
 */
export function listHosts(manifest, verdict) {
  const isOtherNode = manifest.runtimes.length > 0 || isOfPrograms(manifest);
  const nodeTitle = isOtherNode ? 'Node of Assay' : 'Node';
  if (manifest.parts === undefined) {
    return [{ title: null, facts: listHostFacts(manifest, verdict, nodeTitle) }];
  }
  return manifest.parts.map((part) => ({
    title: `Part ${part.shard}`,
    facts: [
      ['run', part.runId],
      ['cells', part.cellIds.join(', ')],
      ...listHostFacts(part, part, nodeTitle),
    ],
  }));
}

/**
 * Host fingerprint, and what disturbed the run.
 *
 * @param {Pick<Manifest, 'environment'>} manifest
 * @param {Pick<Verdict, 'hostNoise'>} verdict
 * @param {string} nodeTitle
 * @returns {Fact[]}
 */
function listHostFacts({ environment }, { hostNoise }, nodeTitle) {
  const throttled = isFigure(hostNoise.throttledMs)
    ? formatDuration(hostNoise.throttledMs)
    : 'unknown';
  return [
    ...listEnvironmentFacts(environment, nodeTitle),
    [
      'while measuring',
      `CPU time stolen ${formatShare(hostNoise.stealShare)}, used by others ${formatShare(hostNoise.othersShare)}, throttled ${throttled}`,
    ],
  ];
}

/**
 * The method, in five sentences, and a sixth where anything was profiled.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {string[]}
 */
export function listMethodSentences({ question, settings }, { explanation }) {
  const margin = formatShare(question.minimumEffect);
  const confidence = formatConfidence(question.alpha);
  const sentences = [
    'Before any timing, both variants had to produce the same output as the reference for every document of every cell.',
    `Each observation is a fresh process, one at a time, that warms up and then times ${countOf(settings.batchCount, 'batch', 'batches')}; baseline, candidate and control (the baseline again, under another name) run in random mirrored blocks.`,
    'The figure of a process: of the batches during which a yardstick (a fixed piece of arithmetic timed between batches) ran at its undisturbed pace, the lower quartile of the time without collections plus the mean of the collections, at that pace; without a yardstick the median of its batches.',
    `The ratio is the difference of the 20 % trimmed means of the logarithms of these figures, candidate against baseline and control together, with a Yuen–Welch interval that holds with ${confidence} over all the looks at ${question.looks.join(', ')} processes a side.`,
    `A cell is equivalent when the interval lies within the minimum effect of ${margin}, faster or slower when it excludes 1 after Holm's correction over all cells, strong when all of it lies beyond the minimum effect, and otherwise inconclusive.`,
    'A verdict is untrusted when the control shows a difference that could have made it; "detects" is the smallest effect that this many processes find with 80 % power.',
  ];
  if (explanation === undefined) return sentences;
  return [
    ...sentences,
    'Profiles come from a second pass of processes that were not timed for the verdict. The shares of each are scaled to the time per document of its side, so that the changes of all functions sum to the timed difference.',
  ];
}
