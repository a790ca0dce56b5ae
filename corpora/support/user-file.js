/** Documents of the user, as they are in a file: reads, checks and stores them. */

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EJSON, calculateObjectSize, serialize } from 'bson';
import { FormatError, UsageError } from '../../harness/lib/errors.js';
import { countOf } from '../../harness/lib/numbers.js';
import { findByteChanges, findTextChanges } from './changes.js';
import { splitJsonDocuments } from './document-files.js';
import { formatExtendedJson, readExactTypes } from './document-text.js';
import { modernizeText } from './extended-json.js';
import { recognizeContent, tooLarge } from './recognize.js';
import { SealedFileWriter, openStoreFolder } from './store.js';

/** @import { Change } from './changes.js' */

/**
 * @typedef {object} StoredFile
 * @property {string} format for messages
 * @property {number} documentCount
 * @property {number} sizeBytes of the canonical BSON
 * @property {string} digest `sha256:…` of the canonical BSON
 * @property {string} textDigest `sha256:…` of the text
 * @property {string[]} notes sentences about what was not taken as it is
 * @property {number} changedValues
 */

/**
 * @typedef {object} HowToStore
 * @property {boolean} [isStrict] refuses a document that changes when the reference reads and writes it
 * @property {(digests: { digest: string, textDigest: string }) => void} [accept] called when all documents are read;
 *   nothing is stored if it throws
 */

/**
 * Puts the documents of a file into the store.
 * @param {string} file path
 * @param {string} directory absolute path of the folder for corpora
 * @param {HowToStore} [how]
 * @returns {StoredFile}
 * @throws {UsageError} when there is no such file, or nothing in it
 * @throws {FormatError} when a document is corrupt, with its position
 */
export function storeUserFile(file, directory, how) {
  return storeUserContent(file, readUserFile(file), directory, how);
}

/**
 * Puts documents into the store. Detects the format from the content: Extended JSON (of version 1 or 2, relaxed or
 * canonical; one document, an array, or one after the other) or concatenated BSON, either of them under gzip.
 * @param {string} source path of the file, or what else it comes from, for messages
 * @param {Buffer} content
 * @param {string} directory absolute path of the folder for corpora
 * @param {HowToStore} [how]
 * @returns {StoredFile}
 * @throws {UsageError} when there are no documents in it
 * @throws {FormatError} when a document is corrupt, with its position
 */
export function storeUserContent(source, content, directory, how = {}) {
  const { format, content: unpacked } = recognizeContent(content, source, MAX_FILE_BYTES);
  const incoming = format === 'BSON' ? readBsonDocuments(unpacked) : readJsonDocuments(unpacked);
  return { format, ...storeDocuments(incoming, source, directory, how) };
}

/** @type {(incoming: Iterable<IncomingDocument>, source: string, directory: string, how: HowToStore) => Omit<StoredFile, 'format'>} */
function storeDocuments(incoming, source, directory, { isStrict = false, accept }) {
  const canonical = new SealedFileWriter(join(directory, 'store'));
  const text = new SealedFileWriter(join(directory, 'store'));
  const notes = new ImportNotes();
  let documentCount = 0;
  let sizeBytes = 0;
  try {
    for (const document of incoming) {
      if (isStrict) refuseChanges(document);
      notes.add(document);
      canonical.write(document.bytes);
      text.write(`${document.text}\n`);
      documentCount++;
      sizeBytes += document.bytes.length;
    }
    if (documentCount === 0) {
      throw new UsageError(`${source} contains no documents`, {
        remedy: 'Import a file with a document in it.',
      });
    }
    const canonicalHex = canonical.finish();
    const textHex = text.finish();
    const digest = `sha256:${canonicalHex}`;
    const textDigest = `sha256:${textHex}`;
    accept?.({ digest, textDigest });
    const paths = openStoreFolder(directory, digest, textDigest);
    canonical.moveTo(paths.canonical, canonicalHex);
    text.moveTo(paths.text, textHex);
    const counts = { documentCount, sizeBytes, changedValues: notes.changeCount };
    return { ...counts, digest, textDigest, notes: notes.list(documentCount) };
  } catch (error) {
    canonical.discard();
    text.discard();
    throw error;
  }
}

/** More changes than these are counted. */
const MAX_CHANGE_NOTES = 20;

/** What an import has to say about documents that it did not take as they are. */
class ImportNotes {
  /** @type {string[]} */
  #changes = [];
  changeCount = 0;
  #changedDocuments = 0;
  #oldDocuments = 0;

  /** @param {IncomingDocument} document */
  add({ where, changes, isOld }) {
    if (isOld) this.#oldDocuments++;
    if (changes.length > 0) this.#changedDocuments++;
    this.changeCount += changes.length;
    const room = MAX_CHANGE_NOTES - this.#changes.length;
    for (const change of changes.slice(0, room)) {
      this.#changes.push(describeChange(where, change));
    }
  }

