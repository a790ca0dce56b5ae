import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Does something in a directory of its own, which is gone afterwards.
 *
 * @template Result
 * @param {(path: string) => Promise<Result>} use given the absolute path
 * @returns {Promise<Result>}
 */
export async function useDirectory(use) {
  const path = await mkdtemp(join(tmpdir(), 'assay-recorder-'));
  try {
    return await use(path);
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}
