import { quoteWords } from './words.js';

/** Whether this Assay is a package in the `node_modules` of a project, and not a checkout. */
export const IS_INSTALLED = import.meta.url.endsWith('/node_modules/assay/harness/lib/program.js');

/** How the commands of Assay are typed here. */
export const PROGRAM = IS_INSTALLED ? 'npx assay' : 'just';

/**
 * Formats a command of Assay for a shell.
 *
 * @param {string[]} words name, arguments and options
 * @returns {string}
 */
export function formatCommand(words) {
  return `${PROGRAM} ${quoteWords(words)}`;
}
