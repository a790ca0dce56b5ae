import { explainNothing } from '../explain-nothing.js';

/** @import { OperationDescription } from '../../../../formats/types.ts' */

/** @type {OperationDescription} */
export const operation = {
  summary: 'so much noise that no look settles it',
  explainDifference: explainNothing,
};
