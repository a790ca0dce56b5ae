import { operation as reverse } from '../reverse.js';

/** @import { AwaitedOperation } from '../../../../formats/types.ts' */

/**
 * @param {string} summary how the bytes of `reverse` arrive
 * @param {(reverseDocument: () => Uint8Array) => unknown} deliver
 * @returns {AwaitedOperation<any>}
 */
export function makeAwaited(summary, deliver) {
  const { prepare, explainDifference } = reverse;
  return {
    summary,
    isAsync: true,
    prepare,
    call: ({ reverse: reverseDocument, documents }, index) =>
      deliver(() => reverseDocument(documents[index])),
    explainDifference,
  };
}
