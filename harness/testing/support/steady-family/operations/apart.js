import { explainNothing } from '../explain-nothing.js';

/** @import { OperationDescription } from '../../../../formats/types.ts' */

/** @type {OperationDescription} */
export const operation = {
  summary: 'the candidate is a fifth slower, which one look shows',
  explainDifference: explainNothing,
};
