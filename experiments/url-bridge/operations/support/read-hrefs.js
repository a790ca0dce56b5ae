import { readFileSync } from 'node:fs';
import { splitBsonDocuments } from '../../../../corpora/support/document-files.js';
import { UsageError } from '../../../../harness/lib/errors.js';

/** @import { PreparedCorpus } from '../../../../harness/formats/types.ts' */

/**
 * Offset of the text in a document `{ href: 'https://…' }`, after its size, type byte, key and
 * length of the text with its zero byte. Two zero bytes follow the text.
 */
const TEXT_START = 14;
const KEY = '\u0002href\0';

/**
 * The URLs of a corpus as flat, separate strings.
 *
 * @param {PreparedCorpus} corpus
 * @returns {string[]}
 * @throws {UsageError} when it is not a corpus of URLs
 */
export function readHrefs(corpus) {
  return [...splitBsonDocuments(readFileSync(corpus.files.canonical))].map(readHref);
}

/**
 * Read by hand, for the npm package bson does not run under all the Nodes that are compared here.
 *
 * @param {Uint8Array} document BSON of `{ href: 'https://…' }`
 * @returns {string}
 * @throws {UsageError} when it is another document
 */
export function readHref(document) {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.length);
  const isUrl =
    bytes.toString('latin1', 4, 10) === KEY &&
    bytes.readInt32LE(10) === bytes.length - TEXT_START - 1;
  if (isUrl) return bytes.toString('utf8', TEXT_START, bytes.length - 2);
  throw new UsageError('a document of the corpus is not of the form { href: text }', {
    remedy: 'choose a corpus of URLs, such as urls or urls-adversarial',
  });
}
