/**
 * Where documents are read and written. Copying a document in or out takes less time than making a view of it,
 * and words can be read beyond the end of a document.
 */

/** As in bson: the largest document of MongoDB and room for a command around it. */
const SCRATCH_BYTES = 17 * 1024 * 1024;
const SLACK_BYTES = 8;

/** Size of the largest document that can be read here. */
export const LARGEST_COPY = SCRATCH_BYTES - SLACK_BYTES;

export const bytes = Buffer.allocUnsafeSlow(SCRATCH_BYTES);
export const view = new DataView(bytes.buffer);
