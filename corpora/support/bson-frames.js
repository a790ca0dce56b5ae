/**
 * The documents of a file of concatenated BSON, without reading what is in them.
 *
 * @param {Buffer} bytes whole documents, one after the other
 * @returns {Generator<Buffer>} views of `bytes`
 */
export function* splitBsonDocuments(bytes) {
  let offset = 0;
  while (offset < bytes.length) {
    const end = offset + bytes.readInt32LE(offset);
    yield bytes.subarray(offset, end);
    offset = end;
  }
}
