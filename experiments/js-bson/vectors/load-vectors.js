import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseVectorFile } from './parse-vector-file.js';

/** @import { VectorFile } from './parse-vector-file.js' */

/**
 * Reads every `*.json` in a folder of vectors.
 *
 * @param {string} [folder] By default the one this file is in.
 * @returns {VectorFile[]} Sorted by file name.
 * @throws {import('../../../harness/lib/errors.js').FormatError} If a file has another shape.
 */
export function loadVectors(folder = import.meta.dirname) {
  const names = readdirSync(folder).filter(isVectorFile).sort();
  return names.map((name) => parseVectorFile(readFileSync(join(folder, name), 'utf8'), name));
}

/**
 * @param {string} name
 * @returns {boolean}
 */
function isVectorFile(name) {
  return name.endsWith('.json');
}
