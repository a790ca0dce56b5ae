/** What checking a variant without timing it came to, for the terminal. */

/** @import { ConformanceFailure, ContractRow, Difference } from '../../harness/formats/types.ts' */

import { summarizeContract } from './contract-words.js';
import { showInvisibleDeeply } from '../../harness/lib/escape.js';
import { countOf, formatCount } from '../../harness/lib/numbers.js';
import { makePainter } from './paint.js';
import { layOutContract } from './terminal-contract.js';
import { wrapText } from '../../harness/lib/wrap.js';

/** Differences and failures printed of one variant; the rest is counted. */
const MAX_SHOWN = 10;

/**
 * @typedef {object} Check
 * @property {string} spec
 * @property {string} reference
 * @property {Difference[]} differences from the reference's output on the corpora
 * @property {number} passed vectors and limits
 * @property {ConformanceFailure[]} failures of vectors and limits
 * @property {ContractRow[]} contract
 */

/**
 * Contract, corpora, vectors and limits, and a closing line with the sum.
 *
 * @param {Check} check
 * @param {{ width: number, color: boolean }} terminal
 * @returns {string} lines, the last with a line end
 */
export function formatCheck(check, { width, color }) {
  const { spec, reference, differences, passed, failures, contract } = showInvisibleDeeply(check);
  const paint = makePainter(color);
  const broken = contract.filter(({ outcome }) => outcome === 'fails').length;
  const isRight = broken + differences.length + failures.length === 0;
  const cases = `${countOf(passed, 'holds', 'hold')}, ${countOf(failures.length, 'fails', 'fail')}`;
  const sentences = [
    ...(contract.length === 0 ? [] : [summarizeContract('contract', contract)]),
    `corpora: ${differences.length === 0 ? 'same bytes' : countOf(differences.length, 'difference')}`,
    // A family may promise the right output and nothing more.
    ...(passed + failures.length === 0 ? [] : [`vectors and limits: ${cases}`]),
  ];
  const details = [
    ...layOutContract(contract, width, paint),
    ...listProblems('Corpora', differences.map(describeDifference), { width, paint }),
    ...listProblems('Vectors and limits', failures.map(describeFailure), { width, paint }),
  ];
  const verdict = isRight ? `${spec}: does what ${reference} does` : `${spec}: is not right`;
  const lines = [
    paint(`Behaviour of ${spec} compared with ${reference}`, 'title'),
    '',
    ...(details.length === 0 ? [] : [...details, '']),
    ...wrapText(verdict, width).map((line) => paint(line, isRight ? 'good' : 'bad')),
    ...sentences.flatMap((sentence) => wrapText(sentence, width, { first: '  ' })),
  ];
  return `${lines.join('\n')}\n\n`;
}

/**
 * @param {string} title
 * @param {string[]} problems
 * @param {{ width: number, paint: ReturnType<typeof makePainter> }} page
 * @returns {string[]}
 */
function listProblems(title, problems, { width, paint }) {
  if (problems.length === 0) return [];
  const shown = problems.slice(0, MAX_SHOWN);
  const rest = problems.length - shown.length;
  if (rest > 0) shown.push(`… and ${formatCount(rest)} more`);
  return [
    paint(title, 'title'),
    ...shown.flatMap((text) => wrapText(text, width, { first: ' ', next: '   ' })),
  ];
}

/**
 * @param {Difference} difference
 * @returns {string}
 */
function describeDifference({ cellId, document, path, expected, found }) {
  return `${cellId}, document ${document}, ${path}: expected ${expected}, found ${found}`;
}

/**
 * @param {ConformanceFailure} failure
 * @returns {string}
 */
function describeFailure({ name, expected, found }) {
  return `${name}: expected ${expected}, found ${found}`;
}
