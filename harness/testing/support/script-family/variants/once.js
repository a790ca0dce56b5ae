/** @import { VariantDescription } from '../../../../formats/types.ts' */

/** @type {VariantDescription} */
export const variant = {
  idea: 'does the work once',
  source: 'harness/testing/support/script-family',
};

/** @returns {(document: Uint8Array) => Uint8Array} */
export function openReverser() {
  return reverse;
}

/** @param {Uint8Array} document */
function reverse(document) {
  return Uint8Array.from(document).reverse();
}
