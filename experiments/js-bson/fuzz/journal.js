import { renameSync, writeFileSync } from 'node:fs';

/** @import { FuzzResult } from '../../../harness/formats/types.ts' */

/**
 * @typedef {object} Attempt
 * @property {number} document its number
 * @property {string} [hex] the document itself, if every document is recorded
 * @property {object} [options]
 * @property {object} [writeOptions]
 */

/**
 * Makes the function that writes the progress of a fuzz job, for display and for resuming after a
 * hang or crash. The file is never partial.
 *
 * @param {string} path
 * @returns {(attempt: Attempt, result: FuzzResult) => void} `attempt` is the next one
 */
export function openJournal(path) {
  const draft = `${path}.new`;
  return function writeJournal(attempt, result) {
    writeFileSync(draft, JSON.stringify({ attempt, result }));
    renameSync(draft, path);
  };
}
