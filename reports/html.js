/** The report to read: one page that opens anywhere and asks for nothing. */

/** @import { RenderInput, Renderer } from './types.ts' */
/** @import { Content } from './document/markup.js' */
/** @import { Detail } from './content/comparison/cell.js' */

import { escapeControlDeeply } from '../harness/lib/escape.js';
import { hostPart, methodPart } from './support/html-background.js';
import { pageSection } from './support/html-blocks.js';
import { describedCells, makeCellsSection } from './content/comparison/cell.js';
import { cellTable } from './support/html-cell-table.js';
import { contractPart, differencePart, failedJobPart } from './support/html-checks.js';
import { linkAssets, PAGE_ASSETS } from './document/page.js';
import { codeName, joinBlocks, markup } from './document/markup.js';
import { makeMemorySection } from './content/comparison/memory.js';
import { writeSection } from './document/html.js';
import { writePage } from './document/page.js';
import { repeatPart } from './support/html-repeat.js';
import { replayData } from './support/html-replay.js';
import { runtimeTable } from './support/html-runtimes.js';
import { seriesPlots } from './support/html-series.js';
import { hostsLine, noteSection, summaryTable, verdictLead } from './support/html-verdict.js';

/** Bytes; more is slow to open on a phone and to attach to a pull request. */
const LARGEST_SIZE = 2_000_000;

/** From everything to the least; the first that fits is taken. @type {Detail[]} */
const DETAILS = [
  { rows: 12, lines: 25, plots: 'all', nodes: 1500 },
  { rows: 8, lines: 12, plots: 'differing', nodes: 400 },
  { rows: 4, lines: 0, plots: 'none', nodes: 0 },
];

/** @type {Renderer} */
export const renderer = {
  name: 'html',
  fileName: 'report.html',
  assets: PAGE_ASSETS,
  render: renderHtml,
};

/**
 * The whole page. Where it would be too large, its tables, plots and flamegraphs are cut down step
 * by step, and a remark says so. Without `assets` it has neither style nor script and can still be
 * read.
 *
 * @param {RenderInput} input
 * @returns {string} ends with a line end
 */
export function renderHtml(input) {
  const shown = {
    ...input,
    manifest: escapeControlDeeply(input.manifest),
    // The replay record is not shown but read again, and has escapes of its own.
    verdict: { ...escapeControlDeeply(input.verdict), replay: input.verdict.replay },
    observations: escapeControlDeeply(input.observations ?? []),
    profiles: escapeControlDeeply(input.profiles ?? []),
  };
  let page = '';
  for (const [step, detail] of DETAILS.entries()) {
    page = layOutPage(shown, detail, step > 0);
    if (sizeOf(page) <= LARGEST_SIZE) return page;
  }
  return page;
}

/** @param {string} page */
function sizeOf(page) {
  return new TextEncoder().encode(page).length;
}

/**
 * @param {RenderInput} input
 * @param {Detail} detail
 * @param {boolean} isCut
 * @returns {string}
 */
function layOutPage(input, detail, isCut) {
  const { manifest, verdict, profiles = [], assets } = input;
  const { baseline, candidate, family } = manifest.question;
  const cut = isCut
    ? markup`<p class="remark">Kept under 2 MB: tables, plots and flamegraphs are shorter than they could be. verdict.json and the files of the run have everything.</p>`
    : null;
  const sections = [
    {
      id: 'verdict',
      title: 'Verdict',
      body: pageSection('verdict', 'Verdict', [
        verdictLead(manifest, verdict),
        cut,
        seriesPlots(manifest, verdict, input.observations ?? []),
        runtimeTable(manifest, verdict),
        hostsLine(manifest),
        cellTable(manifest, verdict, describedCells(input)),
        summaryTable(manifest, verdict),
      ]),
    },
    { id: 'notes', title: 'Notes', body: noteSection(verdict) },
    { id: 'cells', title: 'Cells', body: writeSection(makeCellsSection(input, detail)) },
    { id: 'memory', title: 'Memory', body: writeSection(makeMemorySection(manifest, verdict)) },
    { id: 'contract', title: 'Contract', body: contractPart(manifest) },
    { id: 'differences', title: 'Differences', body: differencePart(manifest, verdict) },
    { id: 'failed-jobs', title: 'Failed jobs', body: failedJobPart(verdict) },
    { id: 'host', title: 'Host', body: hostPart(manifest, verdict) },
    { id: 'method', title: 'Method', body: methodPart(manifest, verdict) },
    { id: 'repeat', title: 'Repeat', body: repeatPart(manifest, verdict) },
  ].filter(({ body }) => body !== null);
  return writePage({
    title: `${candidate} against ${baseline} – Assay`,
    ...linkAssets(assets, profiles.length > 0),
    header: pageHeader(family, baseline, candidate, manifest.createdAt),
    places: sections,
    main: joinBlocks([...sections.map(({ body }) => body), replayData(verdict.replay)]),
    footer: markup`<p>Assay ${manifest.assay.version} · run ${codeName(manifest.runId)}</p>`,
  });
}

/**
 * @param {string} family
 * @param {string} baseline
 * @param {string} candidate
 * @param {string} createdAt
 * @returns {Content}
 */
function pageHeader(family, baseline, candidate, createdAt) {
  return markup`<div class="title">
<p class="eyebrow">Assay report · ${family} · ${createdAt.slice(0, 10)}</p>
<h1>${codeName(candidate)} against ${codeName(baseline)}</h1>
</div>
<label class="theme" hidden>Theme <select id="theme"><option value="system">system</option><option value="light">light</option><option value="dark">dark</option></select></label>`;
}
