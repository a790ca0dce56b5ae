/** @import { CollectionSummary, Exercise } from '../types.ts' */

/**
 * Garbage collections of one side, over the windows of all its processes.
 *
 * @param {Pick<Exercise, 'documents' | 'wallMs' | 'collections'>[]} windows
 * @returns {CollectionSummary | null} null where nothing was watched
 */
export function summarizeCollections(windows) {
  const documents = sum(windows.map((window) => window.documents));
  const wallMs = sum(windows.map((window) => window.wallMs));
  if (documents === 0 || wallMs === 0) return null;
  /** @type {Record<string, number>} */
  const perThousand = {};
  let collectedMs = 0;
  for (const { collections } of windows) {
    for (const [kind, { count, ms }] of Object.entries(collections)) {
      perThousand[kind] = (perThousand[kind] ?? 0) + (1000 * count) / documents;
      collectedMs += ms;
    }
  }
  return { perThousand, timeShare: collectedMs / wallMs };
}

/**
 * @param {Pick<Exercise, 'collections'>[]} windows
 * @returns {number | null} milliseconds that the program stands still in one, on average
 */
export function averagePauseMs(windows) {
  const all = windows.flatMap(({ collections }) => Object.values(collections));
  const count = sum(all.map((kind) => kind.count));
  return count === 0 ? null : sum(all.map((kind) => kind.ms)) / count;
}

/** @param {number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
