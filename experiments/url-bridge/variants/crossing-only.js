/** @import { Addon, BoundVariant } from '../bridge/types.ts' */

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'Lower bound: the text goes into C++ and is not parsed; its length in bytes comes back.',
  source: 'what the call into C++ and the copy of the text cost',
  neighbour: 'parse-only',
  operations: ['cross'],
  differs: [
    'It makes no URL objects and knows no URL from other text: it has the operation cross alone, on URLs that are their own href.',
  ],
};

/**
 * @param {Addon} addon
 * @returns {BoundVariant<number>}
 */
export function bindAddon({ crossOnly }) {
  return { cross: crossOnly, takeHrefLength: (length) => length };
}
