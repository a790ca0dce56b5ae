/**
 * How this family reads a document of which a memory job keeps every part.
 * @param {object} module namespace object of the variant
 * @returns {(bytes: Uint8Array) => object}
 */
export function openDocumentReader(module) {
  const { deserialize } = /** @type {{ deserialize: (bytes: Uint8Array) => object }} */ (module);
  return function readDocument(bytes) {
    return deserialize(bytes);
  };
}
