/** The report of a comparison in short, for a terminal: the answer, why, how far to trust it, and what follows. */

/** @import { CellExplanation, Manifest, Verdict } from '../../../harness/formats/types.ts' */
/** @import { RenderInput } from '../../types.ts' */
/** @import { Block, Fact, Format, Section } from '../../document/model.ts' */

import { countOf, formatDuration } from '../../../harness/lib/numbers.js';
import { PROGRAM } from '../../../harness/lib/program.js';
import { listWords, quoteWords } from '../../../harness/lib/words.js';
import { contrastOf } from '../../../harness/stats/contrast.js';
import { nameCell } from '../../../harness/stats/plan.js';
import { ratioOf } from '../../../harness/stats/verdicts.js';
import { plainText } from '../../document/inline.js';
import { REST, countMore, fact, factList, paragraph, section } from '../build.js';
import { measuredLabel, runtimeLabel } from './background.js';
import { makeDifferencesSection } from './checks.js';
import { tabulateVerdicts } from './cells.js';
import { tabulateMarks } from './marks.js';
import { markMemory } from './memory.js';
import { leadsOfSeries } from './series.js';
import { tabulateRanking } from './ranking.js';
import { makeSizesSection } from './sizes.js';
import { listSweeps } from './sweep.js';
import { makeTrustSection } from './trust.js';
import { describeEnd, timeSentences } from './verdict.js';
import { candidateOf, timesFirstCalls } from './words.js';

/** Cells that are explained, those that differ most. */
const MAX_EXPLAINED = 6;
/** Differences from the reference. */
const MAX_DIFFERENCES = 2;

/** @type {(input: RenderInput) => Section[]} */
export function makeAnswer({ manifest, verdict, runPath }) {
  return [
    {
      id: 'answer',
      title: 'Answer',
      untitled: ['terminal', 'markdown'],
      blocks: [...listLeads(manifest, verdict), ...listTables(manifest, verdict)],
    },
    makeDifferencesSection(manifest, verdict, MAX_DIFFERENCES),
    makeReasonsSection(manifest, verdict),
    makeTrustSection(manifest, verdict),
    {
      id: 'next',
      title: 'Next',
      untitled: ['terminal', 'markdown'],
      blocks: [
        factList(listMeasured(manifest, verdict)),
        {
          kind: 'facts',
          facts: listCommands(verdict, runPath ?? manifest.runId),
          only: ['terminal'],
        },
        { kind: 'command', label: 'Repeat', text: manifest.command },
      ],
    },
  ];
}

/** @type {(manifest: Manifest, verdict: Verdict) => Section[]} what a page says beside each other below the verdicts */
export function makePageAnswer(manifest, verdict) {
  const { blocks, ...trust } = makeTrustSection(manifest, verdict);
  const facts = [...listMeasured(manifest, verdict), fact('Repeat', { command: manifest.command })];
  return [
    { ...makeReasonsSection(manifest, verdict), only: ['html'] },
    { ...trust, blocks: [...blocks, factList(facts)], only: ['html'] },
  ];
}

/** @type {(manifest: Manifest, verdict: Verdict) => Block[]} the sentences to take away */
function listLeads(manifest, verdict) {
  const leads = [
    ...timeSentences(manifest, verdict),
    ...leadsOfSeries(manifest.question, verdict).map((lead) => [lead, '.']),
  ];
  return leads.map((text) => paragraph(text, 'lead'));
}

/** @type {(manifest: Manifest, verdict: Verdict) => Block[]} */
function listTables(manifest, verdict) {
  const { question } = manifest;
  const { cells, ended } = verdict;
  const rows = cells.map((comparison) => ({ cell: comparison.cell, comparison }));
  // A table without any ratio would repeat that there is none.
  const isTold = ended === 'refused' || cells.some((comparison) => ratioOf(comparison) !== null);
  const sizes = makeSizesSection(manifest, verdict).blocks.map((block) =>
    block.kind === 'table' ? { ...block, legend: undefined } : block,
  );
  return [
    ...(isTold
      ? [
          onlyForTerminal(tabulateMarks(question, rows, verdict)),
          {
            ...(contrastOf(question).hasBaseline
              ? tabulateVerdicts(manifest, verdict)
              : tabulateRanking(manifest, verdict, { isShort: true })),
            only: /** @type {Format[]} */ (['markdown']),
          },
        ]
      : []),
    ...listSweeps(manifest, verdict),
    ...sizes,
    ...markMemory(manifest, verdict),
  ];
}

