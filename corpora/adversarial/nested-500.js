import { RandomValues } from '../support/random-values.js';

const LEVELS = 500;

function* generateDocuments() {
  const random = new RandomValues(0x5eed_0500);
  /** @type {Record<string, unknown>} */
  let document = { leaf: random.text(8) };
  for (let level = 1; level < LEVELS; level++) {
    document = { level: LEVELS - level, inner: document };
  }
  yield document;
}

/**
 * A chain of documents, five times as deep as MongoDB allows: almost only entering and leaving
 * documents, on a stack that must grow.
 * @type {import('../../harness/formats/types.ts').Corpus}
 */
export const corpus = {
  name: 'nested-500',
  stresses: 'a chain of 500 nested documents: stacks that grow, lengths filled in late',
  digest: 'sha256:b5f95efb5f7211d72789e9a348ae24fe49af1fb8768bf6c710e84a3001c972d7',
  documents: generateDocuments,
};
