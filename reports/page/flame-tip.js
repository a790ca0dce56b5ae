/// <reference lib="dom" />
/** The tooltip of the frame under the pointer or with the focus. */

/** @import { FlameNode } from './flame-tree.js' */
/** @import { FlameContext } from './flame-words.js' */

import { originOf, shareOf, weightRows } from './flame-words.js';

const GAP_PX = 6;
/** Windows that show it at their lower edge. */
const NARROW = '(max-width: 600px)';

/**
 * @param {HTMLElement} tip
 * @param {Element} element the frame
 * @param {FlameNode} node
 * @param {FlameContext} context
 */
export function showTip(tip, element, node, context) {
  tip.replaceChildren(...writeTip(node, context));
  tip.hidden = false;
  placeTip(tip, element);
}

/** @type {(node: FlameNode, context: FlameContext) => Element[]} text only: names are not trusted */
function writeTip(node, { unit, names, whole }) {
  const table = document.createElement('table');
  table.append(writeRow('th', ['', names.baseline, names.candidate, 'change']));
  for (const { title, baseline, candidate, change } of weightRows(node, unit)) {
    table.append(writeRow('td', [title, baseline, candidate, change]));
  }
  const shares = [shareOf(node, whole, 'baseline'), shareOf(node, whole, 'candidate')];
  table.append(writeRow('td', ['share', ...shares, '']));
  return [
    writeElement('strong', node.name),
    writeElement('span', originOf(node)),
    table,
    writeElement('small', unit === 'ns' ? 'time per document' : 'bytes per document'),
  ];
}

/** @type {(tag: 'th' | 'td', texts: string[]) => HTMLElement} */
function writeRow(tag, texts) {
  const row = document.createElement('tr');
  row.append(...texts.map((text) => writeElement(tag, text)));
  return row;
}

/** @type {(tag: string, text: string) => HTMLElement} */
function writeElement(tag, text) {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

/**
 * Places it below the frame, or above where there is no room, within the window.
 * @param {HTMLElement} tip @param {Element} element
 */
function placeTip(tip, element) {
  tip.style.left = '';
  tip.style.top = '';
  if (matchMedia(NARROW).matches) return;
  const frame = element.getBoundingClientRect();
  const box = tip.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const left = Math.min(Math.max(frame.left, GAP_PX), clientWidth - box.width - GAP_PX);
  const isBelow = frame.bottom + GAP_PX + box.height <= clientHeight;
  const top = isBelow ? frame.bottom + GAP_PX : frame.top - GAP_PX - box.height;
  tip.style.left = `${Math.max(GAP_PX, left)}px`;
  tip.style.top = `${Math.max(GAP_PX, top)}px`;
}
