import { makeNamedPartsUrl } from '../bridge/named-parts.js';

/** @import { Addon, BoundVariant, Parts, TakeParts } from '../bridge/types.ts' */

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'C++ calls a JavaScript function with ten strings, which creates the object.',
  source: "Node 18 to 19.9: internalBinding('url').parse(input, onParseComplete)",
  neighbour: 'object',
};

/**
 * One function for all URLs. Node created one for each URL, which is a separate cost.
 * @type {TakeParts<Parts>}
 */
function takeParts(
  href,
  origin,
  protocol,
  hostname,
  pathname,
  search,
  username,
  password,
  port,
  hash,
) {
  return {
    href,
    origin,
    protocol,
    hostname,
    pathname,
    search,
    username,
    password,
    port,
    hash,
  };
}

/** @type {(addon: Addon) => BoundVariant<Parts>} */
export function bindAddon({ parseToCallback }) {
  return {
    URL: makeNamedPartsUrl(parseWithCallback),
    cross: parseWithCallback,
    takeHrefLength: ({ href }) => href.length,
  };

  /** @param {string} input */
  function parseWithCallback(input) {
    return parseToCallback(input, takeParts);
  }
}
