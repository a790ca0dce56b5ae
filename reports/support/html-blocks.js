/** Small parts that many sections of the page use. */

/** @import { CellComparison } from '../../harness/formats/types.ts' */
/** @import { Content } from '../document/markup.js' */

import { joinBlocks, markup } from '../document/markup.js';
import { formatCount } from '../../harness/lib/numbers.js';
import { VERDICT_SIGNS } from './verdict-words.js';

/**
 * @param {string} id
 * @param {string} title
 * @param {Content[]} blocks
 * @returns {Content} a section of the page with a heading; nothing without blocks
 */
export function pageSection(id, title, blocks) {
  const body = joinBlocks(blocks);
  if (body.text === '') return null;
  return markup`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${body}
</section>`;
}

/**
 * @param {Content} summary
 * @param {Content} body
 * @param {boolean} [isOpen]
 * @returns {Content} a part that can be folded away; nothing without a body
 */
export function foldedPart(summary, body, isOpen = false) {
  const text = joinBlocks([body]);
  if (text.text === '') return null;
  return markup`<details${isOpen ? markup` open` : null}><summary>${summary}</summary>
${text}
</details>`;
}

/**
 * A word with its sign, coloured by what it means.
 *
 * @param {CellComparison['verdict']} verdict
 * @param {string} label
 * @returns {Content}
 */
export function verdictBadge(verdict, label) {
  return markup`<span class="badge ${verdict}"><span aria-hidden="true">${VERDICT_SIGNS[verdict] ?? ''}</span> ${label}</span>`;
}

/**
 * Names and texts below each other.
 *
 * @param {[string, Content][]} facts
 * @returns {Content}
 */
export function factList(facts) {
  const rows = facts.map(([name, text]) => markup`<div><dt>${name}</dt><dd>${text}</dd></div>`);
  return markup`<dl class="facts">
${joinBlocks(rows)}
</dl>`;
}

/**
 * Says what a list leaves out.
 *
 * @param {number} count
 * @param {string} what several are called: `functions`
 * @returns {Content} nothing where nothing was left out
 */
export function remarkOnRest(count, what) {
  if (count <= 0) return null;
  return markup`<p class="quiet">${countMore(count, what)} in verdict.json.</p>`;
}

/**
 * @param {number} count
 * @param {string} what several are called; one is called the same without its last letter
 * @returns {string} `1 more function`, `2 more functions`
 */
export function countMore(count, what) {
  return `${formatCount(count)} more ${count === 1 ? what.slice(0, -1) : what}`;
}

/**
 * @param {number[]} numbers of notes
 * @returns {Content} links to them
 */
export function noteLinks(numbers) {
  return numbers.map((number, index) => [
    index === 0 ? null : ', ',
    markup`<a href="#note-${number}" aria-label="note ${number}">${number}</a>`,
  ]);
}
