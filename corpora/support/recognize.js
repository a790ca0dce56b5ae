/** What a file of documents is, by its content. */

import { FormatError, UsageError } from '../../harness/lib/errors.js';
import { PACKED_FORMATS, unpackGzip } from '../../harness/lib/packed.js';
import { PROGRAM } from '../../harness/lib/program.js';
import { SHELL_REMEDY, findShellSyntax } from './document-files.js';

/** @typedef {'Extended JSON' | 'BSON'} ContentFormat */

/**
 * Unpacks gzip.
 * @param {Buffer} content
 * @param {string} source for messages; a name that ends in `.bson` is that of BSON, however damaged
 * @param {number} maxBytes of the unpacked content
 * @returns {{ format: ContentFormat, content: Buffer }}
 * @throws {FormatError} when it is neither, with the command that converts it if there is one
 * @throws {UsageError} when there is nothing in it, or too much
 */
export function recognizeContent(content, source, maxBytes) {
  const unpacked = unpack(content, source, maxBytes);
  if (unpacked.length === 0) {
    throw new UsageError(`${source} is empty`, { remedy: 'Import a file with a document in it.' });
  }
  return { format: findFormat(unpacked, source, unpacked !== content), content: unpacked };
}

/** @param {string} source @param {number} maxBytes */
export function tooLarge(source, maxBytes) {
  return new UsageError(`${source} is too large: the limit is ${maxBytes} bytes, unpacked`, {
    remedy: 'Import a sample: a few thousand documents are enough to measure.',
  });
}

/** @type {(content: Buffer, source: string, maxBytes: number) => Buffer} */
function unpack(content, source, maxBytes) {
  try {
    const refuseLarge = () => tooLarge(source, maxBytes);
    return unpackGzip(content, { source, maxBytes, refuseLarge });
  } catch (error) {
    // BSON may begin with any length.
    if (beginsWithDocument(content)) return content;
    throw error;
  }
}

/** @param {Buffer} content @returns {boolean} whether it begins with BSON of a plausible length that ends as it must */
function beginsWithDocument(content) {
  if (content.length < 5) return false;
  const size = content.readInt32LE(0);
  return size >= 5 && size <= content.length && content[size - 1] === 0;
}

const IMPORT = `${PROGRAM} corpora import NAME -`;

/**
 * Formats that are not read, by their first bytes in hexadecimal.
 * @type {{ what: string, bytes: RegExp, remedy: string }[]}
 */
const OTHER_FORMATS = [
  ...[
    ...PACKED_FORMATS,
    { what: 'UTF-16', bytes: /^(7b|5b)00(?!00)..00/, command: 'iconv -f UTF-16LE -t UTF-8' },
    { what: 'UTF-16', bytes: /^00(7b|5b)00(?!00)/, command: 'iconv -f UTF-16BE -t UTF-8' },
  ].map(({ command, ...format }) => ({
    ...format,
    remedy: `Convert it: ${command} FILE | ${IMPORT}`,
  })),
  {
    what: 'a tar archive',
    bytes: /^.{514}7573746172/,
    remedy: `Convert it: tar -xOf FILE MEMBER | ${IMPORT}`,
  },
  {
    what: 'an archive of mongodump',
    bytes: /^6de29981/,
    remedy: `Restore it and export one collection: mongorestore --archive=FILE (with --gzip if it is compressed), then mongoexport --jsonFormat canonical --db DB --collection COLLECTION | ${IMPORT}`,
  },
];

/**
 * @param {Buffer} content
 * @param {string} source
 * @param {boolean} wasPacked
 * @returns {ContentFormat}
 */
function findFormat(content, source, wasPacked) {
  if (beginsWithDocument(content)) return 'BSON';
  const inside = wasPacked ? 'what gzip contains in ' : '';
  const hex = content.toString('hex', 0, 512);
  const other = OTHER_FORMATS.find(({ bytes }) => bytes.test(hex));
  if (other !== undefined) {
    throw new FormatError(`${inside}${source} is ${other.what}`, { remedy: other.remedy });
  }
  const head = content.toString('utf8', 0, 4096);
  if (/^\ufeff?\s*[{[]/.test(head)) return 'Extended JSON';
  // The length of a document is less than 16 MB, so its last byte is 0; text has no such character.
  if (Number(content[3]) <= 1 || /\.bson(\.gz)?$/i.test(source)) return 'BSON';
  const call = findShellSyntax(head);
  if (call !== null) {
    throw new FormatError(`${inside}${source} is in the syntax of the mongo shell: ${call}(…)`, {
      remedy: SHELL_REMEDY,
    });
  }
  throw new FormatError(`${inside}${source} is neither Extended JSON nor BSON`, {
    remedy: 'Text must be UTF-8 and begin with { or [. A program can generate documents, too.',
  });
}
