import { makeListedPartsUrl } from '../bridge/listed-parts.js';

/** @import { Addon, BoundVariant, PartList } from '../bridge/types.ts' */

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'C++ creates an array of ten strings for each parsed URL.',
  source: 'NODE-URL: an object without names, to measure what the names cost',
  neighbour: 'object',
};

/** @type {(addon: Addon) => BoundVariant<PartList>} */
export function bindAddon({ parseToArray }) {
  return {
    URL: makeListedPartsUrl(parseToArray),
    cross: parseToArray,
    takeHrefLength: ([href]) => href.length,
  };
}
