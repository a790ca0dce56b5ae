/** @import { Operation } from '../../../formats/types.ts' */

/** @type {Operation<{ readDocument: () => object, documents: number, last: object | null }>} */
export const operation = {
  summary: 'makes an object of known size for each document of the corpus',
  prepare(module, corpus) {
    const { readDocument } = /** @type {{ readDocument: () => object }} */ (module);
    return { readDocument, documents: corpus.documentCount, last: null };
  },
  run(state, passes) {
    for (let left = passes * state.documents; left > 0; left--) state.last = state.readDocument();
  },
  output: () => [],
  explainDifference: async () => ({ path: '', expected: '', found: '' }),
};
