import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FormatError } from '../lib/errors.js';

/**
 * Reads a small JSON file that lies beside something in the cache. An entry is moved into place
 * whole, so one that cannot be read was damaged since.
 *
 * @template T
 * @param {string} home absolute path of the entry, which is made again when it is gone
 * @param {string} fileName within it
 * @param {(content: any) => T | undefined} take what is wanted; undefined where the content is none
 * @returns {T}
 * @throws {FormatError} when the file is missing or broken
 */
export function readCached(home, fileName, take) {
  const file = join(home, fileName);
  const remedy = `remove '${home}', and it is made again`;
  let content;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new FormatError(
      `'${file}' of the cache cannot be read: ${/** @type {Error} */ (cause).message}`,
      { cause, remedy },
    );
  }
  const taken = Object(content) === content ? take(content) : undefined;
  if (taken === undefined) {
    throw new FormatError(`'${file}' of the cache lacks what it should hold`, { remedy });
  }
  return taken;
}
