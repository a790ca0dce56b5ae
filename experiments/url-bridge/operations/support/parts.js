/** @import { Parts, UrlObject } from '../../bridge/types.ts' */

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
 * A URL as the gate compares it.
 *
 * @param {UrlObject | null} url null for an input that is none
 * @returns {string} JSON
 */
export function describeUrl(url) {
  if (url === null) return NO_URL;
  return JSON.stringify(Object.fromEntries(PART_NAMES.map((name) => [name, url[name]])));
}

/**
 * @param {Uint8Array} expected as `describeUrl` gives it
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
