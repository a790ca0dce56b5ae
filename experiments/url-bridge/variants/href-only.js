/** @import { Addon, BoundVariant } from '../bridge/types.ts' */

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'Lower bound: parses the URL and returns only its href.',
  source: 'none; the minimum cost of returning text from C++',
  neighbour: 'offsets',
  operations: ['cross'],
  differs: ['It creates no URL objects: only the operation cross.'],
};

/** @type {(addon: Addon) => BoundVariant<string>} */
export function bindAddon({ parseToHref }) {
  return { cross: parseToHref, takeHrefLength: (href) => href.length };
}
