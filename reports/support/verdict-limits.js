/** What a verdict holds for, before it is told. */

/** @import { Manifest, Verdict } from '../../harness/formats/types.ts' */

import { hasNodeColumn, listVersions } from './runtime-matrix.js';
import { partLabel } from './verdict-words.js';

/**
 * What a verdict holds for, where that is not a whole plan in default mode under the Node that
 * ran Assay.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @param {(name: string) => string} quote how names are written
 * @returns {string} `Screen mode, part 1 of 3 (2 of 6 cells), Node 22.11.0: `; empty for most
 */
export function describeLimits({ question, environment }, verdict, quote) {
  const part = partLabel(question);
  const versions = listVersions(question.cells, environment).map(quote).join(', ');
  const limits = [
    ...(question.mode === 'screen' ? ['screen mode'] : []),
    ...(part === null ? [] : [part]),
    ...(hasNodeColumn(verdict) ? [`Node ${versions}`] : []),
  ].join(', ');
  return limits === '' ? '' : `${limits.charAt(0).toUpperCase()}${limits.slice(1)}: `;
}
