/** @import { PreparedCorpus } from '../../../formats/types.ts' */

/** Of a corpus of 6 kB documents some 3000 calls, a tenth of a second in optimised code. */
const WORK_BYTES = 24e6;
/** What a document costs beside its bytes, as bytes. */
const DOCUMENT_BYTES = 2_000;

/**
 * Passes over a corpus that make a fair amount of work. They follow from the corpus alone, never
 * from the clock: both sides and every machine do the same.
 *
 * @param {Pick<PreparedCorpus, 'documentCount' | 'sizeBytes'>} corpus
 * @returns {number} at least 2
 */
export function countPasses({ documentCount, sizeBytes }) {
  return Math.max(2, Math.round(WORK_BYTES / (sizeBytes + documentCount * DOCUMENT_BYTES)));
}
