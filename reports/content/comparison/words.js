/** How all sections of a comparison name verdicts, versions of Node and parts of a merged run. */

/** @import { Cell, CellComparison, Environment, Manifest, RunPart, StandingClass, Verdict } from '../../../harness/formats/types.ts' */
/** @import { Inline, Span } from '../../document/model.ts' */

import { countOf, formatConfidence, isFigure } from '../../../harness/lib/numbers.js';
import { MIN_HOSTS } from '../../../harness/stats/cell/hosts.js';
import { hasEqualFigures } from '../../../harness/stats/cell/notes.js';
import { sumOf } from '../../../harness/stats/means.js';
import { describeHost } from '../../../harness/stats/notes.js';
import { ratioOf, VERDICTS } from '../../../harness/stats/verdicts.js';
import { separate } from '../build.js';
import { nameRuntime } from '../../../harness/lib/words.js';
import { contrastOf } from '../../../harness/stats/contrast.js';
import { commonFigure } from '../../../harness/stats/figure.js';
import { isMeasured } from './counts.js';

/** @type {(verdict: Verdict) => boolean} whether any cell has a ratio */
export function hasRatios({ cells }) {
  return cells.some((comparison) => isFigure(ratioOf(comparison)?.estimate));
}

/**
 * @param {Pick<CellComparison, 'cell' | 'processes'>[]} cells
 * @returns {string | null} of which cells the outputs were checked, ` of the cells that were timed`: empty for all, null for
 *   none
 */
export function nameChecked(cells) {
  const timed = cells.filter(isMeasured);
  const checked = timed.filter(({ cell }) => cell.unchecked === undefined);
  if (checked.length === 0) return null;
  if (checked.length === cells.length) return '';
  return ` of the cells that were ${checked.length === timed.length ? 'timed' : 'checked'}`;
}

/**
 * The verdict of a cell as tables print it.
 *
 * @param {CellComparison} comparison
 * @param {Manifest['question']['mode']} mode
 * @returns {string} `faster, strong`; in screen mode `screen: faster, strong`; in a ranking `among the best`
 */
export function verdictLabel(comparison, mode) {
  const { strong, effect } = comparison;
  const isEmpty = comparison.verdict === 'inconclusive' && ratioOf(comparison) === null;
  const words = `${nameVerdict(comparison)}${strong && effect !== null ? ', strong' : ''}${isEmpty ? `, ${nameLack(comparison)}` : ''}`;
  return mode === 'screen' ? `screen: ${words}` : words;
}

/** @type {(comparison: CellComparison) => string} why there is no ratio */
export function nameLack(comparison) {
  const { figures, pairs } = comparison;
  if (!isMeasured(comparison)) return 'no data';
  if (sumOf(Object.values(figures)) === 0) return 'no figures';
  if (hasEqualFigures(comparison)) return 'equal figures';
  return pairs === undefined ? 'too few figures' : 'too few pairs';
}

/** @type {Record<StandingClass, string>} */
const STANDINGS = {
  best: 'best',
  'among-the-best': 'among the best',
  'not-the-best': 'not the best',
};

/** @param {CellComparison} comparison */
function nameVerdict({ verdict, standing }) {
  const isRanked = standing !== undefined && verdict !== 'refused' && verdict !== 'untrusted';
  return isRanked ? STANDINGS[standing.class] : verdict;
}

/** @type {(comparison: CellComparison, mode: Manifest['question']['mode']) => Span} */
export function verdictBadge(comparison, mode) {
  const { verdict } = comparison;
  const { sign, tone } = VERDICTS[verdict] ?? { sign: '', tone: 'plain' };
  return { badge: { sign, tone, text: verdictLabel(comparison, mode) } };
}

/**
 * @param {Manifest} manifest
 * @param {Pick<Verdict, 'cells'>} verdict
 * @returns {string | null} which part of a plan the run is: `part 1 of 3 (2 of 6 cells)`
 */
export function partLabel({ question, part }, { cells }) {
  if (part === undefined) return null;
  return `part ${part.index} of ${part.count} (${cells.length} of ${countOf(question.cells.length, 'cell')})`;
}

/** @type {(cell: Pick<Cell, 'title'>) => string} what a time is for: a case of a benchmark file has a title, and no documents */
export function timedUnit({ title }) {
  return title === undefined ? 'document' : 'call';
}

/**
 * @param {Pick<Cell, 'runtime'>} cell or a geometric mean
 * @param {Pick<Environment, 'node'>} environment
 * @returns {string} what runs it, unless its variants are pinned to another: `Node 22.11.0`
 */
