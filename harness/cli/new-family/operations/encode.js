// An operation is what is measured: `prepare` is called once, then `run` many times, and `output` at the end.

import { explainDifference } from './support/explain-difference.js';

export const operation = {
  summary: 'objects to JSON text',

  // `module` is the variant. What it needs is read here, so that `run` contains nothing else.
  async prepare(module, corpus, { readDocuments }) {
    return { encode: module.encode, documents: await readDocuments(corpus), last: null };
  },

  // The measured loop. The last result is kept, so that no call can be optimised away. As bytes, which an application
  // sends: text joined by + would not be put together before it is read.
  run(state, passes) {
    const { encode, documents } = state;
    for (let pass = 0; pass < passes; pass++) {
      for (let index = 0; index < documents.length; index++) {
        state.last = Buffer.from(encode(documents[index]));
      }
    }
  },

  // Bytes that have to be those of the reference, a list entry per document: before anything is timed, and again after
  // the last timed call of every process.
  output({ encode, documents }) {
    return documents.map((document) => Buffer.from(encode(document)));
  },

  explainDifference,
};
