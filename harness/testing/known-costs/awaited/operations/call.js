/** @import { AwaitedOperation } from '../../../../formats/types.ts' */

/** @type {AwaitedOperation<{ call: import('../variants/costs.js').Call }>} */
export const operation = {
  summary: 'a call',
  isAsync: true,
  prepare: (module) => /** @type {any} */ (module),
  call: ({ call }, index) => call(index),
  explainDifference: async () => ({ path: '', expected: '', found: '' }),
};