export function runtimeOf({ runtime }, environment) {
  return nameRuntime(runtime ?? `node@${environment.node.replace(/^v/, '')}`);
}

/**
 * @param {Cell[]} cells
 * @param {Pick<Environment, 'node'>} environment
 * @returns {string[]} the runtimes that they are measured under, by name and ascending version
 */
export function listRuntimes(cells, environment) {
  const runtimes = new Set(cells.map((cell) => runtimeOf(cell, environment)));
  return [...runtimes].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** @type {(verdict: Pick<Verdict, 'cells'>) => boolean} whether tables have a column for the runtime */
export function hasRuntimeColumn({ cells }) {
  return cells.some(({ cell }) => cell.runtime !== undefined);
}

/**
 * @param {Pick<Manifest['question'], 'cells'>} question
 * @returns {boolean} whether the first calls of processes were timed, instead of warm code
 */
export function timesFirstCalls({ cells }) {
  return commonFigure({ cells }).calls !== '';
}

/** @param {Pick<Manifest['question'], 'cells'>} question @returns {boolean} whether loading alone was timed */
export function timesLoad({ cells }) {
  return commonFigure({ cells }).calls === 'load';
}

/**
 * The comparison of one candidate.
 *
 * @typedef {object} Pair
 * @property {Manifest} manifest with this candidate alone
 * @property {Verdict} verdict with its cells, means and memory alone
 */

/** @type {(manifest: Manifest, verdict: Verdict) => Pair[]} one for each candidate */
export function listPairs(manifest, verdict) {
  const { question, variants } = manifest;
  if (question.candidates.length === 1) return [{ manifest, verdict }];
  return question.candidates.map((spec, number) => {
    const isOwn = (/** @type {{ candidate?: number }} */ { candidate }) => candidate === number;
    const { memory, ...rest } = verdict;
    return {
      manifest: {
        ...manifest,
        question: { ...question, candidates: [spec] },
        variants: { ...variants, candidates: [variants.candidates[number]] },
      },
      verdict: {
        ...rest,
        cells: verdict.cells.filter(({ cell }) => isOwn(cell)),
        summaries: verdict.summaries.filter(isOwn),
        ...(memory && {
          memory: {
            ...memory,
            cells: memory.cells.filter(({ cell }) => isOwn(cell)),
            corpora: memory.corpora.filter(isOwn),
          },
        }),
      },
    };
  });
}

/** @type {(specs: readonly string[]) => Inline} `a`, `a and b`, `a, b and c`, each as code */
export function listSpecs(specs) {
  const codes = specs.map((spec) => ({ code: spec }));
  const [last, ...before] = codes.toReversed();
  return before.length === 0 ? last : [separate(before.toReversed(), ', '), ' and ', last];
}

/**
 * @param {{ baseline: string, candidates: readonly string[], rank?: boolean }} question
 * @returns {Inline} `b and c against a`, of a ranking `a, b and c, ranked`
 */
export function nameComparison(question) {
  const { baseline, candidates } = question;
  if (!contrastOf(question).hasBaseline) return [listSpecs(candidates), ', ranked'];
  return [listSpecs(candidates), ' against ', { code: baseline }];
}

/**
 * @param {Manifest['question']} question
 * @param {{ candidate?: number }} row of a table
 * @returns {Inline[]} a value for its column of candidates, if there are several
 */
export function candidateOf({ candidates }, { candidate = 0 }) {
  return candidates.length === 1 ? [] : [{ code: candidates[candidate] }];
}

/**
 * @param {Pick<Verdict, 'parts'>} verdict
 * @param {string} cellId
 * @returns {RunPart | undefined} the part that measured a cell; none in a run that was not merged
 */
export function partOf({ parts = [] }, cellId) {
  return parts.find(({ cellIds }) => cellIds.includes(cellId));
}

/**
 * @param {number} alpha
 * @param {readonly Pick<CellComparison, 'hosts'>[]} cells whose intervals are named together
 * @returns {string} `98 % interval`; without a level where hosts are too few to hold it
 */
export function nameInterval(alpha, cells) {
  const isOfFew = cells.some(({ hosts }) => (hosts?.effects.length ?? MIN_HOSTS) < MIN_HOSTS);
  return isOfFew ? 'interval on these hosts' : `${formatConfidence(alpha)} interval`;
}

/** @type {(parts: RunPart[]) => number} kinds of machine */
export function countHosts(parts) {
  return new Set(parts.map(({ environment }) => describeHost(environment))).size;
}
