import { readFileSync } from 'node:fs';
import { splitBsonDocuments } from '../../../../corpora/support/document-files.js';
import { UsageError } from '../../../../harness/lib/errors.js';

/** @import { PreparedCorpus } from '../../../../harness/formats/types.ts' */
/** @import { Parts, UrlObject } from '../../bridge/types.ts' */

/**
 * Offset of the text in a document `{ href: 'https://…' }`, after its size, type byte, key and
 * length of the text with its zero byte. Two zero bytes follow the text.
 */
const TEXT_START = 14;
const KEY = '\u0002href\0';

/**
 * The URLs of a corpus as flat, separate strings.
 * @type {(corpus: PreparedCorpus) => string[]}
 * @throws {UsageError} when it is not a corpus of URLs
 */
export function readHrefs(corpus) {
  return [...splitBsonDocuments(readFileSync(corpus.files.canonical))].map(readHref);
}

/**
 * Reads the document without the npm package bson, which does not run under all compared versions
 * of Node.
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

/** @type {readonly (keyof Parts)[]} */
export const PART_NAMES = [
  'href',
  'origin',
  'protocol',
  'hostname',
  'pathname',
  'search',
  'username',
  'password',
  'port',
  'hash',
];

/** Placeholder for an invalid URL. */
const NO_URL = 'null';

/**
 * A URL as text, for the correctness check.
 * @param {UrlObject | null} url null for an invalid URL
 * @returns {string} JSON
 */
export function describeUrl(url) {
  if (url === null) return NO_URL;
  return JSON.stringify(Object.fromEntries(PART_NAMES.map((name) => [name, url[name]])));
}

/**
 * @param {Uint8Array} expected result of `describeUrl`
 * @param {Uint8Array} found
 * @returns {Promise<{ path: string, expected: string, found: string }>} the first part that differs
 */
export async function explainUrlDifference(expected, found) {
  const [right, wrong] = [expected, found].map((bytes) => Buffer.from(bytes).toString());
  if (right === NO_URL || wrong === NO_URL) {
    return { path: 'url', expected: nameUrl(right), found: nameUrl(wrong) };
  }
  const [rightParts, wrongParts] = [JSON.parse(right), JSON.parse(wrong)];
  const path = PART_NAMES.find((name) => rightParts[name] !== wrongParts[name]) ?? 'href';
  return {
    path,
    expected: JSON.stringify(rightParts[path]),
    found: JSON.stringify(wrongParts[path]),
  };
}

/** @param {string} text */
function nameUrl(text) {
  return text === NO_URL ? 'invalid' : JSON.parse(text).href;
}
