/** The report for a terminal or a pipe: plain text that fits its width. */

/** @import { RenderInput, Renderer } from './types.ts' */

import { calibrationLine } from './support/calibration-line.js';
import { escapeControl, escapeControlDeeply } from '../harness/lib/escape.js';
import { hostsRemark } from './support/host-parts.js';
import { meansRemark } from './support/means-remark.js';
import { formatConfidence, formatShare } from '../harness/lib/numbers.js';
import { makePainter } from './support/paint.js';
import { runtimeLabel } from './support/runtime-facts.js';
import { listContracts } from './support/terminal-contract.js';
import { makeExplanationSection } from './content/comparison/explanation.js';
import { listDifferences, listFailedJobs, listNotes } from './support/terminal-lists.js';
import { layOutLayouts } from './support/terminal-layouts.js';
import { makeMemorySection } from './content/comparison/memory.js';
import { layOutSection } from './document/terminal.js';
import { listOrigins } from './support/terminal-origins.js';
import { layOutRuntimes } from './support/terminal-runtimes.js';
import { tellSeries } from './support/terminal-series.js';
import { layOutDetailTable, layOutTimeTable } from './support/terminal-tables.js';
import { verdictSentence } from './support/verdict-sentence.js';
import { endLabel, hasFigures, measuredLabel } from './support/verdict-words.js';
import { wrapCommand, wrapText } from '../harness/lib/wrap.js';

const DEFAULT_WIDTH = 80;
const LABEL_WIDTH = 10;

/** @import { Page } from './support/terminal-lists.js' */

/** @type {Renderer} */
export const renderer = { name: 'terminal', fileName: null, render: renderTerminal };

/**
 * The report as lines of at most `width` columns, each with a line end.
 *
 * @param {RenderInput} input
 * @returns {string}
 */
export function renderTerminal(input) {
  const page = {
    input: {
      ...input,
      manifest: escapeControlDeeply(input.manifest),
      verdict: escapeControlDeeply(input.verdict),
      ...(input.runPath === undefined ? {} : { runPath: escapeControl(input.runPath) }),
    },
    width: input.width ?? DEFAULT_WIDTH,
    paint: makePainter(input.color ?? false),
  };
  const sections = [
    describeOutcome(page),
    tellSeries(page),
    layOutRuntimes(page.input, page.width, page.paint),
    layOutTimeTable(page.input, page.width, page.paint),
    layOutDetailTable(page.input, page.width, page.paint),
    explainColumns(page),
    citeCalibration(page),
    layOutLayouts(page),
    drawSection(
      makeExplanationSection(page.input.manifest, page.input.verdict, page.input.runPath),
      page,
    ),
    listDifferences(page),
    listContracts(page.input.manifest, page.width, page.paint),
    listFailedJobs(page),
    listNotes(page),
    drawSection(makeMemorySection(page.input.manifest, page.input.verdict), page),
    describeRun(page),
  ];
  const blocks = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${blocks.join('\n\n')}\n`;
}

/**
 * @param {Page} page
 * @returns {string[]}
 */
function describeOutcome({ input: { manifest, verdict, runPath }, width, paint }) {
  const lines = wrapText(verdictSentence(manifest, verdict), width).map((line) =>
    paint(line, 'title'),
  );
  if (manifest.question.mode === 'screen') {
    const text =
      'Screen mode measures under --predictable: a fast look, not a claim. Repeat without --screen before you publish a figure.';
    lines.push(...wrapText(text, width).map((line) => paint(line, 'doubtful')));
  }
  const ended = endLabel(verdict, runPath);
  if (ended !== null) {
    lines.push(...wrapText(ended, width).map((line) => paint(line, 'doubtful')));
  }
  return lines;
}

/**
 * @param {Page} page
 * @returns {string[]}
 */
function explainColumns({ input: { manifest, verdict }, width, paint }) {
  if (!hasFigures(verdict)) return [];
  const margin = formatShare(manifest.question.minimumEffect);
  const confidence = formatConfidence(manifest.question.alpha);
  const sentences = [
    `Ratio: candidate ÷ baseline time, below 1 is faster. Plot: its ${confidence} interval on a log axis; │ marks 1, ┊ the minimum effect (${margin}).`,
    'Control: the baseline against itself, A′/A. Detects: the smallest effect found 4 times in 5.',
  ];
  if (verdict.cells.some(({ strong }) => strong)) {
    sentences.push('Strong: the whole interval lies beyond the minimum effect.');
  }
  if (verdict.cells.some((cell) => cell.verdict === 'inconclusive')) {
    sentences.push(
      'Inconclusive rows: processes a side so far, and about how many would settle it.',
    );
  }
  for (const remark of [hostsRemark(manifest), meansRemark(manifest, verdict)]) {
    if (remark !== null) sentences.push(remark);
  }
  return wrapText(sentences.join(' '), width).map((line) => paint(line, 'quiet'));
}

/**
 * @param {Page} page
 * @returns {string[]} none where this host was not calibrated
 */
function citeCalibration({ input: { manifest, verdict }, width }) {
  const line = calibrationLine(verdict.calibration, manifest.question.mode);
  return line === null ? [] : wrapText(line, width);
}

/**
 * @param {Page} page
 * @returns {string[]}
 */
function describeRun({ input: { manifest, verdict, runPath }, width }) {
  const { seed, mode } = manifest.question;
  const measured = `${measuredLabel(verdict, manifest)}; seed ${seed}, ${mode} mode, ${runtimeLabel(manifest)}`;
  return [
    ...wrapText(measured, width, { first: 'Measured'.padEnd(LABEL_WIDTH) }),
    ...listOrigins(manifest, width, LABEL_WIDTH),
    ...wrapCommand(manifest.command, width, { first: 'Repeat'.padEnd(LABEL_WIDTH) }),
    `${'Run'.padEnd(LABEL_WIDTH)}${runPath ?? manifest.runId}`,
  ];
}

/**
 * @param {import('./document/model.ts').Section} section
 * @param {Page} page
 * @returns {string[]}
 */
function drawSection(section, page) {
  return layOutSection(section, page).flatMap((block, index) =>
    index === 0 ? block : ['', ...block],
  );
}
