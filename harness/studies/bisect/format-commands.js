import { quoteWords } from '../../lib/words.js';

/** @import { BisectOptions } from '../../cli/commands/bisect.js' */
/** @import { Question } from '../../formats/types.ts' */
/** @import { Bisection } from './types.ts' */

/**
 * @param {[string, string]} ends as typed
 * @param {Question} question
 * @param {BisectOptions} options
 * @returns {string} the command that asks the same again: what was typed plus the seed
 */
export function formatCommand(ends, { cells: [cell], seed }, options) {
  const limit = options.processes === '96' ? [] : ['--processes', options.processes];
  const words = ['just', 'bisect', ...ends, cell.operation, cell.corpus, ...formatOptions(options)];
  return quoteWords([...words, ...limit, '--seed', String(seed)]);
}

/**
 * @param {Bisection} bisection
 * @param {BisectOptions} options
 * @returns {string} the command that compares what it found and says why
 */
export function formatWhy({ lastGood, firstBad, cell }, options) {
  const ends = [lastGood, firstBad];
  const asked = ['--op', cell.operation, '--corpus', cell.corpus];
  return quoteWords(['just', 'compare', ...ends, ...asked, ...formatOptions(options)]);
}

/**
 * @param {BisectOptions} options
 * @returns {string[]} those that a comparison has too
 */
function formatOptions({ family, build, node, accept, sandbox }) {
  const named = Object.entries({ family, build, node, accept }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  return sandbox === true ? [...named, '--sandbox'] : named;
}
