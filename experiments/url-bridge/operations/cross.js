import { readHrefs } from './support/urls.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */
/** @import { BoundVariant } from '../bridge/types.ts' */

const NO_URL = 'null';

/**
 * @typedef {object} State
 * @property {BoundVariant['cross']} cross
 * @property {BoundVariant['takeHrefLength']} takeHrefLength
 * @property {string[]} hrefs
 * @property {unknown} last answer, kept to prevent dead-code elimination
 */

/**
 * The crossing without a URL class, which lower bounds also have. The correctness check compares
 * the length of the href, which every variant knows; for URLs in normal form it is known without
 * parsing.
 * @type {Operation<State>}
 */
export const operation = {
  summary: 'text to C++ and the result back, without creating a URL object',
  defaultCorpora: ['urls-normal'],

  prepare(module, corpus) {
    const { cross, takeHrefLength } = /** @type {BoundVariant} */ (module);
    return { cross, takeHrefLength, hrefs: readHrefs(corpus), last: null };
  },

  run(state, passes) {
    const { cross, hrefs } = state;
    for (let pass = 0; pass < passes; pass++) {
      for (let index = 0; index < hrefs.length; index++) state.last = cross(hrefs[index]);
    }
  },

  output({ cross, takeHrefLength, hrefs }) {
    return hrefs.map(function describeOnce(href) {
      const answer = cross(href);
      return Buffer.from(answer === undefined ? NO_URL : String(takeHrefLength(answer)));
    });
  },

  async explainDifference(expected, found) {
    return {
      path: 'length of the href',
      expected: Buffer.from(expected).toString(),
      found: Buffer.from(found).toString(),
    };
  },
};
