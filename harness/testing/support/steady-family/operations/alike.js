import { explainNothing } from '../explain-nothing.js';

/** @import { OperationDescription } from '../../../../formats/types.ts' */

/** @type {OperationDescription} */
export const operation = {
  summary: 'both take the same time, which one look shows',
  explainDifference: explainNothing,
};
