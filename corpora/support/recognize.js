/** What a file of documents is, by its content. */

import { gunzipSync } from 'node:zlib';
import { FormatError, UsageError } from '../../harness/lib/errors.js';
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

const GZIP = Buffer.from([0x1f, 0x8b, 8]);

/** @type {(content: Buffer, source: string, maxBytes: number) => Buffer} */
function unpack(content, source, maxBytes) {
  if (!content.subarray(0, GZIP.length).equals(GZIP)) return content;
  try {
    return gunzipSync(content, { maxOutputLength: maxBytes });
  } catch (cause) {
    // BSON may begin with any length.
    if (beginsWithDocument(content)) return content;
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (cause);
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(source, maxBytes);
    throw new FormatError(`${source} is damaged gzip: ${message}`, {
      remedy: "Copy it again; 'gzip --test FILE' verifies it.",
      cause,
    });
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
    { what: 'UTF-16', bytes: /^(fffe|feff)/, command: 'iconv -f UTF-16 -t UTF-8 FILE' },
    { what: 'UTF-16', bytes: /^(7b|5b)00(?!00)..00/, command: 'iconv -f UTF-16LE -t UTF-8 FILE' },
    { what: 'UTF-16', bytes: /^00(7b|5b)00(?!00)/, command: 'iconv -f UTF-16BE -t UTF-8 FILE' },
    { what: 'compressed by zstd', bytes: /^28b52ffd/, command: 'zstd -dc FILE' },
    { what: 'compressed by xz', bytes: /^fd377a585a/, command: 'xz -dc FILE' },
    { what: 'compressed by bzip2', bytes: /^425a68/, command: 'bzip2 -dc FILE' },
    { what: 'a zip archive', bytes: /^504b0304/, command: 'unzip -p FILE' },
    { what: 'a tar archive', bytes: /^.{514}7573746172/, command: 'tar -xOf FILE MEMBER' },
  ].map(({ command, ...format }) => ({ ...format, remedy: `Convert it: ${command} | ${IMPORT}` })),
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
