/** @import { RecordContext } from '../../../formats/types.ts' */

/**
 * What was recorded, as the title of a page.
 *
 * @param {RecordContext['job']} job
 * @returns {string} without characters that mean something in HTML
 */
export function nameRecording({ variant, operation, corpus }) {
  return `${variant.spec}: ${operation} ${corpus.label}`.replaceAll(/[<>&"'`]/g, '_');
}
