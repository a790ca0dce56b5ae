import { makeNamedPartsUrl } from '../bridge/named-parts.js';

/** @import { Addon, BoundVariant, Parts } from '../bridge/types.ts' */

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'C++ creates an object with ten properties for each parsed URL.',
  source: 'NODE-URL: the form that Node avoided because of the cost of serializing objects',
};

/** @type {(addon: Addon) => BoundVariant<Parts>} */
export function bindAddon({ parseToObject }) {
  return {
    URL: makeNamedPartsUrl(parseToObject),
    cross: parseToObject,
    takeHrefLength: ({ href }) => href.length,
  };
}
