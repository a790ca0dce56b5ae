import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readDocument } from '../../formats/read-document.js';

/** @import { Reproduction } from '../../formats/types.ts' */

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
 * @throws {import('../../lib/errors.js').FormatError} when the file is broken or of another format version
 */
export async function readReproduction(path) {
  const file = join(path, FILE);
  const remedy = 'restore the file from a copy, or reproduce the claims again';
  return /** @type {Reproduction} */ (await readDocument(file, 'reproduction', remedy));
}
