/** Documents as one page that opens anywhere and asks for nothing. */

/** @import { Block, Cell, Column, Document, Fact, Figure, Inline, ListItem, Section, Table } from './model.ts' */
/** @import { Content } from './markup.js' */
/** @import { InlineWriter } from './inline.js' */
/** @import { PageSources } from './page.js' */

import { drawRatio, drawRatioTicks } from './ratio-plot.js';
import {
  cellsOf,
  partsFor,
  plainText,
  rangesOf,
  readCell,
  readItem,
  toneOf,
  visibleText,
  writeInline,
} from './inline.js';
import {
  codeLines,
  codeName,
  escapeHtml,
  joinBlocks,
  Markup,
  markup,
  scriptJson,
} from './markup.js';
import { linkAssets } from './assets.js';
import { writePage } from './page.js';
import { axisOf } from './range-plot.js';

/** Bytes; more is slow to open on a phone and to attach to a pull request. */
const MAX_SIZE = 2_000_000;
/** Pixels. */
const PLOT_WIDTH = 150;

/**
 * @param {(() => Document)[]} documents the same with less and less detail
 * @param {Record<string, string>} [assets]
 * @returns {string} the page of the first that is small enough, else of the last
 */
export function renderSmallHtml(documents, assets) {
  let page = '';
  for (const makeDocument of documents) {
    page = renderHtml(makeDocument(), assets);
    if (new TextEncoder().encode(page).length <= MAX_SIZE) return page;
  }
  return page;
}

/**
 * The whole page. Without `assets` it has neither style nor script and can still be read.
 *
 * @param {Document} document
 * @param {Record<string, string>} [assets] texts of `PAGE_ASSETS`, by name
 * @returns {string} ends with a line end
 */
export function renderHtml(document, assets) {
  return writeDocument(document, (main) => linkAssets(assets, main.includes('flamegraph')));
}

/**
 * A page of a site: its style and scripts are files that all pages share.
 * @type {(document: Document, sources: PageSources) => string} ends with a line end
 */
export function renderSitePage(document, sources) {
  return writeDocument(document, () => sources);
}

/** @type {(document: Document, sourcesOf: (main: string) => PageSources) => string} */
function writeDocument({ title, eyebrow, sections, footer, embedded, pages }, sourcesOf) {
  const written = partsFor(sections, 'html')
    .map((section) => ({ ...section, body: writeSection(section) }))
    .filter(({ body }) => body !== null);
  const main = joinBlocks(written.map(({ body }) => body));
  const places = written.filter(({ untitled }) => untitled?.includes('html') !== true);
  return writePage({
    title: `${plainText(title)} – Assay`,
    ...sourcesOf(main.text),
    header: markup`<div class="title">
<p class="eyebrow">${eyebrow}</p>
<h1>${writeText(title)}</h1>
</div>
<label class="theme" hidden>Theme <select id="theme"><option value="system">system</option><option value="light">light</option><option value="dark">dark</option></select></label>`,
    navigation:
      pages === undefined
        ? {
            name: 'On this page',
            links: places.map((place) => ({ href: `#${place.id}`, title: place.title })),
          }
        : {
            name: 'Pages',
            links: pages.map(({ path, text, isHere }) => ({
              ...{ href: hrefOf(path), title: visibleText(text) },
              ...(isHere === true ? { isHere } : {}),
            })),
          },
    main: joinBlocks([main, embedded === undefined ? null : writeEmbedded(embedded)]),
    footer: markup`<p>${writeText(footer)}</p>`,
  });
}

/**
 * Data in ASCII alone: it survives being saved in another encoding, and hides no character.
 * @type {(embedded: NonNullable<Document['embedded']>) => Markup}
 */
function writeEmbedded({ start, end, data }) {
  const json = scriptJson(data).text.replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return new Markup(start + json + end);
}

/** @type {(section: Section) => Content} null where nothing is in it */
export function writeSection({ id, title, blocks, folded, untitled }) {
  const body = writeBlocks(blocks);
  if (body.text === '') return null;
  if (untitled?.includes('html')) {
    return markup`<section id="${id}" aria-label="${title}">
${body}
</section>`;
  }
  const heading = markup`<h2 id="${id}-title">${title}</h2>`;
  if (folded?.includes('html')) return fold(heading, body, { id });
  return markup`<section id="${id}" aria-labelledby="${id}-title">
${heading}
${body}
</section>`;
}

/**
 * @param {Content} summary
 * @param {Content} body
 * @param {{ id?: string | undefined, name?: string | undefined }} attributes `name`: its class
 * @returns {Markup}
 */
