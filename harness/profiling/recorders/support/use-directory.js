import { rm } from 'node:fs/promises';
import { makeTemporaryDirectory } from '../../../lib/make-temporary-directory.js';

/**
 * Does something in a directory of its own, which is gone afterwards.
 *
 * @template Result
 * @param {(path: string) => Promise<Result>} use given the absolute path
 * @returns {Promise<Result>}
 */
export async function useDirectory(use) {
  const path = makeTemporaryDirectory('recorder');
  try {
    return await use(path);
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}
