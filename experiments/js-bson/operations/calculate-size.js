import { materializeDocuments } from '../../../corpora/support/materialize.js';
import { spotCheckWriter } from '../../support/spot-check.js';
import { takeExports } from './support/operation.js';
import { DocumentVariations, VALUE_COUNT, collectOutput } from '../../support/variations.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */

/**
 * @typedef {object} State
 * @property {(document: object) => number} calculateObjectSize
 * @property {object[]} documents
 * @property {DocumentVariations} variations of `documents`
 * @property {number} turn of the next pass
 * @property {number} total bytes of all calls so far, kept to prevent dead-code elimination
 */

/** Longer than any variation. */
const LONG_TEXT = 'x'.repeat(1_000);

/** @type {Operation<State>} */
export const operation = {
  summary: 'documents to their BSON sizes',

  async prepare(module, corpus) {
    const { calculateObjectSize } = takeExports(module, ['calculateObjectSize']);
    const documents = await materializeDocuments(module, corpus);
    const variations = new DocumentVariations(documents);
    return { calculateObjectSize, documents, variations, turn: 0, total: 0 };
  },

  run(state, passes) {
    const { calculateObjectSize, documents } = state;
    const { holders, keys, values } = state.variations;
    let total = 0;
    for (let pass = 0; pass < passes; pass++) {
      const turn = state.turn++ % VALUE_COUNT;
      for (let index = 0; index < documents.length; index++) {
        holders[index][keys[index]] = values[index][turn];
        total += calculateObjectSize(documents[index]);
      }
    }
    state.total += total;
  },

  *spotCheck(state, chance) {
    const { total, turn } = state;
    const fault = yield* spotCheckWriter(state, chance, {
      call: state.calculateObjectSize,
      takeLast: (checked) => checked.total - total,
      extent: 'size',
      passes: 1,
    });
    // Without the calls that were not timed, the sum is that of the documents as they are.
    Object.assign(state, { total, turn });
    return fault;
  },

  values({ documents }) {
    return documents;
  },

  output({ calculateObjectSize, documents, variations, turn, total }) {
    let bytesPerPass = 0;
    const frames = collectOutput(
      variations,
      documents.length,
      function calculateOnce(index) {
        return calculateObjectSize(documents[index]);
      },
      function describe(size) {
        bytesPerPass += size;
        return Buffer.from(`${size} bytes`);
      },
    );
    // Variations have the same size, so that all calls can be checked, but not whether they calculate.
    const isSame = total === bytesPerPass * turn;
    const isCalculated = documents.every(function compareWithNew(document, index) {
      const { holders, keys } = variations;
      holders[index][keys[index]] = LONG_TEXT;
      return calculateObjectSize(document) === calculateObjectSize({ ...document });
    });
    variations.restore();
    return isSame && isCalculated
      ? frames
      : [...frames, Buffer.from(`${total} bytes in ${turn} passes`)];
  },

  async explainDifference(expected, found) {
    const { WHOLE_DOCUMENT } = await import('../../../harness/worker/path-text.js');
    return {
      path: WHOLE_DOCUMENT,
      expected: Buffer.from(expected).toString(),
      found: Buffer.from(found).toString(),
    };
  },
};