/** @type {(block: Block) => Block} */
function onlyForTerminal(block) {
  return { ...block, only: ['terminal'] };
}

/** A space between a time and its unit. */
const BEFORE_UNIT = / (?=(?:ns|µs|ms|s)\b)/g;

/**
 * @param {Pick<CellExplanation, 'summary'>} cell
 * @returns {string | null} why it differs, in one sentence without its end; null where it does not
 */
export function explainBriefly({ summary }) {
  return summary?.replaceAll(BEFORE_UNIT, '\u00a0') ?? null;
}

/** @type {(manifest: Manifest, verdict: Verdict) => Section} a sentence for each cell that differs */
function makeReasonsSection(manifest, verdict) {
  return section('reasons', 'Why', explainCells(manifest, verdict));
}

/** @type {(manifest: Manifest, verdict: Verdict) => Block[]} */
function explainCells({ question }, { explanation }) {
  const cells = (explanation?.cells ?? []).filter((cell) => explainBriefly(cell) !== null);
  const sizeOf = (/** @type {CellExplanation} */ { measured }) => Math.abs(measured?.estimate ?? 0);
  const largest = cells.toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, MAX_EXPLAINED);
  const shown = cells.filter((cell) => largest.includes(cell));
  const left = cells.length - shown.length;
  /** @type {(where: string, only: Format[]) => Block} */
  const tellRest = (where, only) => ({
    ...paragraph(`${countMore(left, 'cells')} ${where}.`, 'quiet'),
    only,
  });
  return [
    factList(
      shown.map((cell) => {
        const names = [nameCell(cell.cell), ...candidateOf(question, cell.cell).map(plainText)];
        return fact(names.join(' '), explainBriefly(cell) ?? '');
      }),
    ),
    ...(left === 0
      ? []
      : [tellRest(REST.terminal, ['terminal']), tellRest(REST.below, ['markdown', 'html'])]),
  ];
}

/** @type {(manifest: Manifest, verdict: Verdict) => Fact[]} what was measured, and what was not */
function listMeasured(manifest, verdict) {
  const { timing, parts } = verdict;
  const isPlain = parts === undefined && timing.observations > 0;
  const measured = isPlain
    ? `${countOf(timing.observations, 'process', 'processes')} in ${formatDuration(timing.wallMs)}`
    : measuredLabel(verdict);
  const missing = timing.observations === 0 ? [] : listMissing(manifest);
  return [
    fact('Measured', `${measured}, ${runtimeLabel(manifest)}`),
    ...(missing.length === 0 ? [] : [fact('Left out', listWords(missing))]),
  ];
}

/** @type {(manifest: Manifest) => string[]} what could have been asked for, too */
function listMissing({ question }) {
  const { memory, explain, placements = 0 } = question;
  if (!contrastOf(question).hasBaseline || timesFirstCalls(question)) return [];
  return [
    ...(memory === 'none' ? ['memory (--memory)'] : []),
    ...(memory === 'only' ? ['times'] : []),
    ...(memory !== 'only' && explain === 'none' ? ['causes (--explain differing)'] : []),
    ...(memory !== 'only' && placements === 0
      ? ['other placements of the code (--placements)']
      : []),
  ];
}

/** @type {(verdict: Verdict, run: string) => Fact[]} the commands that continue and open it here */
function listCommands(verdict, run) {
  const rest = describeEnd(verdict, run)?.command ?? null;
  const path = quoteWords([run]);
  return [
    ...(rest === null ? [] : [fact('Continue', { command: rest })]),
    fact('Open', { command: `${PROGRAM} open ${path}` }),
  ];
}
