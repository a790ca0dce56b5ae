import { countOf } from '../../harness/lib/numbers.js';
import { readFileSync, statSync } from 'node:fs';
import { UsageError } from '../../harness/lib/errors.js';

/** Of a file to import: 256 MB. */
export const MAX_FILE_BYTES = 256 * 2 ** 20;

/**
 * @param {string} file path
 * @returns {Buffer} at least one byte
 * @throws {UsageError} when it is missing, no file, empty or too large
 */
export function readUserFile(file) {
  const status = statSync(file, { throwIfNoEntry: false });
  if (status === undefined) {
    throw new UsageError(`there is no file ${file}`, { remedy: 'Check the path.' });
  }
  if (!status.isFile()) {
    throw new UsageError(`${file} is ${status.isDirectory() ? 'a directory' : 'no regular file'}`, {
      remedy: 'Import one file of Extended JSON or BSON.',
    });
  }
  if (status.size > MAX_FILE_BYTES) {
    throw new UsageError(
      `${file} has ${countOf(status.size, 'byte')}; the limit is ${MAX_FILE_BYTES}`,
      {
        remedy: 'Import a sample: a few thousand documents measure as well as all of them.',
      },
    );
  }
  if (status.size === 0) {
    throw new UsageError(`${file} is empty`, { remedy: 'Import a file with a document in it.' });
  }
  return readFileSync(file);
}
