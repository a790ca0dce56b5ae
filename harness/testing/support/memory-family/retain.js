/** How the family of the memory tests reads a document. */

/**
 * @param {object} module
 * @returns {() => object}
 */
export function openDocumentReader(module) {
  return /** @type {{ readDocument: () => object }} */ (module).readDocument;
}
