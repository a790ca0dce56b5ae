/** Checks on what a command prints about a run. Each returns a list of problems. */

import { displayWidth } from '../../lib/columns.js';
import { formatRatio } from '../../lib/numbers.js';
import { isDirection, VERDICTS } from '../../stats/verdicts.js';
import { refuseCommand } from './commands.js';

/** @import { Manifest, Verdict, VerdictWord } from '../../formats/types.ts' */

const WIDTH = 80;
/** Greatest width of a label or an indent. */
const LABEL_WIDTH = 14;
const NONSENSE =
  /\bundefined\b|\bNaN\b|\[object |\bInfinity\b|a defect of Assay|^ +at .+:\d+:\d+\)?$|\b1 (?:processes|cells|documents|jobs|blocks|files|functions|variants|corpora|times|observations|shards)\b/m;
/** A command at the end of a line or of a sentence. */
const PRINTED_COMMAND = /(?:^|: | {2})just ([a-z].*)$/;
/** Longest first, since one may end with another. */
const DIRECTION_WORDS = Object.keys(VERDICTS)
  .filter((word) => isDirection(/** @type {VerdictWord} */ (word)))
  .sort((one, other) => other.length - one.length);
const ANY = DIRECTION_WORDS.join('|');
const DIRECTIONS = new RegExp(`(?:is (${ANY}) than \\S+ on|, (${ANY}) on) (\\d+)`, 'g');

/**
 * @param {string} text for a terminal of 80 columns
 * @returns {Promise<string[]>}
 */
export async function findTextProblems(text) {
  const lines = text.split('\n');
  const problems = lines.filter(isTooWide).map((line) => `wider than 80 columns: ${line}`);
  const nonsense = NONSENSE.exec(text);
  if (nonsense !== null) problems.push(`prints '${nonsense[0].trim()}'`);
  for (const command of listCommands(text)) {
    const refusal = await refuseCommand(splitWords(command));
    if (refusal !== null) problems.push(`cannot be pasted: just ${command}: ${refusal}`);
  }
  return problems;
}

/**
 * A line may be wider than the terminal only if one of its words does not fit, or it is one command: it wraps softly, and
 * can be copied as one.
 *
 * @param {string} line
 */
function isTooWide(line) {
  if (displayWidth(line) <= WIDTH || line.startsWith('just ')) return false;
  const longest = Math.max(...splitWords(line).map(displayWidth));
  return longest + LABEL_WIDTH <= WIDTH || displayWidth(line) - longest > WIDTH;
}

/**
 * @param {string} text
 * @returns {string[]} printed commands, without `just`, lines that end in a backslash joined
 */
function listCommands(text) {
  return text
    .replaceAll(/ \\\n\s+/g, ' ')
    .split('\n')
    .flatMap((line) => PRINTED_COMMAND.exec(line)?.[1] ?? [])
    .map((command) => command.replace(/[.)]+$/, ''));
}

/**
 * @param {string} line
 * @returns {string[]} words as a shell splits them
 */
export function splitWords(line) {
  const words = line.match(/(?:[^\s'"\\]|\\.|'[^']*'|"[^"]*"|['"])+/g) ?? [];
  return words.map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"|\\(.)/g, '$1$2$3'));
}

/**
 * @param {string} text of the report for a terminal
 * @param {string} path of the run, relative to the working directory
 * @returns {string[]}
 */
export function findPathProblems(text, path) {
  return text.includes(path) ? [] : [`does not name ${path} on one line`];
}

/**
 * Compares the headline of a report with its data.
 *
 * @param {string} headline without markup
 * @param {Pick<Manifest, 'question'>} manifest
 * @param {Verdict} verdict
 * @returns {string[]}
 */
export function findHeadlineProblems(headline, { question }, verdict) {
  const problems = [];
  const { cells, memory } = verdict;
  const hasMemory = (memory?.cells.length ?? 0) + (memory?.corpora.length ?? 0) > 0;
  const hasTimes = cells.some(({ effect }) => effect !== null);
  if (headline.includes('No verdict') && (hasTimes || hasMemory)) {
    problems.push(`says 'No verdict' above data: ${headline}`);
  }
  for (const [, lead, further, count] of headline.matchAll(DIRECTIONS)) {
    const word = lead ?? further;
    const found = cells.filter((cell) => cell.verdict === word).length;
    if (Number(count) !== found) problems.push(`${word} on ${found} cells, not ${count}`);
  }
  let rest = headline;
  for (const word of DIRECTION_WORDS) {
    const isNamed = new RegExp(`\\b${word}\\b`).test(rest);
    rest = rest.replaceAll(word, '');
    if (cells.some((cell) => cell.verdict === word) !== isNamed)
      problems.push(`'${word}': ${headline}`);
  }
  return [...problems, ...findMemoryProblems(headline, question, verdict)];
}

/**
 * A headline on memory alone names a ratio if any metric differs.
 * @type {(headline: string, question: Manifest['question'], verdict: Verdict) => string[]}
 */
function findMemoryProblems(headline, question, { memory }) {
  if (question.memory !== 'only' || memory === undefined) return [];
  const metrics = [...memory.cells, ...memory.corpora].flatMap((part) => part.metrics);
  const differing = metrics.filter(
    ({ verdict, ratio }) => ratio !== null && (verdict === 'larger' || verdict === 'smaller'),
  );
  const ratios = differing.map(({ ratio }) => formatRatio(ratio?.estimate ?? 1));
  return ratios.length === 0 || ratios.some((ratio) => headline.includes(ratio))
    ? []
    : [`names none of the ratios ${ratios.join(', ')}: ${headline}`];
}
