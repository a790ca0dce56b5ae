/** Files that come as something else than what they hold, by their first bytes. */

import { gunzipSync } from 'node:zlib';
import { FormatError } from './errors.js';

const GZIP = Buffer.from([0x1f, 0x8b, 8]);

/**
 * Unpacks gzip.
 *
 * @param {Buffer} content
 * @param {object} origin
 * @param {string} origin.source for messages
 * @param {number} origin.maxBytes of the unpacked content
 * @param {() => Error} origin.refuseLarge the error where it has more
 * @returns {Buffer} the content itself if it is no gzip
 * @throws {FormatError} when it is damaged
 */
export function unpackGzip(content, { source, maxBytes, refuseLarge }) {
  if (!content.subarray(0, GZIP.length).equals(GZIP)) return content;
  try {
    return gunzipSync(content, { maxOutputLength: maxBytes });
  } catch (cause) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (cause);
    if (code === 'ERR_BUFFER_TOO_LARGE') throw refuseLarge();
    throw new FormatError(`${source} is damaged gzip: ${message}`, {
      remedy: "copy it again; 'gzip --test FILE' verifies it",
      cause,
    });
  }
}

/**
 * Formats that no reader knows: their first bytes in hexadecimal, and the command that writes what they hold to standard
 * output, before the name of the file.
 * @type {readonly { what: string, bytes: RegExp, command: string }[]}
 */
export const PACKED_FORMATS = [
  { what: 'UTF-16', bytes: /^(?:fffe|feff)/, command: 'iconv -f UTF-16 -t UTF-8' },
  { what: 'compressed by zstd', bytes: /^28b52ffd/, command: 'zstd -dc' },
  { what: 'compressed by xz', bytes: /^fd377a585a/, command: 'xz -dc' },
  { what: 'compressed by bzip2', bytes: /^425a68/, command: 'bzip2 -dc' },
  { what: 'a zip archive', bytes: /^504b0304/, command: 'unzip -p' },
];
