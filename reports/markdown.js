/** The report for a pull request: GitHub Markdown that fits in one comment. */

/** @import { RenderInput, Renderer } from './types.ts' */

import { calibrationLine } from './support/calibration-line.js';
import { codeSpan, escapeProse, hiddenMarker, escapeControlDeeply } from '../harness/lib/escape.js';
import { joinSections, LARGEST_LENGTH } from './support/join-sections.js';
import { describeContracts } from './support/markdown-contract.js';
import {
  describeCommand,
  describeHost,
  describeMethod,
  describeRepeat,
} from './support/markdown-details.js';
import { differenceList } from './support/markdown-differences.js';
import { failedJobList } from './support/markdown-failed-jobs.js';
import { makeExplanationSection } from './content/comparison/explanation.js';
import { layoutTable } from './support/markdown-layouts.js';
import { makeMemorySection } from './content/comparison/memory.js';
import { writeSection } from './document/markdown.js';
import { cellTable, noteList, summaryTable } from './support/markdown-results.js';
import { runtimeTable } from './support/markdown-runtimes.js';
import { seriesSection } from './support/markdown-series.js';
import { verdictSentence } from './support/verdict-sentence.js';
import { endLabel } from './support/verdict-words.js';

/** A sentence is never cut, since a cut may open what it does not close. */
const LARGEST_SENTENCE_LENGTH = 10_000;

/** @type {Renderer} */
export const renderer = { name: 'markdown', fileName: 'report.md', render: renderMarkdown };

/**
 * The report, always below 60 000 characters. Where it would be longer, whole sections are
 * shortened or left out, the least needed first, and the report says which.
 *
 * @param {RenderInput} input
 * @param {string} [firstLine] hidden: by which a program finds its comment again
 * @returns {string} ends with a line end
 */
export function renderMarkdown(input, firstLine = hiddenMarker(input.manifest.runId)) {
  const manifest = escapeControlDeeply(input.manifest);
  const verdict = escapeControlDeeply(input.verdict);
  // The first section to go is the one with the highest rank.
  const sections = [
    {
      name: 'series',
      rank: 3,
      text: seriesSection(manifest, verdict),
      shorter: seriesSection(manifest, verdict, 'short'),
    },
    { name: 'versions of Node', rank: 3, text: runtimeTable(manifest, verdict) },
    {
      name: 'cells',
      rank: 2,
      text: cellTable(manifest, verdict),
      shorter: cellTable(manifest, verdict, 'short'),
    },
    { name: 'layouts', rank: 3, text: layoutTable(verdict) },
    { name: 'geometric means', rank: 1, text: summaryTable(manifest, verdict) },
    { name: 'calibration', rank: 1, text: citeCalibration(manifest, verdict) },
    { name: 'how to repeat', rank: 0, text: describeCommand(manifest) },
    {
      name: 'why',
      rank: 4,
      ...formsOf(makeExplanationSection(manifest, verdict)),
    },
    {
      name: 'memory',
      rank: 5,
      ...formsOf(makeMemorySection(manifest, verdict)),
    },
    { name: 'notes', rank: 6, text: noteList(verdict) },
    { name: 'differences', rank: 7, text: differenceList(manifest, verdict) },
    { name: 'behaviour contract', rank: 8, text: describeContracts(manifest) },
    { name: 'failed jobs', rank: 9, text: failedJobList(verdict) },
    { name: 'what was measured', rank: 0, text: describeRepeat(manifest, verdict) },
    { name: 'host', rank: 10, text: describeHost(manifest, verdict) },
    { name: 'method', rank: 11, text: describeMethod(manifest, verdict) },
  ];
  const head = [firstLine, ...describeOutcome({ manifest, verdict })];
  return `${joinSections(head.join('\n\n'), sections, LARGEST_LENGTH)}\n`;
}

/**
 * @param {Pick<RenderInput, 'manifest' | 'verdict'>} input
 * @returns {string[]} paragraphs
 */
function describeOutcome({ manifest, verdict }) {
  const sentence = verdictSentence(manifest, verdict, codeSpan);
  const paragraphs = [
    sentence.length <= LARGEST_SENTENCE_LENGTH
      ? `**${sentence}**`
      : '**The names are too long for a sentence; the verdict is in the table of cells.**',
  ];
  if (manifest.question.mode === 'screen') {
    paragraphs.push(
      'Screen mode measures under `--predictable`: a fast look, not a claim. Repeat without `--screen` before you publish a figure.',
    );
  }
  const ended = endLabel(verdict, manifest.runId);
  if (ended !== null) paragraphs.push(escapeProse(ended));
  return paragraphs;
}

/**
 * @param {RenderInput['manifest']} manifest
 * @param {RenderInput['verdict']} verdict
 * @returns {string} empty where the host was not calibrated
 */
function citeCalibration({ question }, { calibration }) {
  return escapeProse(calibrationLine(calibration, question.mode) ?? '');
}

/**
 * @param {import('./document/model.ts').Section} section
 * @returns {{ text: string, shorter: string }}
 */
function formsOf(section) {
  const { blocks, short = blocks } = section;
  return { text: writeSection(section), shorter: writeSection({ ...section, blocks: short }) };
}
