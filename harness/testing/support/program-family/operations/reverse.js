/** @import { OperationDescription } from '../../../../formats/types.ts' */

/** @type {OperationDescription} */
export const operation = {
  summary: 'the bytes of a document, last one first',

  async explainDifference(expected, found) {
    const index = expected.findIndex((byte, place) => byte !== found[place]);
    return {
      path: `byte ${index}`,
      expected: String(expected[index]),
      found: String(found[index]),
    };
  },
};
