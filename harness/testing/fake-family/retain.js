/**
 * @param {object} module
 * @returns {() => object} reads a document
 */
export function openDocumentReader(module) {
  return /** @type {{ readDocument: () => object }} */ (module).readDocument;
}
