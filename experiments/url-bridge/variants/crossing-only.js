/** @import { Addon, BoundVariant } from '../bridge/types.ts' */

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'Lower bound: passes the text to C++, which returns its length in bytes without parsing.',
  source: 'none; the cost of the call into C++ and of copying the text',
  neighbour: 'parse-only',
  operations: ['cross'],
  differs: [
    'It creates no URL objects and accepts any text: only the operation cross, on URLs in normal form.',
  ],
};

/** @type {(addon: Addon) => BoundVariant<number>} */
export function bindAddon({ crossOnly }) {
  return { cross: crossOnly, takeHrefLength: (length) => length };
}
