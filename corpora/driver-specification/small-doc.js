import { makeSeries } from '../support/random-values.js';

/** @import { RandomValues } from '../support/random-values.js' */

const DEFAULT_COUNT = 100;
const STRING_LENGTH = 8;

/** @param {RandomValues} random */
function makeOrderLine(random) {
  return {
    _id: random.objectId(),
    article: random.text(STRING_LENGTH),
    category: random.text(STRING_LENGTH),
    supplier: random.text(STRING_LENGTH),
    material: random.text(STRING_LENGTH),
    position: random.integer(1, 100_000),
    quantity: random.integer(1, 100_000),
    ordering: random.integer(1, 100_000),
    netPrice: random.fraction(),
    taxShare: random.fraction(),
    warranty: random.boolean(),
    language: random.text(STRING_LENGTH),
    customer: random.text(STRING_LENGTH),
  };
}

/**
 * Modelled on the drivers' small benchmark document: the overhead of a call.
 * @type {import('../../harness/formats/types.ts').Corpus}
 */
export const corpus = {
  name: 'small-doc',
  stresses: 'the overhead of a call: 13 fields of one shape, short strings and numbers',
  digest: 'sha256:0c112c05cb86a7b08c0273b20783a4f0ad4f445f35df775ef2567a1352917e85',
  defaultCount: DEFAULT_COUNT,
  documents: makeSeries(0x5eed_5a11, DEFAULT_COUNT, makeOrderLine),
};
