import * as bson from 'bson';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTestDirectory } from '../../../../harness/testing/support/directories.js';

/** @import { PreparedCorpus } from '../../../../harness/formats/types.ts' */

/**
 * Writes documents to files as a job expects them, until the tests of the file have ended.
 * @type {(documents: bson.Document[]) => PreparedCorpus}
 */
export function storeTestCorpus(documents) {
  const directory = makeTestDirectory('operation');
  const bytes = Buffer.concat(documents.map((document) => bson.serialize(document)));
  const lines = documents.map((document) => `${bson.EJSON.stringify(document)}\n`);
  const text = join(directory, 'documents.ejson');
  const canonical = join(directory, 'documents.bson');
  writeFileSync(text, lines.join(''));
  writeFileSync(canonical, bytes);
  return {
    label: 'test-documents',
    name: 'test-documents',
    provenance: 'parsed',
    digest: `sha256:${'0'.repeat(64)}`,
    documentCount: documents.length,
    sizeBytes: bytes.length,
    files: { text, canonical, bytes: canonical },
  };
}

/** @type {(count: number) => bson.Document[]} different comments */
export function makeComments(count) {
  return Array.from({ length: count }, (_, index) => ({
    _id: bson.ObjectId.createFromHexString(index.toString(16).padStart(24, '5a')),
    name: `Name ${index}`,
    email: `name_${index}@letters.example`,
    movie_id: bson.ObjectId.createFromHexString(index.toString(16).padStart(24, '7b')),
    text: `Text ${index}, é. `.repeat(1 + (index % 5)),
    date: new Date(1e12 + index * 86_400_000),
  }));
}

/**
 * @param {string} page JSON of comments
 * @returns {object[]} without the ids, which vary from call to call
 */
export function withoutIds(page) {
  return JSON.parse(page).map((/** @type {Record<string, unknown>} */ { _id, ...rest }) => rest);
}

/**
 * A function that counts its calls.
 * @template {(...args: any[]) => any} Called
 * @param {Called} call
 * @returns {{ count: number, call: Called }}
 */
export function countCalls(call) {
  const counted = {
    count: 0,
    call: /** @type {Called} */ (
      function countedCall(...args) {
        counted.count++;
        return call(...args);
      }
    ),
  };
  return counted;
}
