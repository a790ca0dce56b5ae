/** Documents of the user, as they are in a file: reads, checks and stores them. */

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EJSON, calculateObjectSize, serialize } from 'bson';
import { FormatError, UsageError } from '../../harness/lib/errors.js';
import { countOf } from '../../harness/lib/numbers.js';
import { splitJsonDocuments } from './document-files.js';
import { formatExtendedJson, readExactTypes } from './document-text.js';
import { SealedFileWriter, openStoreFolder } from './store.js';

/**
 * @typedef {object} StoredFile
 * @property {string} format for messages
 * @property {number} documentCount
 * @property {number} sizeBytes of the canonical BSON
 * @property {string} digest `sha256:…` of the canonical BSON
 * @property {string} textDigest `sha256:…` of the text
 * @property {string[]} notes sentences about lossy documents
 */

/**
 * Puts the documents of a file into the store. Detects the format from the content: Extended JSON (relaxed or
 * canonical; one document, an array, or one after the other) or concatenated BSON.
 * @param {string} file path
 * @param {string} directory absolute path of the folder for corpora
 * @returns {StoredFile}
 * @throws {UsageError} when there is no such file, or nothing in it
 * @throws {FormatError} when a document is corrupt, with its position
 */
export function storeUserFile(file, directory) {
  const content = readUserFile(file);
  const isBson = looksLikeBson(content);
  const incoming = isBson ? readBsonDocuments(content) : readJsonDocuments(content, file);
  return {
    format: isBson ? 'BSON' : 'Extended JSON',
    ...storeDocuments(incoming, file, directory),
  };
}

/** @param {Iterable<IncomingDocument>} incoming @param {string} file @param {string} directory */
function storeDocuments(incoming, file, directory) {
  const canonical = new SealedFileWriter(join(directory, 'store'));
  const text = new SealedFileWriter(join(directory, 'store'));
  let documentCount = 0;
  let sizeBytes = 0;
  const losses = [];
  try {
    for (const document of incoming) {
      canonical.write(document.bytes);
      text.write(`${document.text}\n`);
      documentCount++;
      sizeBytes += document.bytes.length;
      if (document.loss !== null) losses.push(document.loss);
    }
    if (documentCount === 0) {
      throw new UsageError(`${file} contains no documents`, {
        remedy: 'Import a file with a document in it.',
      });
    }
  } catch (error) {
    canonical.discard();
    text.discard();
    throw error;
  }
  const canonicalHex = canonical.finish();
  const textHex = text.finish();
  const digest = `sha256:${canonicalHex}`;
  const textDigest = `sha256:${textHex}`;
  const paths = openStoreFolder(directory, digest, textDigest);
  canonical.moveTo(paths.canonical, canonicalHex);
  text.moveTo(paths.text, textHex);
  return { documentCount, sizeBytes, digest, textDigest, notes: summarizeLosses(losses) };
}

/** @type {(losses: string[]) => string[]} */
function summarizeLosses(losses) {
  if (losses.length === 0) return [];
  return [
    `${losses.length} of the documents cannot be represented as JavaScript objects: ${losses[0]}. ` +
      'For these, the expected output of every variant is that of the reference.',
  ];
}

/** MongoDB's limit for a document: 16 MB. */
const MAX_DOCUMENT_BYTES = 16 * 2 ** 20;

/**
 * A document to import.
 * @typedef {object} IncomingDocument
 * @property {Uint8Array} bytes canonical BSON
 * @property {string} text Extended JSON on one line
 * @property {string} where `document 3`, with its place in the file, for messages
 * @property {string | null} loss what JavaScript objects cannot represent, if anything
 */

/**
 * A BSON file begins with the length of its first document, whose highest byte is 0 up to the size
 * limit of a document (and 1 at it). Text has neither character.
 * @param {Buffer} content of a file to import
 * @returns {boolean} whether it should be read as BSON rather than as text
 */
function looksLikeBson(content) {
  return content.length >= 4 && Number(content[3]) <= 1;
}

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
        remedy: 'Check that the file was copied whole and unpacked if it was compressed.',
      });
    }
    const bytes = content.subarray(offset, offset + size);
    const { exact, text } = attempt(where, () => {
      const exact = readExactTypes(bytes);
      return { exact, text: formatExtendedJson(exact) };
    });
    checkDocument(exact, size, where);
    yield { bytes, text, where, loss: findLoss(bytes, exact, where) };
    offset += size;
  }
}

/**
 * @param {Buffer} content Extended JSON
 * @param {string} file its path, for messages
 * @returns {Generator<IncomingDocument>}
 * @throws {FormatError} with the document and its line
 */
function* readJsonDocuments(content, file) {
  if (!/^(\ufeff)?\s*(\{|\[)/.test(content.toString('utf8', 0, 4096))) {
    throw new FormatError(`${file} is neither Extended JSON nor BSON`, {
      remedy: 'Unpack it if it is compressed; text must be UTF-8 and begin with { or [.',
    });
  }
  for (const { text, where } of splitJsonDocuments(content)) {
    const document = attempt(where, () => EJSON.parse(text, { relaxed: false }));
    const size = attempt(where, () => calculateObjectSize(document, { ignoreUndefined: false }));
    checkDocument(document, size, where);
    const bytes = attempt(where, () => serialize(document, { ignoreUndefined: false }));
    yield { bytes, text, where, loss: null };
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
 * JavaScript objects cannot represent some BSON: deprecated types, integer-like keys in another
 * order, duplicate keys.
 * @type {(bytes: Buffer, exact: import('bson').Document, where: string) => string | null} a sentence
 */
function findLoss(bytes, exact, where) {
  const again = attempt(where, () => serialize(exact, { ignoreUndefined: false }));
  if (bytes.equals(again)) return null;
  const offset = bytes.findIndex((byte, index) => byte !== again[index]);
  return `${where} changes from byte ${offset} on when it is read and written`;
}

/**
 * @template T
 * @param {string} where
 * @param {() => T} read
 * @returns {T}
 * @throws {FormatError} with the position, for any error of the reference
 */
function attempt(where, read) {
  try {
    return read();
  } catch (cause) {
    const tooDeep = cause instanceof RangeError && /call stack/.test(cause.message);
    const reason = tooDeep ? 'it is nested too deeply' : /** @type {Error} */ (cause).message;
    throw new FormatError(`${where} cannot be read: ${reason}`, {
      remedy: 'Fix the document (Extended JSON version 2), or leave it out.',
      cause,
    });
  }
}

/** Limit for a file to import: 256 MB. */
export const MAX_FILE_BYTES = 256 * 2 ** 20;

/**
 * @param {string} file path
 * @returns {Buffer} at least one byte
 * @throws {UsageError} when it is missing, not a file, empty or too large
 */
function readUserFile(file) {
  const status = statSync(file, { throwIfNoEntry: false });
  if (status === undefined) {
    throw new UsageError(`file ${file} does not exist`, { remedy: 'Check the path.' });
  }
  if (!status.isFile()) {
    throw new UsageError(
      `${file} is ${status.isDirectory() ? 'a directory' : 'not a regular file'}`,
      {
        remedy: 'Import one file of Extended JSON or BSON.',
      },
    );
  }
  if (status.size > MAX_FILE_BYTES) {
    throw new UsageError(
      `${file} has ${countOf(status.size, 'byte')}; the limit is ${MAX_FILE_BYTES}`,
      {
        remedy: 'Import a sample: a few thousand documents are enough to measure.',
      },
    );
  }
  if (status.size === 0) {
    throw new UsageError(`${file} is empty`, { remedy: 'Import a file with a document in it.' });
  }
  return readFileSync(file);
}
