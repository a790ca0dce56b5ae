/** Where outputs are not the reference's, as Markdown. */

/** @import { Manifest, Verdict } from '../../harness/formats/types.ts' */

import { codeSpan } from '../../harness/lib/escape.js';
import { folded } from './markdown-table.js';
import { formatCount } from '../../harness/lib/numbers.js';

const LARGEST_DIFFERENCE_COUNT = 20;
const LARGEST_VALUE_LENGTH = 400;

/**
 * Where outputs differ; unfolded when that ended the run.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {string} empty where outputs are equal
 */
export function differenceList({ variants }, { differences, ended }) {
  if (differences.length === 0) return '';
  const blocks = differences.slice(0, LARGEST_DIFFERENCE_COUNT).map((difference) => {
    const { variant, cellId, document, path } = difference;
    return [
      `- ${codeSpan(variant)}: ${codeSpan(cellId)}, document ${document}, ${codeSpan(path)}`,
      `  - expected ${shortenedSpan(difference.expected)}`,
      `  - found ${shortenedSpan(difference.found)}`,
    ].join('\n');
  });
  const rest = differences.length - LARGEST_DIFFERENCE_COUNT;
  if (rest > 0) blocks.push(`- and ${formatCount(rest)} more, all in verdict.json`);
  const title = `Differences from the reference (${formatCount(differences.length)})`;
  const reference = `The reference is ${codeSpan(variants.reference.spec)}.`;
  return folded(title, `${reference}\n\n${blocks.join('\n')}`, ended === 'refused');
}

/**
 * @param {string} value
 * @returns {string}
 */
function shortenedSpan(value) {
  if (value.length <= LARGEST_VALUE_LENGTH) return codeSpan(value);
  return `${codeSpan(`${value.slice(0, LARGEST_VALUE_LENGTH)}…`)} (all of it in verdict.json)`;
}
