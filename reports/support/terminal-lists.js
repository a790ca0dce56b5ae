/** The parts of the terminal report that are lists of text. */

/** @import { RenderInput, Tone } from '../types.ts' */

import { formatCount } from '../../harness/lib/numbers.js';
import { failedJobLabel } from './verdict-words.js';
import { wrapText } from '../../harness/lib/wrap.js';

const LARGEST_DIFFERENCE_COUNT = 10;
const LARGEST_FAILED_COUNT = 3;
const LARGEST_VALUE_LENGTH = 400;

/**
 * What every part of the report needs: harmless input, columns, colour.
 *
 * @typedef {object} Page
 * @property {RenderInput} input
 * @property {number} width
 * @property {(text: string, tone: Tone) => string} paint
 */

/**
 * Variant, cell, document, path, and what was expected and found there.
 *
 * @param {Page} page
 * @returns {string[]} lines; none where outputs are equal
 */
export function listDifferences({ input: { manifest, verdict }, width, paint }) {
  if (verdict.differences.length === 0) return [];
  const title = `Differences from the reference, ${manifest.variants.reference.spec}`;
  const lines = wrapText(title, width).map((line) => paint(line, 'title'));
  for (const difference of verdict.differences.slice(0, LARGEST_DIFFERENCE_COUNT)) {
    const { variant, cellId, document, path } = difference;
    const place = `${variant}: ${cellId}, document ${document}, ${path}`;
    lines.push(...wrapText(place, width, { first: ' ', next: '   ' }));
    for (const side of /** @type {const} */ (['expected', 'found'])) {
      const value = shortenValue(difference[side]);
      const tone = side === 'found' ? 'bad' : 'plain';
      const wrapped = wrapText(value, width, {
        first: `   ${side.padEnd(9)}`,
        next: ' '.repeat(12),
      });
      lines.push(...wrapped.map((line) => paint(line, tone)));
    }
  }
  const rest = verdict.differences.length - LARGEST_DIFFERENCE_COUNT;
  if (rest > 0)
    lines.push(...wrapText(` and ${formatCount(rest)} more, all in verdict.json`, width));
  return lines;
}

/**
 * @param {string} value
 * @returns {string}
 */
function shortenValue(value) {
  if (value.length <= LARGEST_VALUE_LENGTH) return value;
  return `${value.slice(0, LARGEST_VALUE_LENGTH)}… (all of it in verdict.json)`;
}

/**
 * The jobs that failed, each with the last lines its worker wrote.
 *
 * @param {Page} page
 * @returns {string[]} lines; none where every job measured at once
 */
export function listFailedJobs({ input: { verdict }, width, paint }) {
  const { failedJobs } = verdict;
  if (failedJobs.length === 0) return [];
  const lines = [paint('Failed jobs', 'title')];
  for (const job of failedJobs.slice(0, LARGEST_FAILED_COUNT)) {
    lines.push(...wrapText(failedJobLabel(job), width, { first: ' ', next: '   ' }));
    for (const line of job.failure.lastLines) {
      lines.push(...wrapText(line, width, { first: '   │ ', next: '   │ ' }));
    }
  }
  const rest = failedJobs.length - LARGEST_FAILED_COUNT;
  if (rest > 0) lines.push(` and ${formatCount(rest)} more, all in verdict.json`);
  return lines;
}

/**
 * The numbered notes.
 *
 * @param {Page} page
 * @returns {string[]} lines; none where there is nothing to note
 */
export function listNotes({ input: { verdict }, width, paint }) {
  if (verdict.warnings.length === 0) return [];
  const digits = String(Math.max(0, ...verdict.warnings.map((one) => one.number))).length;
  const lines = [paint('Notes', 'title')];
  for (const { number, text } of verdict.warnings) {
    lines.push(...wrapText(text, width, { first: ` ${String(number).padStart(digits)}  ` }));
  }
  return lines;
}
