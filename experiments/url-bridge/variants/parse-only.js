/** @import { Addon, BoundVariant } from '../bridge/types.ts' */

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'Lower bound: parses the URL and returns only the length of its href.',
  source: 'none; the cost of Ada and of the call into C++',
  neighbour: 'href-only',
  operations: ['cross'],
  differs: ['It creates no URL objects: only the operation cross.'],
};

/** @type {(addon: Addon) => BoundVariant<number>} */
export function bindAddon({ parseOnly }) {
  return { cross: parseOnly, takeHrefLength: (length) => length };
}
