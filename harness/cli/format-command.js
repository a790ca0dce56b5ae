import { quoteWords } from '../lib/quote-words.js';

/** @import { Question } from '../formats/types.ts' */

/**
 * The command that asks the same question again, for a shell: what was typed plus the seed, and
 * versions of Node as they were found.
 *
 * @param {Question} question
 * @param {import('./commands/compare.js').CompareOptions} options
 * @returns {string}
 */
export function formatCommand({ baseline, candidate, cells, shard, seed }, options) {
  const words = ['just', 'compare', baseline, candidate];
  if (options.family !== undefined) words.push('--family', options.family);
  if (options.op !== undefined) words.push('--op', options.op);
  if (options.corpus !== undefined) words.push('--corpus', options.corpus);
  if (options.mei !== '3') words.push('--mei', options.mei);
  if (options.processes !== '96') words.push('--processes', options.processes);
  if (options.layouts !== undefined && options.layouts !== '4') {
    words.push('--layouts', options.layouts);
  }
  if (options.budget !== undefined) words.push('--budget', options.budget);
  if (options.screen === true) words.push('--screen');
  if (options.memory === true) words.push('--memory');
  if (options.memoryOnly === true) words.push('--memory-only');
  if (options.accept !== undefined) words.push('--accept', options.accept);
  if (options.explain !== undefined && options.explain !== 'differing') {
    words.push('--explain', options.explain);
  }
  if (options.with !== undefined) words.push('--with', options.with);
  if (options.wholeProcess === true) words.push('--whole-process');
  if (options.instructions === true) words.push('--instructions');
  const nodes = new Set((shard?.cells ?? cells).flatMap(({ node }) => node ?? []));
  if (nodes.size > 0) words.push('--node', [...nodes].join(','));
  if (options.build !== undefined) words.push('--build', options.build);
  if (options.sandbox === true) words.push('--sandbox');
  if (options.shard !== undefined) words.push('--shard', options.shard);
  for (const flag of options.nodeFlag ?? []) words.push(`--node-flag=${flag}`);
  words.push('--seed', String(seed));
  return quoteWords(words);
}
