/** What fuzzing a variant came to, for the terminal. */

/** @import { FuzzFailure, FuzzResult } from '../../harness/formats/types.ts' */

import { showInvisibleDeeply } from '../../harness/lib/escape.js';
import { countOf, formatCount, formatDuration } from '../../harness/lib/numbers.js';
import { makePainter } from './paint.js';
import { wrapText } from '../../harness/lib/wrap.js';

const LARGEST_TEXT_LENGTH = 240;

/**
 * @typedef {object} FuzzSummary
 * @property {string} spec
 * @property {string} reference
 * @property {number} seed
 * @property {'complete' | 'interrupted' | 'stopped' | 'failed'} ended
 * @property {number} elapsedMs
 * @property {FuzzResult} result
 * @property {string[]} files where its failures are kept, in their order
 */

const ENDINGS = {
  complete: '',
  interrupted: 'interrupted before its end; ',
  stopped: 'stopped early, for there are many failures; ',
  failed: 'ended by a failure of the worker; ',
};

/**
 * How many documents, what was done with them, how fast, and each kind of difference.
 *
 * @param {FuzzSummary} summary
 * @param {{ width: number, color: boolean }} terminal
 * @returns {string} lines, the last with a line end
 */
export function formatFuzzSummary(summary, { width, color }) {
  const { spec, reference, seed, ended, elapsedMs, result, files } = showInvisibleDeeply(summary);
  const paint = makePainter(color);
  const { documents, differences, checks } = result;
  const isSame = differences === 0;
  const found = isSame
    ? 'no difference'
    : countOf(differences, 'document differs', 'documents differ');
  const verdict = `${spec}: ${found} from ${reference} in ${countOf(documents, 'document', 'documents')}`;
  const rate = formatCount(documents / (Math.max(elapsedMs, 1) / 1000));
  const effort = `${countOf(checks, 'comparison', 'comparisons')} in ${formatDuration(elapsedMs)}, ${rate}\u00a0documents a second; seed ${seed}`;
  const lines = [
    ...wrapText(verdict, width, { next: '  ' }).map((line) => paint(line, isSame ? 'good' : 'bad')),
    ...wrapText(`${describeReadings(result)}`, width, { first: '  ' }),
    ...wrapText(`${ENDINGS[ended]}${effort}`, width, { first: '  ' }),
  ];
  for (const [index, failure] of result.failures.entries()) {
    lines.push(...describeFailure(failure, files[index], width));
  }
  return `${lines.join('\n')}\n`;
}

/**
 * @param {FuzzResult} result
 * @returns {string} `read 12, refused 30 (BSONError 28, RangeError 2)`
 */
function describeReadings({ accepted, refused, errors }) {
  const byCount = Object.entries(errors).sort((a, b) => b[1] - a[1]);
  const classes = byCount.map(([name, count]) => `${name}\u00a0${formatCount(count)}`).join(', ');
  const how = classes === '' ? '' : ` (${classes})`;
  return `read ${formatCount(accepted)}, refused ${formatCount(refused)}${how}`;
}

/**
 * @param {FuzzFailure} failure
 * @param {string | undefined} file
 * @param {number} width columns
 * @returns {string[]}
 */
function describeFailure({ kind, document, hex, options, expected, found }, file, width) {
  const indent = { first: '    ', next: '      ' };
  const withOptions = Object.keys(options).length === 0 ? '' : ` under ${JSON.stringify(options)}`;
  return [
    ...wrapText(`${kind}, document ${document}${withOptions}`, width, {
      first: '  ',
      next: '    ',
    }),
    ...wrapText(shorten(hex), width, indent),
    ...wrapText(`expected ${shorten(expected)}`, width, indent),
    ...wrapText(`found ${shorten(found)}`, width, indent),
    ...(file === undefined ? [] : [`${indent.first}kept as ${file}`]),
  ];
}

/**
 * @param {string} text
 * @returns {string}
 */
function shorten(text) {
  return text.length <= LARGEST_TEXT_LENGTH ? text : `${text.slice(0, LARGEST_TEXT_LENGTH)}…`;
}
