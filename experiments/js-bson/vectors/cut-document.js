const SMALLEST_DOCUMENT = 5;

/**
 * Truncates a document before each of its bytes, with a corrected size and a terminator, so the
 * rest ends in the middle of an element.
 *
 * @param {Uint8Array} bytes
 * @returns {Uint8Array[]} Shortest first; none for bytes that are too few for a document.
 */
export function cutDocument(bytes) {
  /** @type {Uint8Array[]} */
  const documents = [];
  for (let size = SMALLEST_DOCUMENT; size < bytes.length; size++) {
    const document = bytes.slice(0, size);
    new DataView(document.buffer).setInt32(0, size, true);
    document[size - 1] = 0;
    documents.push(document);
  }
  return documents;
}
