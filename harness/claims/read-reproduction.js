import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FormatError } from '../errors.js';
import { validate } from '../schemas.js';

/** @import { Reproduction } from '../types.ts' */

const FILE = 'reproduction.json';

/**
 * @param {string} path absolute
 * @returns {boolean} whether it is the directory of a reproduction
 */
export function isReproduction(path) {
  return existsSync(join(path, FILE));
}

/**
 * @param {string} path directory of a reproduction
 * @returns {Promise<Reproduction>}
 * @throws {FormatError} when the file is broken or of another format version
 */
export async function readReproduction(path) {
  const file = join(path, FILE);
  let content;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new FormatError(`'${file}' is not valid JSON: ${/** @type {Error} */ (cause).message}`, {
      cause,
      remedy: 'restore the file from a copy, or reproduce the claims again',
    });
  }
  await validate('reproduction', content, `'${file}'`);
  return content;
}
