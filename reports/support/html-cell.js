/** The section of one cell: its figures, its processes, and why it differs. */

/** @import { CellComparison, CellExplanation, Manifest, Observation } from '../../harness/formats/types.ts' */
/** @import { CellProfiles } from '../types.ts' */
/** @import { Content } from '../document/markup.js' */

import { allocationTable, collectionTable } from './html-allocation.js';
import { foldedPart, noteLinks, verdictBadge } from './html-blocks.js';
import { causeTable } from './html-causes.js';
import { cacheTable, deoptTable, tierTable } from './html-engine.js';
import { codeName, joinBlocks, markup } from '../document/markup.js';
import { flamegraphSection } from '../figures/flamegraph.js';
import { functionTable } from './html-functions.js';
import { lineTables } from './html-lines.js';
import { observationPlots } from './html-observations.js';
import { valueTable } from './html-values.js';
import { artefactList, witnessTable } from './html-witnesses.js';
import { describeLayout } from './layout-rows.js';
import { countOf, formatInterval, formatRatio, formatTimePair } from '../../harness/lib/numbers.js';
import { processesLabel, verdictLabel } from './verdict-words.js';

/**
 * How much of a cell is shown.
 *
 * @typedef {object} Detail
 * @property {number} rows of a table that are seen at once
 * @property {number} lines of source
 * @property {'all' | 'differing' | 'none'} plots
 * @property {number} nodes of each flamegraph at most; without any there is none
 */

/**
 * @typedef {object} CellParts
 * @property {number} number of its row in the table, from 1
 * @property {CellComparison} comparison
 * @property {Observation[]} observations
 * @property {CellExplanation | undefined} explanation
 * @property {CellProfiles | undefined} profiles
 */

/**
 * @param {CellParts} parts
 * @returns {boolean} whether there is more to say than the table does
 */
export function hasSomething({ comparison, observations, explanation, profiles }) {
  return (
    comparison.effect !== null ||
    observations.length > 0 ||
    explanation !== undefined ||
    profiles !== undefined
  );
}

/**
 * @param {CellParts} parts
 * @param {{ question: Manifest['question'], detail: Detail }} context
 * @returns {Content}
 */
export function cellSection(parts, { question, detail }) {
  const { number, comparison, explanation } = parts;
  const isDifferent = comparison.verdict === 'faster' || comparison.verdict === 'slower';
  const plots =
    detail.plots === 'all' || (detail.plots === 'differing' && isDifferent)
      ? observationPlots(comparison, parts.observations, question)
      : null;
  const reasons = explainedParts(parts, question, detail);
  const paragraphs = (explanation?.paragraph ?? []).map((text) => markup`<p>${text}</p>`);
  const id = `cell-${number}`;
  return markup`<section id="${id}" class="cell" aria-labelledby="${id}-title">
<h3 id="${id}-title">${codeName(comparison.cell.id)} ${verdictBadge(comparison.verdict, verdictLabel(comparison, question.mode))}</h3>
${joinBlocks([
  figureLine(comparison),
  layoutLine(comparison),
  paragraphs.length === 0
    ? null
    : markup`<div class="explanation">\n${joinBlocks(paragraphs)}\n</div>`,
  isDifferent ? plots : foldedPart('Processes', plots),
  isDifferent ? reasons : foldedPart('Profiles', reasons),
])}
</section>`;
}

/**
 * @param {CellComparison} comparison
 * @returns {Content}
 */
function figureLine(comparison) {
  const { effect, control, failedJobs, warnings } = comparison;
  const [before, after] = formatTimePair(comparison.baselineNs, comparison.candidateNs);
  if (effect === null) return markup`<p class="figures">No figures.</p>`;
  const parts = [
    `${before} → ${after} per document`,
    `ratio ${formatRatio(effect.ratio.estimate)} (${formatInterval(effect.ratio)})`,
    `control ${formatRatio(control?.ratio.estimate)} (${formatInterval(control?.ratio)})`,
    `processes a side: ${processesLabel(comparison)}`,
    ...(failedJobs === 0 ? [] : [countOf(failedJobs, 'failed job')]),
  ];
  const notes = warnings.length === 0 ? null : markup` · notes ${noteLinks(warnings)}`;
  return markup`<p class="figures">${parts.join(' · ')}${notes}</p>`;
}

/**
 * @param {CellComparison} comparison
 * @returns {Content} nothing where the cell was not measured in other layouts
 */
function layoutLine({ layout }) {
  if (layout === undefined) return null;
  const { ratio, interval, spread, layouts } = describeLayout(layout);
  return markup`<p class="figures">The same code in other places: ratio ${ratio} (${interval}) · spread ${spread} · ${layouts} layouts × processes a side</p>`;
}

/**
 * @param {CellParts} parts
 * @param {Manifest['question']} question
 * @param {Detail} detail
 * @returns {Content} nothing where the cell was not profiled
 */
function explainedParts({ explanation, profiles }, question, detail) {
  const sides = { baseline: question.baseline, candidate: question.candidate };
  const graph =
    profiles === undefined || detail.nodes === 0
      ? null
      : flamegraphSection(profiles, sides, detail.nodes);
  const lines = profiles === undefined ? null : lineTables(profiles.views, detail.lines);
  if (explanation === undefined) return joinBlocks([titled('Flamegraph', [graph, lines])]);
  return joinBlocks([
    titled('Where the time went', [
      causeTable(explanation, detail.rows),
      functionTable(explanation, detail.rows),
    ]),
    titled('Flamegraph', [graph, lines]),
    titled('What V8 did', [
      deoptTable(explanation, detail.rows),
      cacheTable(explanation, detail.rows),
      tierTable(explanation, detail.rows),
      valueTable(explanation),
    ]),
    titled('Allocation and garbage collection', [
      allocationTable(explanation, detail.rows),
      collectionTable(explanation),
    ]),
    titled('Other witnesses', [witnessTable(explanation)]),
    artefactList(explanation),
  ]);
}

/**
 * @param {string} title
 * @param {Content[]} blocks
 * @returns {Content} nothing where the blocks are empty
 */
function titled(title, blocks) {
  const body = joinBlocks(blocks);
  if (body.text === '') return null;
  return markup`<h4>${title}</h4>
${body}`;
}
