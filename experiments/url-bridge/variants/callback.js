import { makeNamedPartsUrl } from '../bridge/named-parts.js';

/** @import { Addon, BoundVariant, Parts, TakeParts } from '../bridge/types.ts' */

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'C++ calls a JavaScript function with ten strings, which makes the object of them.',
  source: "Node 18 to 19.9: internalBinding('url').parse(input, onParseComplete)",
  neighbour: 'object',
};

/**
 * One function serves all URLs: Node made one for each, which is a cost of its own.
 *
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

/**
 * @param {Addon} addon
 * @returns {BoundVariant<Parts>}
 */
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
