import { EJSON, calculateObjectSize, serialize } from 'bson';
import { FormatError } from '../../harness/lib/errors.js';
import { formatExtendedJson, readExactTypes } from './extended-json.js';
import { splitJsonDocuments } from './json-documents.js';

/** Of one document: the limit of MongoDB, 16 MB. */
const MAX_DOCUMENT_BYTES = 16 * 2 ** 20;

/**
 * A document on its way in.
 *
 * @typedef {object} IncomingDocument
 * @property {Uint8Array} bytes canonical BSON
 * @property {string} text Extended JSON on one line
 * @property {string} where `document 3`, with its place in the file, for messages
 * @property {string | null} loss what does not survive live objects, where something does not
 */

/**
 * A BSON file begins with the length of its first document, whose highest byte is 0 up to the size
 * limit of a document (and 1 at it). Text has neither character.
 *
 * @param {Buffer} content of a file to import
 * @returns {boolean} whether it should be read as BSON rather than as text
 */
export function looksLikeBson(content) {
  return content.length >= 4 && Number(content[3]) <= 1;
}

/**
 * @param {Buffer} content concatenated BSON
 * @returns {Generator<IncomingDocument>}
 * @throws {FormatError} with the document and its byte offset
 */
export function* readBsonDocuments(content) {
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
export function* readJsonDocuments(content, file) {
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

/**
 * @param {import('bson').Document} document
 * @param {number} sizeBytes
 * @param {string} where
 */
function checkDocument(document, sizeBytes, where) {
  if (Object.prototype.toString.call(document) !== '[object Object]' || document._bsontype) {
    throw new FormatError(`${where} is a single value, no document`, {
      remedy: 'Put the value into a field: {"value": …}.',
    });
  }
  if (sizeBytes > MAX_DOCUMENT_BYTES) {
    throw new FormatError(`${where} has ${sizeBytes} bytes; the limit is ${MAX_DOCUMENT_BYTES}`, {
      remedy: 'Leave the document out, or cut it into several.',
    });
  }
}

/**
 * Some BSON has no equal among live objects: deprecated types, keys that look like integers in an
 * unusual place, a key twice.
 *
 * @param {Buffer} bytes
 * @param {import('bson').Document} exact
 * @param {string} where
 * @returns {string | null} a sentence
 */
function findLoss(bytes, exact, where) {
  const again = attempt(where, () => serialize(exact, { ignoreUndefined: false }));
  if (bytes.equals(again)) return null;
  const offset = bytes.findIndex((byte, index) => byte !== again[index]);
  return `${where} is not written back as it was read, from byte ${offset} of the document on`;
}

/**
 * @template T
 * @param {string} where
 * @param {() => T} read
 * @returns {T}
 * @throws {FormatError} with the place, for whatever the reference objects to
 */
function attempt(where, read) {
  try {
    return read();
  } catch (cause) {
    const tooDeep = cause instanceof RangeError && /call stack/.test(cause.message);
    const reason = tooDeep ? 'it is nested too deeply' : /** @type {Error} */ (cause).message;
    throw new FormatError(`${where} cannot be read: ${reason}`, {
      remedy: 'Mend the document (Extended JSON is version 2), or leave it out.',
      cause,
    });
  }
}
