import { explainDifference } from './support/explain-difference.js';

export const operation = {
  summary: 'JSON text to objects',

  async prepare(module, corpus, { readDocuments }) {
    const documents = await readDocuments(corpus);
    const texts = documents.map((document) => JSON.stringify(document));
    return { decode: module.decode, texts, last: null };
  },

  run(state, passes) {
    const { decode, texts } = state;
    for (let pass = 0; pass < passes; pass++) {
      for (let index = 0; index < texts.length; index++) state.last = decode(texts[index]);
    }
  },

  // Objects are compared by their keys, in their order, and values, with their types.
  output({ decode, texts }) {
    return texts.map((text) => decode(text));
  },

  explainDifference,
};
