import { RandomValues } from '../support/random-values.js';

const LEVELS = 6;
const STRING_LENGTH = 8;

/**
 * @param {RandomValues} random
 * @param {number} levels of documents from here on down
 * @returns {Record<string, unknown> | string} a string below the last level
 */
function growTree(random, levels) {
  if (levels === 0) return random.text(STRING_LENGTH);
  return { left: growTree(random, levels - 1), right: growTree(random, levels - 1) };
}

function* generateDocuments() {
  const random = new RandomValues(0x5eed_dee9);
  yield /** @type {Record<string, unknown>} */ (growTree(random, LEVELS));
}

/**
 * Modelled on the drivers' deep benchmark document: a full binary tree of small documents, so nearly all
 * of the work is entering and leaving documents.
 * @type {import('../../harness/formats/types.ts').Corpus}
 */
export const corpus = {
  name: 'deep',
  stresses: 'nesting: a full binary tree of 63 documents, two keys, short strings',
  digest: 'sha256:296b908d63aa26a8d3e7a972ccfb1c291ff7efb72beb5d49184a85d7a595d47e',
  documents: generateDocuments,
};
