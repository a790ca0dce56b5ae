import { compareTrimmedMeans, halfWidth } from '../../stats/yuen-test.js';

/** @import { CellExplanation } from '../../formats/types.ts' */
/** @import { CellEvidence } from './types.ts' */

const LEVEL = 0.05;

/**
 * @param {CellEvidence['figures']['instructions']} instructions
 * @returns {CellExplanation['instructions']} per document; null unless both sides were counted
 */
export function compareInstructions({ baseline, candidate }) {
  if (baseline === null || candidate === null || baseline.perDocument <= 0) return null;
  return {
    values: { baseline: baseline.perDocument, candidate: candidate.perDocument },
    ratio: candidate.perDocument / baseline.perDocument,
  };
}

/**
 * Whole processes held against each other as timed jobs are: trimmed means of logarithms.
 *
 * @param {CellEvidence['figures']['wholeProcess']} wholeProcess
 * @returns {CellExplanation['wholeProcess']} null with fewer than two processes a side
 */
export function compareWholeProcess({ baseline, candidate }) {
  if (baseline === null || candidate === null) return null;
  const test = compareTrimmedMeans(candidate.timesMs.map(Math.log), baseline.timesMs.map(Math.log));
  if (test === null) return null;
  const half = halfWidth(test, LEVEL);
  return {
    valuesMs: { baseline: baseline.meanMs, candidate: candidate.meanMs },
    ratio: {
      estimate: Math.exp(test.difference),
      low: Math.exp(test.difference - half),
      high: Math.exp(test.difference + half),
    },
  };
}
