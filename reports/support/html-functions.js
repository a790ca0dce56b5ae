/** The functions whose time moved between the sides of a cell. */

/** @import { CellExplanation, FunctionChange, Interval } from '../../harness/formats/types.ts' */
/** @import { Content, Markup } from '../document/markup.js' */
/** @import { HtmlColumn, TablePlace } from './html-table.js' */

import { countMore, foldedPart, remarkOnRest } from './html-blocks.js';
import { codeName, joinBlocks, markup } from '../document/markup.js';
import { formatTimeInterval } from './html-figures.js';
import { sourcePlace, toneOfChange } from './html-places.js';
import { htmlTable } from './html-table.js';
import { formatTimeChange, formatCount, formatTimePair } from '../../harness/lib/numbers.js';

/** Of what variants consist of: they need no remark. @type {FunctionChange['kind'][]} */
const OWN_KINDS = ['js', 'code'];

/**
 * The functions whose time moved; more of them folded.
 *
 * @param {CellExplanation} explanation
 * @param {number} most rows that are seen at once; three times as many are folded
 * @returns {Content}
 */
export function functionTable({ functions, rest }, most) {
  const first = functions.slice(0, most);
  const second = functions.slice(most, 4 * most);
  const left = functions.length - first.length - second.length;
  return joinBlocks([
    layOutFunctions(
      'Functions that moved, by the change of their own time, per document; below each change its 95 % interval',
      first,
    ),
    foldedPart(
      countMore(second.length, 'functions'),
      layOutFunctions('More functions, per document', second),
    ),
    remarkOnRest(left, 'functions'),
    rest.functions === 0
      ? null
      : markup`<p class="quiet">All other functions (${formatCount(rest.functions)}) change by ${formatTimeChange(rest.selfNs)} in sum.</p>`,
  ]);
}

/**
 * @param {string} caption
 * @param {FunctionChange[]} functions
 * @returns {Markup}
 */
function layOutFunctions(caption, functions) {
  /** @type {HtmlColumn[]} */
  const columns = [
    { title: 'function', wraps: true },
    { title: 'self: change', align: 'right', sortable: true },
    { title: 'baseline', align: 'right', sortable: true },
    { title: 'candidate', align: 'right', sortable: true },
    { title: 'total: change', align: 'right', sortable: true },
  ];
  return htmlTable({
    caption,
    label: 'Functions that moved',
    columns,
    rows: functions.map(functionRow),
  });
}

/**
 * @param {FunctionChange} change
 * @returns {TablePlace[]}
 */
function functionRow({ name, kind, file, line, baseline, candidate, self, total }) {
  const [before, after] = formatTimePair(baseline?.selfNs, candidate?.selfNs);
  return [
    markup`${codeName(name)}${OWN_KINDS.includes(kind) ? null : markup` <span class="kind">${kind}</span>`}${sourcePlace(file, line)}`,
    changePlace(self),
    { content: baseline === null ? 'absent' : before, sort: baseline?.selfNs ?? null },
    { content: candidate === null ? 'absent' : after, sort: candidate?.selfNs ?? null },
    changePlace(total),
  ];
}

/**
 * A change above its interval.
 *
 * @param {Interval} change nanoseconds
 * @returns {TablePlace}
 */
function changePlace(change) {
  return {
    content: markup`${formatTimeChange(change.estimate)}<span class="below">${formatTimeInterval(change)}</span>`,
    sort: change.estimate,
    tone: toneOfChange(change),
  };
}
