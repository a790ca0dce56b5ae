/** Short texts that every renderer says in the same words. */

/** @import { CellComparison, FailedJob, Manifest, Verdict } from '../../harness/formats/types.ts' */
/** @import { Tone } from '../types.ts' */

import { quoteWords } from '../../harness/lib/words.js';
import {
  countOf,
  formatDuration,
  formatShare,
  isFigure,
  NO_FIGURE,
} from '../../harness/lib/numbers.js';

/** What tells a verdict by shape as well as by colour. @type {Record<CellComparison['verdict'], string>} */
export const VERDICT_SIGNS = {
  faster: '▼',
  slower: '▲',
  equivalent: '=',
  inconclusive: '?',
  untrusted: '!',
  refused: '✕',
};

/** @type {Record<CellComparison['verdict'], Tone>} */
const TONES = {
  faster: 'good',
  slower: 'bad',
  equivalent: 'plain',
  inconclusive: 'doubtful',
  refused: 'bad',
  untrusted: 'doubtful',
};

/**
 * @param {CellComparison} comparison
 * @returns {Tone}
 */
export function toneOf(comparison) {
  return TONES[comparison.verdict] ?? 'plain';
}

/**
 * @param {Verdict} verdict
 * @returns {boolean} whether any cell has a ratio to show
 */
export function hasFigures({ cells }) {
  return cells.some(({ effect }) => isFigure(effect?.ratio?.estimate));
}

/**
 * What the times of the tables are.
 *
 * @param {Manifest['question']} question
 * @param {(name: string) => string} [quote] how names are written
 * @param {(text: string) => string} [escape] how texts are
 * @returns {string} `Time per document`; `Time per document (http-json: server CPU time per request)`
 */
export function timeLabel({ cells }, quote = String, escape = String) {
  const figures = new Map(
    cells.flatMap(({ operation, figure }) => (figure === undefined ? [] : [[operation, figure]])),
  );
  const others = [...figures].map(
    ([operation, figure]) => `${quote(operation)}: ${escape(figure)}`,
  );
  return `Time per document${others.length === 0 ? '' : ` (${others.join('; ')})`}`;
}

/**
 * What a report is of, where it is of a part of a plan.
 *
 * @param {Manifest['question']} question
 * @returns {string | null} `part 1 of 3 (2 of 6 cells)`
 */
export function partLabel({ cells, shard }) {
  if (shard === undefined) return null;
  return `part ${shard.index} of ${shard.count} (${cells.length} of ${countOf(shard.cells.length, 'cell')})`;
}

/**
 * The verdict of a cell as tables print it.
 *
 * @param {CellComparison} comparison
 * @param {Manifest['question']['mode']} mode
 * @returns {string} `faster, strong`; in screen mode `screen: faster, strong`
 */
export function verdictLabel(comparison, mode) {
  const { verdict, strong, effect } = comparison;
  const isEmpty = verdict === 'inconclusive' && effect === null;
  const words = `${verdict}${strong ? ', strong' : ''}${isEmpty ? ', no data' : ''}`;
  return mode === 'screen' ? `screen: ${words}` : words;
}

/**
 * Processes a side, and for an inconclusive cell how many would settle it.
 *
 * @param {CellComparison} comparison
 * @returns {string} `24`, `24/24/23` (baseline, candidate, control), `96 of ~210`
 */
export function processesLabel(comparison) {
  const { baseline, candidate, control } = comparison.processes;
  if (baseline + candidate + control === 0) return NO_FIGURE;
  const isEven = baseline === candidate && candidate === control;
  const seen = isEven ? String(baseline) : `${baseline}/${candidate}/${control}`;
  if (comparison.verdict !== 'inconclusive') return seen;
  return isFigure(comparison.processesNeeded)
    ? `${seen} of ~${Math.ceil(comparison.processesNeeded)}`
    : // Other placements of its code made it so, which more processes would not change.
      `${seen}${comparison.layout === undefined ? ' of ?' : ''}`;
}

/**
 * @param {Verdict} verdict
 * @param {string | undefined} runPath
 * @returns {string | null} why measuring ended early; null where it did not
 */
export function endLabel(verdict, runPath) {
  const seen = `after ${countOf(verdict.timing.observations, 'observation')}`;
  switch (verdict.ended) {
    case 'budget': {
      const missing = listUnsettled(verdict);
      if (missing.length === 0) return null;
      return `The time budget ran out ${seen}, before ${missing.join(' and before ')}.`;
    }
    case 'interrupted':
      return `Measuring was interrupted ${seen}; it goes on with: just compare --resume ${quoteWords([runPath ?? verdict.runId])}`;
    case 'failed':
      return `Measuring failed ${seen}; the notes say why.`;
    default:
      return null;
  }
}

/**
 * @param {Verdict} verdict
 * @returns {string[]} what a longer budget would have measured further
 */
function listUnsettled({ cells, memory }) {
  // What other layouts made inconclusive was settled before.
  const isOpen = cells.some(
    ({ verdict, layout }) =>
      verdict === 'untrusted' || (verdict === 'inconclusive' && layout === undefined),
  );
  const isMemoryShort = memory?.warnings.some(({ kind }) => kind === 'memory-incomplete') ?? false;
  return [
    ...(isOpen ? ['every cell was settled'] : []),
    ...(isMemoryShort ? ['memory was measured completely'] : []),
  ];
}

/**
 * @param {Verdict} verdict
 * @param {Pick<Manifest, 'parts'>} [manifest]
 * @returns {string} `216 processes in 40.0 s, 92 % of it inside workers`; of a merged run, whose
 *   parts were measured side by side, `216 processes in 3 parts, 14.1 s the longest, 37.0 s inside
 *   workers`
 */
export function measuredLabel({ timing }, { parts } = {}) {
  const wallTime = formatDuration(timing.wallMs);
  if (parts !== undefined) {
    return `${countOf(timing.observations, 'process', 'processes')} in ${countOf(parts.length, 'part')}, ${wallTime} the longest, ${formatDuration(timing.workerMs)} inside workers`;
  }
  if (timing.observations === 0) return `nothing in ${wallTime}`;
  const share = timing.workerMs / timing.wallMs;
  return `${countOf(timing.observations, 'process', 'processes')} in ${wallTime}, ${formatShare(share)} of it inside workers`;
}

/**
 * @param {FailedJob} job
 * @returns {string} `serialize deep/000/0/candidate: ended by SIGKILL; 3 attempts failed, given up`
 */
export function failedJobLabel({ jobId, failedAttempts, measured, failure }) {
  const attempts = countOf(failedAttempts, 'attempt');
  const ending = measured ? 'then it measured' : 'given up';
  return `${jobId}: ${failure.detail}; ${attempts} failed, ${ending}`;
}
