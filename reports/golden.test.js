/**
 * Reports against the texts kept in `golden/`. After an intended change, write them again with
 * `ASSAY_UPDATE_GOLDEN=1` before the test command, and read the diff.
 */

/** @import { RenderInput } from './types.ts' */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { makeExplanationSection } from './content/comparison/explanation.js';
import { makeMemorySection } from './content/comparison/memory.js';
import { describeColumns, describeEdit } from './content/watch.js';
import { renderHtml as renderPage } from './document/html.js';
import { renderMarkdown as renderComment, writeSection } from './document/markdown.js';
import { renderTerminal as renderText } from './document/terminal.js';
import { DOCUMENTS } from './fixtures/documents.js';
import { explainedRun, makeObservations } from './fixtures/explained.js';
import { makeNotedMemoryReport } from './fixtures/memory.js';
import {
  renderAnswer,
  renderHtml,
  renderMarkdown,
  renderTerminal,
  summarizePage,
} from './fixtures/render.js';
import { RECORDED_RUN_NAMES, recordedRun } from './fixtures/runs.js';
import { makeEdits } from './fixtures/watch.js';

const MUST_UPDATE = process.env.ASSAY_UPDATE_GOLDEN === '1';
const GOLDEN = new URL('golden/', import.meta.url);
const WIDTHS = [60, 80, 120];
/** Kept elsewhere. */
const OTHERS = /^live-table/;

const explained = explainedRun();
const memory = makeNotedMemoryReport();
const series = recordedRun('series');
const SECTIONS = {
  'explanation-section': makeExplanationSection(
    explained.manifest,
    explained.verdict,
    explained.runPath,
  ),
  'memory-section': makeMemorySection(memory.manifest, memory.verdict),
};
const PAGES = {
  explained,
  series: { ...series, observations: series.verdict.cells.flatMap(makeObservations) },
  ...Object.fromEntries(
    ['candidates', 'cold', 'fleet', 'merged', 'placements', 'ranking', 'refused', 'runtimes'].map(
      (name) => [name, recordedRun(name)],
    ),
  ),
};

/** @type {[name: string, write: () => string][]} */
const GOLDENS = [
  named('explained.terminal', () => renderFrames(explained)),
  ...RECORDED_RUN_NAMES.flatMap((name) => [
    named(`${name}.terminal`, () => renderFrames(recordedRun(name))),
    named(`${name}.full`, () => renderTerminal(recordedRun(name))),
    named(`${name}.markdown`, () => renderMarkdown(recordedRun(name))),
  ]),
  named('watch-lines', () =>
    WIDTHS.map((width) => `==== ${width} columns ====\n\n${drawEdits(width)}`).join('\n'),
  ),
  ...Object.entries(SECTIONS).flatMap(([name, section]) => [
    named(`${name}.terminal`, () => renderText({ sections: [section] })),
    named(`${name}.markdown`, () => `${writeSection(section)}\n`),
  ]),
  ...Object.entries(PAGES).map(([name, run]) =>
    named(`${name}.page`, () => summarizePage(renderHtml(run))),
  ),
  ...Object.entries(DOCUMENTS).flatMap(([kind, { variants, describe, isPublished = false }]) => {
    const [first, second = first] = Object.values(variants);
    const renderAll = (full = false) =>
      Object.entries(variants)
        .map(([name, data]) => `==== ${name} ====\n\n${renderText(describe(data), { full })}`)
        .join('\n');
    return [
      named(`document-${kind}.terminal`, () => renderAll()),
      ...(describe(first).brief === undefined
        ? []
        : [named(`document-${kind}.full`, () => renderAll(true))]),
      named(`document-${kind}.markdown`, () => renderComment(describe(first))),
      ...(isPublished
        ? [named(`document-${kind}.page`, () => summarizePage(renderPage(describe(second))))]
        : []),
    ];
  }),
];

/** What a terminal prints by default. @param {RenderInput} run @returns {string} in terminals of several widths */
function renderFrames(run) {
  return WIDTHS.map(
    (width) => `==== ${width} columns ====\n\n${renderAnswer(run, { width })}`,
  ).join('\n');
}

/** @type {(name: string, write: () => string) => [string, () => string]} */
function named(name, write) {
  return [name, write];
}

/** @type {(width: number) => string} the lines that `watch` prints */
function drawEdits(width) {
  const showTime = (/** @type {string} */ at) => at.slice(11, 16);
  const style = { width, color: false, minimumEffect: 0.03, showTime };
  const lines = [
    describeColumns(style),
    ...makeEdits().flatMap((edit) => describeEdit(edit, style)),
  ];
  return `${lines.join('\n')}\n`;
}

test.each(GOLDENS)('%s reads as kept', (name, write) => {
  const file = new URL(`${name}.txt`, GOLDEN);
  const text = write();
  if (MUST_UPDATE) writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, 'utf8'));
});

test('each text that is kept belongs to a report', () => {
  const kept = readdirSync(GOLDEN).filter((file) => !OTHERS.test(file));
  expect(kept.sort()).toEqual(GOLDENS.map(([name]) => `${name}.txt`).sort());
});
