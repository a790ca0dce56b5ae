import { readFileSync } from 'node:fs';

/** @import { FuzzResult } from '../types.ts' */

/**
 * How far a fuzz job is, as it says itself.
 *
 * @typedef {object} Journal
 * @property {Attempt} attempt
 * @property {FuzzResult} result of the documents before
 *
 * @typedef {object} Attempt the document that is tried next
 * @property {number} document its number
 * @property {string} [hex] where the job is careful
 * @property {Record<string, unknown>} [options]
 * @property {Record<string, unknown>} [writeOptions]
 */

/**
 * @param {string} path
 * @returns {Journal | null} null before the first entry
 */
export function readJournal(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}
