import { countOf } from '../lib/numbers.js';
import { formatShare } from './format-share.js';
import { listPlaces } from './list-places.js';
import { fitHeldSlope } from './memory-slope.js';

/** @import { Arm } from '../formats/types.ts' */
/** @import { Note } from './list-places.js' */
/** @import { MemoryFindings } from './memory-warnings.js' */

/** Two ways of measuring the same thing should agree to this share. */
const MAX_DISAGREEMENT = 0.02;
/** Beyond it the points do not lie on a line, and their slope means little. */
const MAX_RESIDUAL = 0.02;

/** @type {readonly Arm[]} */
const ARMS = ['baseline', 'candidate', 'control'];

/**
 * What a reader of bytes retained should know.
 *
 * @param {MemoryFindings} findings
 * @returns {Note[]}
 */
export function noteRetention(findings) {
  return [...noteSlopes(findings), ...noteResiduals(findings), ...noteUnrepeated(findings)];
}

/**
 * @param {MemoryFindings} findings
 * @returns {Note[]}
 */
function noteSlopes({ corpusMemories }) {
  const places = corpusMemories.flatMap(({ corpus, metrics, documents }) => {
    const [snapshot, slope] = /** @type {const} */ (['retained', 'retained-slope']).map((name) =>
      metrics.find((metric) => metric.name === name),
    );
    return ARMS.flatMap((arm) => {
      const [one, other] = [snapshot?.values[arm], slope?.values[arm]];
      if (one == null || other == null || differBy(one, other) <= MAX_DISAGREEMENT) return [];
      const held = `${documents.snapshot} and ${countOf(documents.slope, 'document')}`;
      return [`${corpus} ${arm}: ${one.toFixed(0)} and ${other.toFixed(0)} bytes (${held})`];
    });
  });
  return listPlaces(
    'memory-slope-disagrees',
    places,
    (list) =>
      `Retained bytes per document by heap snapshot and by the slope of the collected heap part by more than ${formatShare(MAX_DISAGREEMENT)}: ${list}. A snapshot sees only what documents hold; the slope sees whatever grew meanwhile.`,
  );
}

/**
 * @param {MemoryFindings} findings
 * @returns {Note[]}
 */
function noteResiduals({ corpora, findResults }) {
  const places = corpora.flatMap(({ label }) => {
    const results = findResults('retained-slope', label);
    return ARMS.flatMap((arm) => {
      const shares = results[arm].map(({ points }) => fitHeldSlope(points).residualShare);
      const worst = Math.max(0, ...shares);
      return worst > MAX_RESIDUAL ? [`${label} ${arm}, ${formatShare(worst)} off`] : [];
    });
  });
  return listPlaces(
    'memory-slope-bends',
    places,
    (list) => `The collected heap does not grow on a straight line: ${list}.`,
  );
}

/**
 * @param {MemoryFindings} findings
 * @returns {Note[]}
 */
function noteUnrepeated({ corpusMemories }) {
  const places = corpusMemories.flatMap(({ corpus, metrics }) =>
    metrics.flatMap(({ name, exact, ratio, processes }) => {
      const fewest = Math.min(processes.baseline, processes.candidate);
      if (name !== 'retained' || exact || ratio === null || fewest < 2) return [];
      return [`${corpus}, ${formatShare(ratio.high / ratio.low - 1)} from end to end`];
    }),
  );
  return listPlaces(
    'memory-not-repeated',
    places,
    (list) =>
      `Retained bytes did not repeat to the byte from process to process: ${list}. The interval is the range that was seen.`,
  );
}

/**
 * @param {number} one
 * @param {number} other
 * @returns {number} share
 */
function differBy(one, other) {
  return Math.abs(one - other) / Math.min(one, other);
}
