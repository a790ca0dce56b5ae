/** Sections of a report as parts of a page. */

/** @import { Fact } from '../../support/run-facts.js' */
/** @import { Content } from '../../document/markup.js' */
/** @import { TablePlace } from '../../support/html-table.js' */
/** @import { PartColumn, PartTable, ReportPart } from '../types.ts' */

import { linkAssets, PAGE_ASSETS } from '../../document/page.js';
import { factList, foldedPart, pageSection } from '../../support/html-blocks.js';
import { codeLines, codeName, joinBlocks, markup } from '../../document/markup.js';
import { writePage } from '../../document/page.js';
import { htmlTable } from '../../support/html-table.js';

const STYLE = './calibration/calibration.css';

/** For `assets` of a renderer. */
export const REPORT_ASSETS = [...PAGE_ASSETS, STYLE];

/**
 * A section that the navigation leads to.
 *
 * @typedef {{ id: string, title: string, body: Content }} Place
 */

/**
 * @param {ReportPart} part
 * @param {Content[]} [plots] above its tables
 * @returns {Place}
 */
export function makePlace({ id, title, sentences, tables, isDetail }, plots = []) {
  const drawn = tables.map(drawTable).filter(({ text }) => text !== '');
  const body =
    drawn.length === 0
      ? []
      : [
          ...sentences.map((sentence) => markup`<p>${sentence}</p>`),
          plots.length === 0 ? null : markup`<div class="plots">${joinBlocks(plots)}</div>`,
          isDetail === true ? foldedPart('The figures', drawn) : drawn,
        ];
  return { id, title, body: pageSection(id, title, body) };
}

/** @param {PartTable} table */
function drawTable({ caption, columns, rows }) {
  return htmlTable({
    caption,
    label: caption,
    columns: columns.map(({ title, align, kind }) => ({ title, align, wraps: kind === 'prose' })),
    rows: rows.map((row) =>
      columns.map((column, index) => drawEntry(column, row[index] ?? '', index === 0)),
    ),
  });
}

/**
 * @param {PartColumn} column
 * @param {string} text
 * @param {boolean} isFirst
 * @returns {TablePlace}
 */
function drawEntry({ kind }, text, isFirst) {
  const content = kind === 'name' ? codeName(text) : text;
  return isFirst ? { content, tone: 'row-name' } : content;
}

/**
 * @param {string} id
 * @param {string} title
 * @param {Fact[]} facts
 * @returns {Place}
 */
export function makeFactPlace(id, title, facts) {
  return { id, title, body: pageSection(id, title, [factList(facts)]) };
}

/**
 * @param {string} command
 * @param {Fact[]} facts
 * @returns {Place}
 */
export function makeRepeatPlace(command, facts) {
  const title = 'How to repeat it';
  const line = markup`<div class="command">${codeLines(command)}<button type="button" class="copy" hidden>Copy</button></div>`;
  return { id: 'repeat', title, body: pageSection('repeat', title, [line, factList(facts)]) };
}

/**
 * @param {string[]} sentences the first of them leads
 * @param {string} basis
 * @param {string | null} end why there is no more of it
 * @returns {Place}
 */
export function makeSummaryPlace(sentences, basis, end) {
  const body = pageSection('summary', 'Summary', [
    ...sentences.map((sentence) => markup`<p class="lead">${sentence}</p>`),
    markup`<p class="basis">${basis}.</p>`,
    end === null ? null : markup`<p class="remark">${end}</p>`,
  ]);
  return { id: 'summary', title: 'Summary', body };
}

/**
 * The whole page. Without `assets` it has neither style nor script and can still be read.
 *
 * @param {object} page
 * @param {string} page.title
 * @param {string} page.eyebrow
 * @param {Place[]} page.places
 * @param {string} page.footer
 * @param {Record<string, string> | undefined} assets
 * @returns {string} ends with a line end
 */
export function drawPage({ title, eyebrow, places, footer }, assets) {
  const kept = places.filter(({ body }) => body !== null);
  const linked = linkAssets(assets, false);
  const ownStyle = assets?.[STYLE];
  return writePage({
    title: `${title} – Assay`,
    ...linked,
    styles: [...linked.styles, ...(ownStyle === undefined ? [] : [ownStyle])],
    header: markup`<div class="title">
<p class="eyebrow">${eyebrow}</p>
<h1>${title}</h1>
</div>
<label class="theme" hidden>Theme <select id="theme"><option value="system">system</option><option value="light">light</option><option value="dark">dark</option></select></label>`,
    places: kept,
    main: joinBlocks(kept.map(({ body }) => body)),
    footer: markup`<p>${footer}</p>`,
  });
}
