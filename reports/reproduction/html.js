/** What became of claims, to read: one page that opens anywhere and asks for nothing. */

/** @import { Reproduction } from '../../harness/formats/types.ts' */
/** @import { Content } from '../document/markup.js' */
/** @import { ReproductionInput, ReproductionRenderer } from './types.ts' */

import { listEnvironmentFacts } from '../support/environment-facts.js';
import { showInvisibleDeeply } from '../../harness/lib/escape.js';
import { linkAssets, PAGE_ASSETS } from '../document/page.js';
import { factList, pageSection } from '../support/html-blocks.js';
import { codeLines, codeName, joinBlocks, markup } from '../document/markup.js';
import { writePage } from '../document/page.js';
import { summarize, tellEnd, tellMeasured } from './support/claim-words.js';
import { listRepeatFacts } from '../support/repeat-facts.js';
import { sourcePart } from './support/html-source.js';

const STYLE = './reproduction/reproduction.css';

/** @type {ReproductionRenderer} */
export const renderer = {
  name: 'html',
  fileName: 'reproduction.html',
  assets: [...PAGE_ASSETS, STYLE],
  render: renderHtml,
};

/**
 * The whole page. Without `assets` it has neither style nor script and can still be read.
 *
 * @param {ReproductionInput} input
 * @returns {string} ends with a line end
 */
export function renderHtml({ reproduction, assets }) {
  const shown = showInvisibleDeeply(reproduction);
  const { sources, told, environment, assay, id } = shown;
  const sections = [
    { id: 'summary', title: 'Summary', body: summaryPart(shown) },
    ...sources.map((source, index) => ({
      id: `source-${index + 1}`,
      title: source.id,
      body: sourcePart(
        source,
        told.filter(({ claim }) => claim.source === source.id),
        `source-${index + 1}`,
      ),
    })),
    {
      id: 'host',
      title: 'Host',
      body: pageSection('host', 'Host', [
        factList(listEnvironmentFacts(shown.environment, 'Node of Assay')),
      ]),
    },
    { id: 'repeat', title: 'Repeat', body: repeatPart(shown) },
  ].filter(({ body }) => body !== null);
  const linked = linkAssets(assets, false);
  const ownStyle = assets?.[STYLE];
  return writePage({
    title: `${nameSources(shown)} on ${environment.cpuModel} – Assay`,
    ...linked,
    styles: [...linked.styles, ...(ownStyle === undefined ? [] : [ownStyle])],
    header: pageHeader(shown),
    places: sections,
    main: joinBlocks(sections.map(({ body }) => body)),
    footer: markup`<p>Assay ${assay.version} · ${codeName(id)}</p>`,
  });
}

/**
 * @param {Reproduction} reproduction
 * @returns {string}
 */
function nameSources({ sources }) {
  return sources.length === 0 ? 'No claim' : sources.map(({ id }) => id).join(', ');
}

/**
 * @param {Reproduction} reproduction
 * @returns {Content}
 */
function pageHeader(reproduction) {
  return markup`<div class="title">
<p class="eyebrow">Assay reproduction · ${reproduction.createdAt.slice(0, 10)}</p>
<h1>Does ${nameSources(reproduction)} hold here?</h1>
</div>
<label class="theme" hidden>Theme <select id="theme"><option value="system">system</option><option value="light">light</option><option value="dark">dark</option></select></label>`;
}

/**
 * @param {Reproduction} reproduction
 * @returns {Content}
 */
function summaryPart(reproduction) {
  const { environment, told } = reproduction;
  const end = tellEnd(reproduction);
  return pageSection('summary', 'Summary', [
    markup`<p class="lead">${summarize(told)}</p>`,
    markup`<p class="basis">${tellMeasured(reproduction)}, on ${environment.cpuCount} × ${environment.cpuModel}. Ratios are candidate ÷ baseline, of times or of bytes: below 1 is faster or smaller. A claim is reproduced when the interval measured here overlaps the claimed ratio within its tolerance, is no wider than that range, and, where a difference was claimed, does not contain 1. A wider interval is inconclusive.</p>`,
    end === null ? null : markup`<p class="remark">${end}</p>`,
  ]);
}

/**
 * @param {Reproduction} reproduction
 * @returns {Content}
 */
function repeatPart(reproduction) {
  return pageSection('repeat', 'How to repeat it', [
    markup`<div class="command">${codeLines(reproduction.command)}<button type="button" class="copy" hidden>Copy</button></div>`,
    factList(listRepeatFacts(reproduction)),
  ]);
}