  /** @type {(documentCount: number) => string[]} */
  list(documentCount) {
    const notes = [...this.#changes];
    if (this.changeCount > 0) {
      const listed = this.changeCount > notes.length ? `, of which ${notes.length} are listed` : '';
      notes.push(
        `${countOf(this.changeCount, 'value')} in ${this.#changedDocuments} of ${countOf(documentCount, 'document')} changed${listed}: JavaScript or the reference cannot represent what was read. Every variant must write what the reference writes.`,
      );
    }
    if (this.#oldDocuments > 0) {
      notes.push(
        `the text of ${this.#oldDocuments} of ${countOf(documentCount, 'document')} was of version 1 of Extended JSON and is stored as version 2, with the same values.`,
      );
    }
    return notes;
  }
}

/** @type {(where: string, change: Change) => string} */
function describeChange(where, { path, read, became }) {
  return `${where} ${path === '' ? '' : `at ${path}: `}${read} became ${became}`;
}

/**
 * @param {IncomingDocument} document
 * @throws {FormatError} when it has a change
 */
function refuseChanges({ where, changes: [change] }) {
  if (change === undefined) return;
  throw new FormatError(`${describeChange(where, change)}, which --strict refuses`, {
    remedy: 'Correct the document; an import without --strict lists all changes as notes.',
  });
}

/** MongoDB's limit for a document: 16 MB. */
const MAX_DOCUMENT_BYTES = 16 * 2 ** 20;

/**
 * A document to import.
 * @typedef {object} IncomingDocument
 * @property {Uint8Array} bytes canonical BSON
 * @property {string} text Extended JSON on one line
 * @property {string} where `document 3`, with its place in the file, for messages
 * @property {Change[]} changes
 * @property {boolean} isOld whether its text was of version 1 of Extended JSON
 */

/** What to do about a document that cannot be read. */
const BSON_REMEDY =
  "The file is damaged here: copy or dump it again. 'bsondump --objcheck FILE' names all damaged documents.";
const JSON_REMEDY = 'Fix the document (Extended JSON version 2), or leave it out.';

/**
 * @param {Buffer} content concatenated BSON
 * @returns {Generator<IncomingDocument>}
 * @throws {FormatError} with the document and its byte offset
 */
function* readBsonDocuments(content) {
  let offset = 0;
  for (let index = 0; offset < content.length; index++) {
    const where = `document ${index + 1}, at byte ${offset},`;
    const rest = content.length - offset;
    const size = rest < 4 ? 0 : content.readInt32LE(offset);
    if (size < 5 || size > rest) {
      const claim = rest < 4 ? 'is cut off' : `claims a length of ${size} bytes`;
      throw new FormatError(`${where} ${claim}, and ${rest} are left in the file`, {
        remedy: 'Check that the file was copied whole.',
      });
    }
    const bytes = content.subarray(offset, offset + size);
    const { exact, text } = attempt(where, BSON_REMEDY, () => {
      const exact = readExactTypes(bytes);
      return { exact, text: formatExtendedJson(exact) };
    });
    checkDocument(exact, size, where);
    const changes = attempt(where, BSON_REMEDY, () => {
      const again = serialize(exact, { ignoreUndefined: false });
      return bytes.equals(again) ? [] : findByteChanges(bytes, again);
    });
    yield { bytes, text, where, changes, isOld: false };
    offset += size;
  }
}

/**
 * @param {Buffer} content Extended JSON
 * @returns {Generator<IncomingDocument>}
 * @throws {FormatError} with the document and its line
 */
function* readJsonDocuments(content) {
  for (const { text: given, where } of splitJsonDocuments(content)) {
    const { text, document, size } = attempt(where, JSON_REMEDY, () => {
      const text = modernizeText(given);
      const document = EJSON.parse(text, { relaxed: false });
      return { text, document, size: calculateObjectSize(document, { ignoreUndefined: false }) };
    });
    checkDocument(document, size, where);
    const { bytes, changes } = attempt(where, JSON_REMEDY, () => {
      const bytes = serialize(document, { ignoreUndefined: false });
      return { bytes, changes: findTextChanges(text, readExactTypes(bytes)) };
    });
    yield { bytes, text, where, changes, isOld: text !== given };
  }
}

/** @param {import('bson').Document} document @param {number} sizeBytes @param {string} where */
function checkDocument(document, sizeBytes, where) {
  if (Object.prototype.toString.call(document) !== '[object Object]' || document._bsontype) {
    throw new FormatError(`${where} is a single value, not a document`, {
      remedy: 'Put the value into a field: {"value": …}.',
    });
  }
  if (sizeBytes > MAX_DOCUMENT_BYTES) {
    throw new FormatError(`${where} has ${sizeBytes} bytes; the limit is ${MAX_DOCUMENT_BYTES}`, {
      remedy: 'Leave the document out, or split it.',
    });
  }
}

/**
 * @template T
 * @param {string} where
 * @param {string} remedy
 * @param {() => T} read
 * @returns {T}
 * @throws {FormatError} with the position, for any error of the reference
 */
function attempt(where, remedy, read) {
  try {
    return read();
  } catch (cause) {
    const tooDeep = cause instanceof RangeError && /call stack/.test(cause.message);
    const reason = tooDeep ? 'it is nested too deeply' : /** @type {Error} */ (cause).message;
    throw new FormatError(`${where} cannot be read: ${reason}`, { remedy, cause });
  }
}

/** Limit for a file to import, unpacked: 256 MB. */
export const MAX_FILE_BYTES = 256 * 2 ** 20;

/**
 * @param {string} file path
 * @returns {Buffer}
 * @throws {UsageError} when it is missing, not a file or too large
 */
function readUserFile(file) {
  const status = statSync(file, { throwIfNoEntry: false });
  if (status === undefined) {
    throw new UsageError(`file ${file} does not exist`, { remedy: 'Check the path.' });
  }
  if (!status.isFile()) {
    throw new UsageError(
      `${file} is ${status.isDirectory() ? 'a directory' : 'not a regular file'}`,
      { remedy: "Import one file of Extended JSON or BSON, or standard input: '-'." },
    );
  }
  if (status.size > MAX_FILE_BYTES) throw tooLarge(file, MAX_FILE_BYTES);
  return readFileSync(file);
}
