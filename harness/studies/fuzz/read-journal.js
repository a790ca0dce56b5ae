import { readFileSync } from 'node:fs';

/** @import { FuzzResult } from '../../formats/types.ts' */

const COUNTS = ['documents', 'differences', 'accepted', 'refused', 'checks'];

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
 * @returns {Journal | null} null before the first entry, and where that is broken
 */
export function readJournal(path) {
  try {
    const journal = JSON.parse(readFileSync(path, 'utf8'));
    return isWhole(journal) ? journal : null;
  } catch {
    return null;
  }
}

/** @param {any} journal of a job that may have died while it wrote */
function isWhole(journal) {
  const { attempt, result } = Object(journal);
  return (
    Number.isInteger(attempt?.document) &&
    COUNTS.every((name) => Number.isInteger(result?.[name])) &&
    Object(result.errors) === result.errors &&
    Object.values(result.errors).every(Number.isInteger) &&
    Array.isArray(result.failures)
  );
}
