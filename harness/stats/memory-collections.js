/** @import { CollectionSummary, CollectionsResult } from '../formats/types.ts' */

/**
 * Collections for 1000 documents.
 *
 * @param {CollectionsResult} result
 * @returns {number}
 */
export function countPerThousand({ collections, documents }) {
  const count = Object.values(collections).reduce((sum, kind) => sum + kind.count, 0);
  return (count / documents) * 1000;
}

/**
 * Time spent in collections for one document.
 *
 * @param {CollectionsResult} result
 * @returns {number} nanoseconds
 */
export function takeCollectionNs({ collections, documents }) {
  const ms = Object.values(collections).reduce((sum, kind) => sum + kind.ms, 0);
  return (ms * 1e6) / documents;
}

/**
 * All processes of an arm together.
 *
 * @param {CollectionsResult[]} results
 * @returns {CollectionSummary | null} null without a process
 */
export function summarizeCollections(results) {
  if (results.length === 0) return null;
  const documents = results.reduce((sum, result) => sum + result.documents, 0);
  const wallMs = results.reduce((sum, result) => sum + result.wallMs, 0);
  /** @type {Record<string, number>} */
  const perThousand = {};
  let collectedMs = 0;
  for (const { collections } of results) {
    for (const [kind, { count, ms }] of Object.entries(collections)) {
      perThousand[kind] = (perThousand[kind] ?? 0) + (count / documents) * 1000;
      collectedMs += ms;
    }
  }
  return { perThousand, timeShare: collectedMs / wallMs };
}
