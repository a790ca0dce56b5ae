import { isTooLarge } from './plan-memory.js';
import { formatShare } from './format-share.js';
import { listPlaces } from './list-places.js';
import { takeMedian } from './median.js';

/** @import { AllocationResult, Arm } from '../formats/types.ts' */
/** @import { Note } from './list-places.js' */
/** @import { MemoryFindings } from './memory-warnings.js' */

/** Two ways of measuring the same thing should agree to this share. */
const MAX_DISAGREEMENT = 0.02;
/** Processes whose code the compiler treated alike agree far better than this. */
const MAX_PROCESS_SPAN = 0.01;
/** In less than this, what the runtime allocates for itself is a large part. */
const TELLING_BYTES = 64;

/** @type {readonly Arm[]} */
const ARMS = ['baseline', 'candidate', 'control'];

/**
 * What a reader of bytes allocated should know.
 *
 * @param {MemoryFindings} findings
 * @returns {Note[]}
 */
export function noteAllocation(findings) {
  return [
    ...noteLeftOut(findings),
    ...noteWindows(findings),
    ...noteModes(findings),
    ...noteAccounts(findings),
  ];
}

/**
 * @param {MemoryFindings} findings
 * @returns {Note[]}
 */
function noteLeftOut({ question, corpora }) {
  const ids = question.cells.filter((cell) => isTooLarge(cell, corpora)).map(({ id }) => id);
  return listPlaces(
    'memory-corpus-large',
    ids,
    (places) =>
      `What operations allocate was not measured, because every process would make the whole corpus ready first: ${places}. It is told per document, so fewer documents of the same corpus tell it. Outputs, too, were checked on the number of documents that the corpus has by default.`,
  );
}

/**
 * @param {MemoryFindings} findings
 * @returns {Note[]}
 */
function noteWindows({ question, findResults }) {
  const places = question.cells.flatMap(({ id }) => {
    const results = findResults('allocation', id);
    return ARMS.some((arm) => results[arm].some(({ bridged }) => bridged)) ? [id] : [];
  });
  return listPlaces(
    'memory-windows-collected',
    places,
    (list) =>
      `One pass over the corpus allocates more than fits before a collection: ${list}. What was allocated is summed over the collections, as the collector tells it.`,
  );
}

/**
 * @param {MemoryFindings} findings
 * @returns {Note[]}
 */
function noteModes({ question, findResults }) {
  const places = question.cells.flatMap(({ id }) => {
    const results = findResults('allocation', id);
    return ARMS.flatMap((arm) => {
      const { low, high } = spanOf(results[arm].map(takeWindow));
      if (!(high >= TELLING_BYTES) || high / low - 1 <= MAX_PROCESS_SPAN) return [];
      return [`${id} ${arm}: ${low.toFixed(0)} to ${high.toFixed(0)} bytes`];
    });
  });
  return listPlaces(
    'memory-process-modes',
    places,
    (list) =>
      `What is allocated differs from process to process: ${list}. Each process is steady; where code is compiled as it runs, the compiler decides once in each which objects it can do without.`,
  );
}

/**
 * @param {MemoryFindings} findings
 * @returns {Note[]}
 */
function noteAccounts({ question, findResults }) {
  const places = question.cells.flatMap(({ id }) => {
    const [windows, accounts] = [findResults('allocation', id), findResults('collections', id)];
    return ARMS.flatMap((arm) => {
      const one = spanOf(windows[arm].map(takeWindow));
      const other = spanOf(accounts[arm].map(({ allocatedBytes }) => allocatedBytes));
      const gap = Math.max(one.low / other.high, other.low / one.high) - 1;
      if (!(one.high >= TELLING_BYTES) || !Number.isFinite(gap) || gap <= MAX_DISAGREEMENT) {
        return [];
      }
      return [`${id} ${arm}, ${formatShare(gap)} apart`];
    });
  });
  return listPlaces(
    'memory-allocation-disagrees',
    places,
    (list) =>
      `Bytes allocated as windows of documents tell it and as the processes tell it that count collections part by more than ${formatShare(MAX_DISAGREEMENT)}: ${list}.`,
  );
}

/** @param {AllocationResult} result */
function takeWindow({ windowHeapBytes }) {
  return takeMedian(windowHeapBytes);
}

/**
 * @param {number[]} values
 * @returns {{ low: number, high: number }} an empty span without values
 */
function spanOf(values) {
  return { low: Math.min(...values), high: Math.max(...values) };
}