function fold(summary, body, { id, name }) {
  return markup`<details${id === undefined ? null : markup` id="${id}"`}${className(name)}><summary>${summary}</summary>
${body}
</details>`;
}

/** @type {(blocks: Block[]) => Markup} */
function writeBlocks(blocks) {
  return joinBlocks(partsFor(blocks, 'html').map(writeBlock));
}

/** @type {(block: Block) => Content} null where nothing is in it */
function writeBlock(block) {
  switch (block.kind) {
    case 'paragraph':
      return block.role === undefined
        ? markup`<p>${writeText(block.text)}</p>`
        : markup`<p class="${block.role}">${writeText(block.text)}</p>`;
    case 'table':
      return writeTable(block);
    case 'facts':
      return block.facts.length === 0
        ? null
        : markup`<dl class="facts">
${joinBlocks(block.facts.map(writeFact))}
</dl>`;
    case 'list':
      return writeList(block.items.map(writeItem));
    case 'notes':
      return block.notes.length === 0
        ? null
        : markup`<ol class="notes">
${joinBlocks(block.notes.map(({ number, text }) => markup`<li id="note-${number}" value="${number}">${writeText(text)}</li>`))}
</ol>`;
    case 'command':
      return writeCommand(block.text);
    case 'output':
      return codeLines(block.text);
    case 'figure':
      return writeFigure(block);
    case 'figures': {
      const { name, figures } = block;
      const drawn = joinBlocks(figures.map(writeFigure));
      if (drawn.text === '') return null;
      return markup`<div class="plots${name === undefined ? null : ` ${name}`}">
${drawn}
</div>`;
    }
    case 'group':
      return writeGroup(block);
  }
}

/** @param {Figure} figure */
function writeFigure({ draw, caption, captionSide = 'below', fallback }) {
  const drawn = draw();
  if (drawn.text === '') return drawn;
  const parts =
    caption === undefined ? [] : [drawn, markup`<figcaption>${writeText(caption)}</figcaption>`];
  const ordered = captionSide === 'above' ? parts.toReversed() : parts;
  const figure =
    caption === undefined
      ? drawn
      : markup`<figure>
${joinBlocks(ordered)}
</figure>`;
  if (fallback === undefined) return figure;
  return joinBlocks([figure, markup`<noscript>${writeTable(fallback)}</noscript>`]);
}

/** @type {(item: ListItem) => Markup} */
function writeItem(item) {
  const { text, items, mark } = readItem(item);
  const inner = items.map((one) => markup`<li>${writeText(one)}</li>`);
  const sign = mark && markup`<span class="${mark.tone}">${mark.sign}</span> `;
  return markup`<li${mark && markup` class="marked"`}>${sign}${writeText(text)}${inner.length === 0 ? null : markup`<ul>${inner}</ul>`}</li>`;
}

/** @param {Markup[]} items */
function writeList(items) {
  return items.length === 0
    ? null
    : markup`<ul>
${joinBlocks(items)}
</ul>`;
}

/** @param {string} text */
function writeCommand(text) {
  return markup`<div class="command">${codeLines(text)}<button type="button" class="copy" hidden>Copy</button></div>`;
}

/** @type {(group: import('./model.ts').Group) => Content} */
function writeGroup({ title, id, blocks, folded, untitled, name }) {
  const body = writeBlocks(blocks);
  if (body.text === '') return null;
  const isFolded = folded?.includes('html') ?? false;
  if (untitled?.includes('html') && !isFolded) return body;
  if (id === undefined) {
    if (isFolded) return fold(writeText(title), body, { name });
    return markup`<h4>${writeText(title)}</h4>
${body}`;
  }
  const heading = markup`<h3 id="${id}-title">${writeText(title)}</h3>`;
  if (isFolded) return fold(heading, body, { id, name });
  return markup`<section id="${id}"${className(name)} aria-labelledby="${id}-title">
${heading}
${body}
</section>`;
}

/** @type {(name: string | undefined) => Content} an attribute */
function className(name) {
  return name === undefined || name === '' ? null : markup` class="${name}"`;
}

/** @type {(path: string) => string} never another host or a script, whatever the path holds */
function hrefOf(path) {
  return `./${visibleText(path).split('/').map(encodeURIComponent).join('/')}`;
}

