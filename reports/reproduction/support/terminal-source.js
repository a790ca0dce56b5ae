/** @import { ClaimSource } from '../../../harness/formats/types.ts' */
/** @import { makePainter } from '../../support/paint.js' */

import { showInvisible } from '../../../harness/lib/escape.js';
import { wrapText } from '../../../harness/lib/wrap.js';

/**
 * The head of what a terminal shows of a source.
 *
 * @param {ClaimSource} source
 * @param {number} width columns
 * @param {ReturnType<typeof makePainter>} paint
 * @returns {string[]}
 */
export function describeSource({ id, title, reference, conditions }, width, paint) {
  const background = showInvisible(`${reference}. Reported from: ${conditions}.`);
  return [
    ...wrapText(showInvisible(`${id}: ${title}`), width).map((line) => paint(line, 'title')),
    ...wrapText(background, width).map((line) => paint(line, 'quiet')),
  ];
}
