/** @import { Addon, BoundVariant } from '../bridge/types.ts' */

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'Lower bound: a URL is parsed, and no more than the length of its href comes back.',
  source: 'what Ada and the call into C++ cost together',
  neighbour: 'href-only',
  operations: ['cross'],
  differs: ['It makes no URL objects: it has the operation cross alone.'],
};

/**
 * @param {Addon} addon
 * @returns {BoundVariant<number>}
 */
export function bindAddon({ parseOnly }) {
  return { cross: parseOnly, takeHrefLength: (length) => length };
}