/** @type {InlineWriter} */
const HTML = {
  text: (text) => markup`${visibleText(text)}`.text,
  code: (text) => codeName(visibleText(text)).text,
  strong: (inner) => `<strong>${inner}</strong>`,
  toned: (inner, tone) => (tone === 'plain' ? inner : `<span class="${tone}">${inner}</span>`),
  badge: ({ tone, sign, text }) =>
    markup`<span class="badge ${tone}"><span aria-hidden="true">${sign}</span> ${visibleText(text)}</span>`
      .text,
  notes: (numbers) =>
    numbers
      .map(
        (number) =>
          markup`<a href="#note-${number}" aria-label="note ${number}">${number}</a>`.text,
      )
      .join(', '),
  place: (file, line) => {
    const nameStart = file.lastIndexOf('/') + 1;
    const directory = markup`<span class="directory">${visibleText(file.slice(0, nameStart))}</span>`;
    const name = visibleText(file.slice(nameStart));
    return markup`<span class="place">${nameStart === 0 ? null : directory}${name}${line === null ? null : `:${line}`}</span>`
      .text;
  },
  file: (path) =>
    markup`<a href="${hrefOf(path)}">${visibleText(path.slice(path.lastIndexOf('/') + 1))}</a>`
      .text,
  page: (inner, path) => markup`<a href="${hrefOf(path)}">${new Markup(inner)}</a>`.text,
  link: (inner, id) => `<a href="#${escapeHtml(id)}">${inner}</a>`,
  lineBreak: '<br>',
};

/** @type {(inline: Inline) => Markup} */
function writeText(inline) {
  return new Markup(writeInline(inline, HTML));
}

/** @param {Fact} fact */
function writeFact([name, text]) {
  const isCommand = typeof text === 'object' && !Array.isArray(text) && 'command' in text;
  const shown = isCommand ? writeCommand(text.command) : writeText(text);
  return markup`<div><dt>${visibleText(name)}</dt><dd>${shown}</dd></div>`;
}

/**
 * A table with a caption, a header a column and a header a row. It scrolls by itself where the page
 * is too narrow for it.
 * @type {(table: Table) => Content} null without rows
 */
function writeTable(table) {
  const { name = '', caption = '', label, rows, legend } = table;
  if (rows.length === 0) return null;
  const columns = partsFor(table.columns, 'html').map((column) => writeColumn(table, column));
  const isSortable = rows.length > 1 && columns.some(({ column }) => column.sortable);
  const classes = `${name}${isSortable ? ' sortable' : ''}`.trim();
  const drawn = markup`<div class="scroll" role="group" aria-label="${label ?? plainText(caption)}" tabindex="0">
<table${className(classes)}>
<caption>${writeText(caption)}</caption>
<thead><tr>${columns.map(writeHeader)}</tr></thead>
<tbody>
${joinBlocks(rows.map((_, row) => markup`<tr>${columns.map(({ cells }) => cells[row] ?? null)}</tr>`))}
</tbody>
</table>
</div>`;
  if (legend === undefined) return drawn;
  return joinBlocks([drawn, markup`<p class="quiet">${writeText(legend)}</p>`]);
}

/** @type {(column: { column: Column, title: Content }) => Markup} */
function writeHeader({ column: { align, sortable, hint }, title }) {
  const attributes = [
    align === 'right' ? markup` class="figure"` : null,
    sortable === true ? markup` data-sortable` : null,
    hint === undefined ? null : markup` title="${hint}"`,
  ];
  return markup`<th scope="col"${attributes}>${title}</th>`;
}

/** @type {(table: Table, column: Column) => { column: Column, title: Content, cells: Markup[] }} */
function writeColumn(table, column) {
  const index = table.columns.indexOf(column);
  const isHeader = index === 0;
  if (column.kind === 'plot') {
    const plotted = rangesOf(table, column);
    const axis = axisOf(plotted, column, PLOT_WIDTH);
    const cells = plotted.map((one) => markup`<td>${drawRatio(axis, one)}</td>`);
    return { column, title: drawRatioTicks(axis), cells };
  }
  const cells = table.rows.map((row) => writeCell(column, cellsOf(row)[index] ?? '', isHeader));
  return { column, title: column.drawTitle?.() ?? column.title, cells };
}

/** @type {(column: Column, cell: Cell, isHeader: boolean) => Markup} */
function writeCell({ align, kind }, cell, isHeader) {
  if (typeof cell === 'object' && 'draw' in cell) return markup`<td>${cell.draw()}</td>`;
  const { value, sort, tone = toneOf(value) } = readCell(cell);
  const kinds = [
    align === 'right' ? 'figure' : '',
    kind === 'prose' || kind === 'name' ? 'wraps' : '',
    tone === 'plain' ? '' : tone,
  ];
  const classes = kinds.filter((one) => one !== '').join(' ');
  const attributes = [
    classes === '' ? null : markup` class="${classes}"`,
    sort === undefined ? null : markup` data-sort="${sort ?? ''}"`,
  ];
  const text = writeText(value);
  return isHeader
    ? markup`<th scope="row"${attributes}>${text}</th>`
    : markup`<td${attributes}>${text}</td>`;
}
