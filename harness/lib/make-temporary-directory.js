import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MachineError } from './errors.js';

/**
 * Makes a directory for what is of no use afterwards; whoever asks removes it.
 *
 * @param {string} purpose one word, for its name: `check`
 * @returns {string} absolute path
 * @throws {MachineError} when there is no place for it
 */
export function makeTemporaryDirectory(purpose) {
  try {
    return mkdtempSync(join(tmpdir(), `assay-${purpose}-`));
  } catch (cause) {
    const { message } = /** @type {Error} */ (cause);
    throw new MachineError(`cannot make a temporary directory: ${message}`, {
      cause,
      remedy: 'let TMPDIR name a directory that is there, is writable and has some room',
    });
  }
}
