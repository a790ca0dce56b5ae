import { makeLazyPartsUrl } from '../bridge/lazy-parts.js';

/** @import { Addon, BoundVariant } from '../bridge/types.ts' */

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'C++ returns only the href, and its offsets through a shared Uint32Array; parts are sliced when read.',
  source: 'Node 20.0.0 with Ada 2.0.0',
  neighbour: 'callback',
};

/** @type {(addon: Addon) => BoundVariant<string>} */
export function bindAddon(addon) {
  return {
    URL: makeLazyPartsUrl(addon),
    cross: addon.parseToOffsets,
    takeHrefLength: (href) => href.length,
  };
}
