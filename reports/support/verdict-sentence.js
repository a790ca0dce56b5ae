/** The one sentence a reader takes away, derived from the data alone. */

/** @import { Manifest, Verdict, VerdictWord } from '../../harness/formats/types.ts' */

import { contractViolations } from '../../harness/stats/verdicts.js';
import { summarizeMemory } from '../content/comparison/memory.js';
import {
  countOf,
  formatChange,
  formatRatio,
  formatShare,
  isFigure,
} from '../../harness/lib/numbers.js';
import { describeLimits } from './verdict-limits.js';
import { hasFigures } from './verdict-words.js';

/** Operations that one sentence can name; of more, the table is the shorter account. */
const MOST_NAMED = 3;
/** Rows of the behaviour contract that it can name; more are in the contract's own table. */
const MOST_ROWS = 8;

const WORDS_WITHOUT_DIRECTION = /** @type {VerdictWord[]} */ ([
  'equivalent',
  'inconclusive',
  'untrusted',
]);

/**
 * Says what the candidate is relative to the baseline, on how many cells, and by how much in time
 * and in throughput.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @param {(name: string) => string} [quote] how names are written
 * @returns {string} with no-break spaces between figures and units
 */
export function verdictSentence(manifest, verdict, quote = String) {
  const prefix = describeLimits(manifest, verdict, quote);
  const ofMemory = quoteNames(summarizeMemory(manifest.question, verdict.memory), quote);
  if (verdict.cells.length === 0 && ofMemory !== '') return prefix + ofMemory;
  return `${prefix}${chooseSentence(manifest, verdict, quote)}${ofMemory && ` ${ofMemory}`}`;
}

/**
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @param {(name: string) => string} quote
 * @returns {string}
 */
function chooseSentence(manifest, verdict, quote) {
  const { cells } = verdict;
  const refused = cells.filter((one) => one.verdict === 'refused').length;
  if (refused > 0) return refusalSentence(manifest, verdict, refused, quote);
  if (!hasFigures(verdict)) {
    const { candidate, baseline } = manifest.question;
    return `No verdict on ${quote(candidate)} against ${quote(baseline)}: no cell has data.`;
  }
  const summaries = summaryPhrase(verdict, quote);
  return `${outcomePhrase(manifest, verdict, quote)}${summaries && `: ${summaries}`}.`;
}

/**
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @param {number} refused count of cells
 * @param {(name: string) => string} quote
 * @returns {string}
 */
function refusalSentence(manifest, verdict, refused, quote) {
  const breaches = contractViolations(manifest.contracts, manifest.question.acceptedRows);
  if (breaches.length > 0) return breachSentence(breaches, quote);
  const named = new Set(verdict.differences.map((difference) => difference.variant));
  if (named.size === 0) named.add(manifest.question.candidate);
  const names = [...named].map(quote).join(' and ');
  const verb = named.size === 1 ? 'does' : 'do';
  const untimed = verdict.timing.observations === 0 ? '; nothing was timed' : '';
  const cells = countCells(refused, verdict.cells.length);
  return `${names} ${verb} not produce the reference's output on ${cells}${untimed}.`;
}

/**
 * @param {ReturnType<typeof contractViolations>} breaches at least one
 * @param {(name: string) => string} quote
 * @returns {string} `a breaks the behaviour contract (json, cycles); nothing was timed.`
 */
function breachSentence(breaches, quote) {
  const specs = [...new Set(breaches.map(({ spec }) => spec))];
  const parts = specs.map((spec) => {
    const rows = breaches.filter((breach) => breach.spec === spec);
    const names = rows.slice(0, MOST_ROWS).map(({ row }) => quote(row.name));
    const more = rows.length > MOST_ROWS ? ` and ${rows.length - MOST_ROWS} more` : '';
    return `${quote(spec)} breaks the behaviour contract (${names.join(', ')}${more})`;
  });
  return `${parts.join(' and ')}; nothing was timed.`;
}

/**
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @param {(name: string) => string} quote
 * @returns {string} `linked-list is faster than generator on 4 of 6 cells, equivalent on 2`
 */
function outcomePhrase(manifest, verdict, quote) {
  const counts = countWords(verdict);
  const [lead, ...others] = orderWords(counts);
  const candidate = quote(manifest.question.candidate);
  const baseline = quote(manifest.question.baseline);
  const cells = countCells(counts.get(lead ?? 'inconclusive') ?? 0, verdict.cells.length);
  const rest = others.map((word) => `, ${word} on ${counts.get(word)}`).join('');
  switch (lead) {
    case 'faster':
    case 'slower':
      return `${candidate} is ${lead} than ${baseline} on ${cells}${rest}`;
    case 'equivalent': {
      const margin = formatShare(manifest.question.minimumEffect);
      return `${candidate} and ${baseline} are equivalent within ${margin} on ${cells}${rest}`;
    }
    default:
      return `${candidate} against ${baseline} is ${lead} on ${cells}${rest}`;
  }
}

/**
 * The words that occur, in the order in which a sentence names them: directions first, of these
 * the more frequent, and in a tie the bad news.
 *
 * @param {Map<VerdictWord, number>} counts
 * @returns {VerdictWord[]}
 */
function orderWords(counts) {
  const isMostlyFaster = (counts.get('faster') ?? 0) > (counts.get('slower') ?? 0);
  /** @type {VerdictWord[]} */
  const directions = isMostlyFaster ? ['faster', 'slower'] : ['slower', 'faster'];
  return [...directions, ...WORDS_WITHOUT_DIRECTION].filter((word) => counts.has(word));
}

/**
 * @param {Verdict} verdict
 * @returns {Map<VerdictWord, number>}
 */
function countWords(verdict) {
  const counts = new Map();
  for (const { verdict: word } of verdict.cells) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/**
 * @param {number} count
 * @param {number} total
 * @returns {string} `4 of 6 cells`
 */
function countCells(count, total) {
  return `${count} of ${countOf(total, 'cell')}`;
}

/**
 * @param {Verdict} verdict
 * @param {(name: string) => string} quote
 * @returns {string} `serialize ×0.423 time (−58 %, throughput ×2.36), deserialize …`; empty where
 *   nothing is known or there are too many operations
 */
function summaryPhrase(verdict, quote) {
  const known = verdict.summaries.filter(({ ratio }) => isFigure(ratio?.estimate));
  if (known.length > MOST_NAMED) return '';
  const hasVersions = new Set(verdict.cells.map(({ cell }) => cell.node)).size > 1;
  return known
    .map(({ operation, node, ratio }) => {
      const { change, throughput } = formatChange(ratio.estimate);
      const runtime = hasVersions && node !== undefined ? ` under Node ${quote(node)}` : '';
      return `${quote(operation)}${runtime} ×${formatRatio(ratio.estimate)} time (${change}, throughput ${throughput})`;
    })
    .join(', ');
}

/**
 * @param {import('../document/model.ts').Inline} inline texts and names
 * @param {(name: string) => string} quote
 * @returns {string}
 */
function quoteNames(inline, quote) {
  if (typeof inline === 'string') return inline;
  if (Array.isArray(inline)) return inline.map((one) => quoteNames(one, quote)).join('');
  return 'code' in inline ? quote(inline.code) : '';
}
