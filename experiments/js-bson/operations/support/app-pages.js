/** Documents in one answer of an application: those of the GET in NODE-6246. */
const PAGE_DOCUMENTS = 100;

/**
 * Parts the documents of a corpus into answers.
 *
 * @template Document
 * @param {Document[]} documents
 * @returns {Document[][]} pages of `PAGE_DOCUMENTS`, the last with the rest
 */
export function splitPages(documents) {
  const pages = [];
  for (let start = 0; start < documents.length; start += PAGE_DOCUMENTS) {
    pages.push(documents.slice(start, start + PAGE_DOCUMENTS));
  }
  return pages;
}

/**
 * What an application does for a GET: reads the documents of a page and writes them as JSON.
 *
 * @param {(bytes: Uint8Array) => object} deserialize
 * @param {Uint8Array[]} page BSON documents
 * @returns {string} a JSON array
 */
export function formatPage(deserialize, page) {
  const documents = [];
  for (let index = 0; index < page.length; index++) documents.push(deserialize(page[index]));
  return JSON.stringify(documents);
}
