import { UsageError } from '../../../../harness/lib/errors.js';
import { describeUrl, explainUrlDifference, readHrefs } from './urls.js';

/** @import { Operation } from '../../../../harness/formats/types.ts' */
/** @import { BoundVariant, Parts, UrlClass, UrlObject } from '../../bridge/types.ts' */

/**
 * @typedef {object} State
 * @property {UrlClass} URL
 * @property {string[]} hrefs
 * @property {UrlObject | null} last result of the latest call, kept to prevent dead-code elimination
 * @property {Partial<Parts>} kept the parts that were read
 */

/**
 * An operation that constructs a URL from every text and reads parts of it.
 * @type {(summary: string, read: (url: UrlObject, kept: Partial<Parts>) => void) => Operation<State>}
 */
export function makeConstructOperation(summary, read) {
  return {
    summary,
    readsDocuments: true,

    prepare(module, corpus) {
      return { URL: takeUrlClass(module), hrefs: readHrefs(corpus), last: null, kept: {} };
    },

    run(state, passes) {
      const { URL, hrefs, kept } = state;
      for (let pass = 0; pass < passes; pass++) {
        for (let index = 0; index < hrefs.length; index++) {
          const url = constructUrl(URL, hrefs[index]);
          if (url !== null) read(url, kept);
          state.last = url;
        }
      }
    },

    output({ URL, hrefs }) {
      return hrefs.map(function describeOnce(href) {
        return Buffer.from(describeUrl(constructUrl(URL, href)));
      });
    },

    explainDifference: explainUrlDifference,
  };
}

/**
 * An operation of the series that shows after how many getters lazy reading becomes slower.
 * @param {number} count getters read
 * @returns {Operation<State>}
 */
export function makeGettersOperation(count) {
  return {
    ...makeConstructOperation(
      `text to a URL object, of which ${count} of ten getters are read`,
      makeGettersReader(count),
    ),
    series: { name: 'getters', label: 'getters read', at: count },
  };
}

/**
 * @param {object} module namespace of the variant
 * @returns {UrlClass}
 * @throws {UsageError} when it is a lower bound
 */
export function takeUrlClass(module) {
  const { URL } = /** @type {Partial<BoundVariant>} */ (module);
  if (URL !== undefined) return URL;
  throw new UsageError('this variant is a lower bound and creates no URL objects', {
    remedy: 'use the operation cross',
  });
}

/** @type {(URL: UrlClass, href: string) => UrlObject | null} null for an invalid URL */
export function constructUrl(URL, href) {
  try {
    return new URL(href);
  } catch {
    return null;
  }
}

/**
 * Reads the first getters of a URL, in the order in which programs typically need them: for routing
 * in a server, for connecting in a client, the rest. Each part is kept in its own property, to
 * prevent dead-code elimination.
 * @param {number} count 0 to 10
 * @returns {(url: UrlObject, kept: Partial<Parts>) => void}
 */
export function makeGettersReader(count) {
  return function readGetters(url, kept) {
    if (count > 0) kept.pathname = url.pathname;
    if (count > 1) kept.search = url.search;
    if (count > 2) kept.hostname = url.hostname;
    if (count > 3) kept.protocol = url.protocol;
    if (count > 4) kept.port = url.port;
    if (count > 5) kept.href = url.href;
    if (count > 6) kept.origin = url.origin;
    if (count > 7) kept.hash = url.hash;
    if (count > 8) kept.username = url.username;
    if (count > 9) kept.password = url.password;
  };
}
