import { renameSync, writeFileSync } from 'node:fs';

/** @import { FuzzResult } from '../../../harness/formats/types.ts' */

/**
 * @typedef {object} Attempt
 * @property {number} document its number
 * @property {string} [hex] the document itself, where every single one is noted
 * @property {object} [options]
 * @property {object} [writeOptions]
 */

/**
 * Makes the function that says how far a fuzz job is, for whoever watches it, and for the time after
 * it hung or died. The file is always whole.
 *
 * @param {string} path
 * @returns {(attempt: Attempt, result: FuzzResult) => void} `attempt` is what comes next
 */
export function openJournal(path) {
  const draft = `${path}.new`;
  return function writeJournal(attempt, result) {
    writeFileSync(draft, JSON.stringify({ attempt, result }));
    renameSync(draft, path);
  };
}
