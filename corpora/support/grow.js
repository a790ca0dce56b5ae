/** Documents made longer, to see how time grows with their size. */

import * as bson from 'bson';
import { streamBsonDocuments } from './document-files.js';
import { readExactTypes } from './document-text.js';
import { DERIVED_TEXT, ensureSealedFile, openStoreFolder } from './store.js';

/** @import { StoredPaths } from './store.js' */

/**
 * A document with so many times as many elements at the top: arrays repeat theirs, and every other field has copies under new
 * keys. What is inside of the elements is the same, so the size in bytes grows by about this factor.
 *
 * @param {Record<string, unknown>} document
 * @param {number} growth
 * @returns {Record<string, unknown>}
 */
export function growDocument(document, growth) {
  const fields = Object.entries(document);
  const grown = new Map(
    fields.map(([key, value]) => [
      key,
      Array.isArray(value) ? Array.from({ length: growth }, () => value).flat(1) : value,
    ]),
  );
  for (let copy = 2; copy <= growth; copy++) {
    for (const [key, value] of fields) {
      if (Array.isArray(value)) continue;
      let name = `${key}_${copy}`;
      while (grown.has(name)) name += '_';
      grown.set(name, value);
    }
  }
  return Object.fromEntries(grown);
}

/**
 * Stores grown documents of a stored corpus, unless that is done.
 *
 * @param {{ digest: string, paths: StoredPaths }} stored
 * @param {number} growth
 * @param {string} directory of all corpora
 * @returns {{ digest: string, paths: StoredPaths }} `digest` of the canonical BSON of the grown ones
 */
export function storeGrown({ digest, paths: from }, growth, directory) {
  const paths = openStoreFolder(directory, `${digest}, grown ${growth}`, DERIVED_TEXT);
  const hex = ensureSealedFile(paths.canonical, function* encodeGrown() {
    for (const bytes of streamBsonDocuments(from.canonical)) {
      yield bson.serialize(growDocument(readExactTypes(bytes), growth));
    }
  });
  return { digest: `sha256:${hex}`, paths };
}
