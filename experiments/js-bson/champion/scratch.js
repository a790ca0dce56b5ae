/**
 * Where documents are read and written. V8 compiles the address of a constant buffer into the code, which saves
 * more than copying a document in or out costs; words can be read beyond the end of a document; and a view need
 * not be made for each.
 */

/** As in bson: the largest document of MongoDB and room for a command around it. */
const SCRATCH_BYTES = 17 * 1024 * 1024;
const SLACK_BYTES = 8;

/** Size of the largest document that can be read here. */
export const LARGEST_COPY = SCRATCH_BYTES - SLACK_BYTES;

export const bytes = Buffer.allocUnsafeSlow(SCRATCH_BYTES);
export const view = new DataView(bytes.buffer);
