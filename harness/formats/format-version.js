/** @import { ImportRecord } from './stored.ts' */
/** @import { FormatVersion } from './scalars.ts' */

/**
 * Version of every file and message format of Assay; a reader refuses any other.
 *
 * @type {FormatVersion}
 */
export const FORMAT_VERSION = 11;

/**
 * Version of the records of imported corpora, which outlive other formats.
 *
 * @type {ImportRecord['formatVersion']}
 */
export const IMPORT_RECORD_VERSION = 1;
