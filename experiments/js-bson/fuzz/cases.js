import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FormatError } from '../../../harness/lib/errors.js';
import { readText } from '../../../harness/lib/files.js';

/** Cases that the fuzzer found and that the tests replay. */
export const OWN_CASES_PATH = join(import.meta.dirname, 'cases');

const REMEDY = 'keep only cases that just fuzz wrote in that directory';

/**
 * A document on which a variant once differed from the reference, as written by `just fuzz`.
 *
 * @typedef {object} FuzzCase
 * @property {string} name of the file
 * @property {Buffer} bytes
 * @property {Record<string, any>} options of `deserialize`
 */

/**
 * Reads every `*.json` of a directory.
 *
 * @param {string} path
 * @returns {FuzzCase[]} sorted by name; empty if the directory does not exist
 * @throws {FormatError} if a file cannot be read or is not a case
 */
export function loadCases(path) {
  if (!existsSync(path)) return [];
  const names = readdirSync(path).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => {
    const text = readText(join(path, name), `the case '${name}'`, REMEDY);
    return parseCase(name, text);
  });
}

/**
 * @param {string} name
 * @param {string} text
 * @returns {FuzzCase}
 */
function parseCase(name, text) {
  let content;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw new FormatError(`the case '${name}' is not valid JSON`, { cause, remedy: REMEDY });
  }
  const { hex, options } = Object(content);
  const isHex = typeof hex === 'string' && hex.length % 2 === 0 && /^[0-9a-f]*$/i.test(hex);
  if (!isHex || typeof options !== 'object' || options === null) {
    throw new FormatError(`the case '${name}' lacks 'hex' (a document) or 'options' (an object)`, {
      remedy: REMEDY,
    });
  }
  return { name, bytes: Buffer.from(hex, 'hex'), options };
}
