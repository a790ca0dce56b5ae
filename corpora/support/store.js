import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { makeCacheDirectory } from '../../harness/lib/files.js';

/** @typedef {{ folder: string, text: string, canonical: string }} StoredPaths */

/** What `textDigest` is for documents whose text is derived; goes up when the derivation changes. */
export const DERIVED_TEXT = 'derived 1';

/**
 * Where the documents with these digests live. The content decides the place, so a file never
 * changes under a run that reads it.
 *
 * @param {string} directory of all corpora
 * @param {string} digest `sha256:…` of the canonical BSON
 * @param {string} textDigest `sha256:…` of the Extended JSON, or `DERIVED_TEXT`
 * @returns {StoredPaths} absolute when `directory` is; the folder exists
 */
export function openStoreFolder(directory, digest, textDigest) {
  const key = createHash('sha256').update(`${digest}\n${textDigest}`).digest('hex').slice(0, 24);
  const folder = join(directory, 'store', key);
  makeCacheDirectory(folder);
  return {
    folder,
    text: join(folder, 'documents.ejson'),
    canonical: join(folder, 'canonical.bson'),
  };
}
