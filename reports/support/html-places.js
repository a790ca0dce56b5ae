/** Places in the source and changes, as the tables of a cell write them. */

/** @import { Interval } from '../../harness/formats/types.ts' */
/** @import { Content } from '../document/markup.js' */

import { markup } from '../document/markup.js';

/**
 * @param {Interval} change
 * @returns {string} a colour only where the interval excludes 0
 */
export function toneOfChange({ low, high }) {
  if (low > 0) return 'bad';
  return high < 0 ? 'good' : '';
}

/**
 * @param {string | null} file
 * @param {number | null} line
 * @returns {Content} on a line of its own; nothing without a file
 */
export function sourcePlace(file, line) {
  if (file === null) return null;
  const nameStart = file.lastIndexOf('/') + 1;
  const directory = markup`<span class="directory">${file.slice(0, nameStart)}</span>`;
  const place = line === null ? file.slice(nameStart) : `${file.slice(nameStart)}:${line}`;
  return markup`<span class="place">${nameStart === 0 ? null : directory}${place}</span>`;
}
