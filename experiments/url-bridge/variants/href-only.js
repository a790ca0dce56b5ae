/** @import { Addon, BoundVariant } from '../bridge/types.ts' */

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'Lower bound: of a parsed URL only the href comes back.',
  source: 'what any way across the border that gives text must pay',
  neighbour: 'offsets',
  operations: ['cross'],
  differs: ['It makes no URL objects: it has the operation cross alone.'],
};

/**
 * @param {Addon} addon
 * @returns {BoundVariant<string>}
 */
export function bindAddon({ parseToHref }) {
  return { cross: parseToHref, takeHrefLength: (href) => href.length };
}
