import { readFileSync } from 'node:fs';

/** @import { Operation } from '../../../formats/types.ts' */

/**
 * @typedef {object} State
 * @property {(document: Uint8Array) => Uint8Array} reverse
 * @property {Uint8Array[]} documents
 * @property {Uint8Array | null} last result, kept so that no call is dead code
 */

/** @type {Operation<State>} */
export const operation = {
  summary: 'the bytes of a document, the last one first',

  prepare(module, { name, files }) {
    const { openReverser } = /** @type {{ openReverser: (corpus: string) => State['reverse'] }} */ (
      module
    );
    const documents = readDocuments(readFileSync(files.canonical));
    return { reverse: openReverser(name), documents, last: null };
  },

  run(state, passes) {
    for (let pass = 0; pass < passes; pass++) {
      for (const document of state.documents) state.last = state.reverse(document);
    }
  },

  output: ({ reverse, documents }) => documents.map((document) => reverse(document)),

  async explainDifference(expected, found) {
    const index = expected.findIndex((byte, place) => byte !== found[place]);
    return {
      path: `byte ${index}`,
      expected: String(expected[index]),
      found: String(found[index]),
    };
  },
};

/** @param {Buffer} bytes documents, each of which begins with its length */
function readDocuments(bytes) {
  const documents = [];
  for (let offset = 0; offset < bytes.length;) {
    const end = offset + bytes.readUInt32LE(offset);
    documents.push(bytes.subarray(offset, end));
    offset = end;
  }
  return documents;
}
