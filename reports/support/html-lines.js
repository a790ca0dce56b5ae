/** Source lines with the weight that they have themselves. */

/** @import { ProfileView, SourceLine } from '../types.ts' */
/** @import { Content, Markup } from '../document/markup.js' */

import { foldedPart } from './html-blocks.js';
import { codeName, joinBlocks, markup } from '../document/markup.js';
import { sourcePlace } from './html-places.js';
import { htmlTable } from './html-table.js';
import { formatBytes, countOf, formatTime, NO_FIGURE } from '../../harness/lib/numbers.js';

/** Characters; a line of a minified file has no end. */
const LARGEST_LINE_LENGTH = 200;

/** What the figures of a profile come from, in words. @type {Record<ProfileView['source'], string>} */
const SOURCE_NAMES = {
  'v8-cpu-profile': 'V8’s sampling profiler',
  perf: 'perf',
  'v8-heap-profile': 'V8’s sampling heap profiler',
};

/**
 * Source lines with what is spent on them, the heaviest first.
 *
 * @param {ProfileView[]} views
 * @param {number} most lines a view
 * @returns {Content}
 */
export function lineTables(views, most) {
  return joinBlocks(
    views.map((view) => {
      const shown = view.lines.slice(0, most);
      if (shown.length === 0) return null;
      return foldedPart(
        `Source lines, by ${SOURCE_NAMES[view.source]}`,
        joinBlocks([layOutLines(view, shown), remarkOnLines(view.lines.length - shown.length)]),
      );
    }),
  );
}

/** @param {number} count */
function remarkOnLines(count) {
  return count <= 0
    ? null
    : markup`<p class="quiet">${countOf(count, 'more line')}, lighter than these.</p>`;
}

/**
 * @param {ProfileView} view
 * @param {SourceLine[]} lines
 * @returns {Markup}
 */
function layOutLines({ source, differential }, lines) {
  const isBytes = differential.unit === 'bytes';
  const format = (/** @type {number} */ weight) =>
    weight === 0 ? NO_FIGURE : isBytes ? formatBytes(weight) : formatTime(weight);
  return htmlTable({
    caption: `Source lines with ${isBytes ? 'the bytes allocated' : 'the time spent'} on them, per document, by ${SOURCE_NAMES[source]}`,
    label: 'Source lines',
    kind: 'lines',
    columns: [
      { title: 'line' },
      { title: 'baseline', align: 'right', sortable: true },
      { title: 'candidate', align: 'right', sortable: true },
      { title: 'source', wraps: true },
    ],
    rows: lines.map(({ file, line, name, text, baseline, candidate }) => [
      markup`${codeName(name)}${sourcePlace(file, line)}`,
      { content: format(baseline), sort: baseline },
      { content: format(candidate), sort: candidate },
      text === null ? null : markup`<code class="source">${shortenLine(text.trim())}</code>`,
    ]),
  });
}

/** @param {string} text */
function shortenLine(text) {
  return text.length <= LARGEST_LINE_LENGTH ? text : `${text.slice(0, LARGEST_LINE_LENGTH)}…`;
}
