/** What a stranger needs to repeat a run: command, seed, versions, digests. */

/** @import { Manifest, ResolvedVariant, Verdict } from '../../harness/formats/types.ts' */
/** @import { Content } from '../document/markup.js' */

import { factList, pageSection } from './html-blocks.js';
import { codeLines, codeName, joinBlocks, markup } from '../document/markup.js';
import { htmlTable } from './html-table.js';
import { formatCount, formatSize, NO_FIGURE } from '../../harness/lib/numbers.js';
import { listRepeatFacts } from './run-facts.js';

/**
 * Command, seed, versions, and the digests of variants and corpora.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {Content}
 */
export function repeatPart(manifest, verdict) {
  return pageSection('repeat', 'How to repeat it', [
    markup`<div class="command">${codeLines(manifest.command)}<button type="button" class="copy" hidden>Copy</button></div>`,
    factList(listRepeatFacts(manifest, verdict)),
    variantTable(manifest),
    corpusTable(manifest),
  ]);
}

/**
 * @param {Manifest} manifest
 * @returns {Content}
 */
function variantTable({ variants }) {
  const sides = /** @type {const} */ (['baseline', 'candidate', 'reference']);
  return htmlTable({
    caption: 'Variants',
    label: 'Variants',
    columns: [
      { title: 'side' },
      { title: 'variant' },
      { title: 'version' },
      { title: 'idea', wraps: true },
      { title: 'digest' },
    ],
    rows: sides.map((side) => [side, ...describeVariant(variants[side])]),
  });
}

/**
 * @param {ResolvedVariant} variant
 * @returns {Content[]}
 */
function describeVariant({ spec, version, idea, digest, integrity }) {
  const digests = [digest, ...(integrity === undefined ? [] : [integrity])];
  return [
    codeName(spec),
    version === undefined ? NO_FIGURE : codeName(version),
    idea || NO_FIGURE,
    markup`<span class="digest">${joinBlocks(digests.map(codeName))}</span>`,
  ];
}

/**
 * @param {Manifest} manifest
 * @returns {Content}
 */
function corpusTable({ corpora }) {
  return htmlTable({
    caption: 'Corpora',
    label: 'Corpora',
    columns: [
      { title: 'corpus' },
      { title: 'provenance' },
      { title: 'documents', align: 'right' },
      { title: 'size', align: 'right' },
      { title: 'digest' },
    ],
    rows: corpora.map(({ label, provenance, documentCount, sizeBytes, digest }) => [
      codeName(label),
      provenance,
      formatCount(documentCount),
      formatSize(sizeBytes),
      markup`<span class="digest">${codeName(digest)}</span>`,
    ]),
  });
}
