// An operation is what is measured: `prepare` is called once, then `run` many times, and `spotCheck` and `output` at the
// end.

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

  // A codec that remembers earlier results would look fast. So one document changes at the end of every process, where
  // nobody can predict it, and the loop runs again.
  *spotCheck(state, { pick, maxPasses }) {
    const { encode, documents } = state;
    const document = documents[pick(documents.length)];
    const keys = Object.keys(document);
    if (keys.length === 0) return null;
    const key = keys[pick(keys.length)];
    const before = document[key];
    state.documents = [document];
    yield maxPasses;
    document[key] = `changed ${pick(1000)}`;
    yield 1;
    const isSame = state.last.toString() === encode(structuredClone(document));
    document[key] = before;
    state.documents = documents;
    return isSame ? null : `a document with another ${key} is not written as it is`;
  },

  // What has to be equal to the result of the reference, of the same type, a list entry per document: before anything is
  // timed, and again after the last timed call of every process.
  output({ encode, documents }) {
    return documents.map((document) => encode(document));
  },

  explainDifference,
};
