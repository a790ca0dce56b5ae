/** @import { Figure } from '../figure.js' */

/** Time per document of warm code, in batches. @type {Readonly<Figure>} */
export const WARM = {
  kind: 'warm',
  quantity: null,
  calls: '',
  fields: {},
  idSuffix: [],
  nodeFlags: [],
  countBatches: ({ batchCount }) => batchCount,
  canPair: true,
  hasUsualSpread: true,
  isElapsedTime: true,
  hasResources: false,
  leavesOut: 'the mean of undisturbed batches',
};
