/** @import { CollectionSummary, Exercise } from '../../formats/types.ts' */

/**
 * Garbage collections of one side, over the windows of all its processes.
 *
 * @param {Pick<Exercise, 'documents' | 'wallMs' | 'collections'>[]} windows
 * @param {number | null} timedShare share of the time of the timed jobs, which no recorder disturbs;
 *   null leaves that of the windows
 * @returns {CollectionSummary | null} null where nothing was watched
 */
export function summarizeCollections(windows, timedShare) {
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
  return { perThousand, timeShare: timedShare ?? collectedMs / wallMs };
}

/**
 * @param {CollectionSummary | null} summary
 * @param {number | null} documentNs time of a document
 * @returns {number | null} milliseconds that the program stands still in one, on average
 */
export function averagePauseMs(summary, documentNs) {
  if (summary === null || documentNs === null) return null;
  const perDocument = sum(Object.values(summary.perThousand)) / 1000;
  return perDocument === 0 ? null : (summary.timeShare * documentNs) / perDocument / 1e6;
}

/** @param {number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
