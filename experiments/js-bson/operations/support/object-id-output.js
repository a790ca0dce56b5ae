import { describeValue } from '../../../support/describe-value.js';
import { explainTextDifference } from '../../../support/explain-difference.js';

/**
 * The output of an operation: what there is to say of each of its results.
 *
 * @template T
 * @param {T[]} items one a document
 * @param {(item: T, index: number) => unknown} describeItem gives a value that is the same for all
 *   variants that are right
 * @returns {Uint8Array[]}
 */
export function describeEach(items, describeItem) {
  return items.map(function describeOne(item, index) {
    return Buffer.from(describeValue(describeItem(item, index)));
  });
}

/**
 * What an id holds, found in ways that have little in common.
 *
 * @param {any} id
 * @returns {{ hex: string, bytes: string }}
 */
export function describeId(id) {
  return { hex: id.toHexString(), bytes: Buffer.from(id.id).toString('hex') };
}

/**
 * @type {import('../../../../harness/formats/types.ts').Operation['explainDifference']}
 */
export async function explainIdDifference(expected, found) {
  return explainTextDifference(expected, found);
}
