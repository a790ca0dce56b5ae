import { join } from 'node:path';
import { describe } from '@jest/globals';
import { PROJECT } from '../../lib/project.js';
import {
  MissingToolError,
  loadFamilyWorker,
  requireToolchain,
} from '../../variants/build-family.js';

const isAskedFor = process.env.ASSAY_TEST_LONG === '1';

/**
 * Tests that build a family: `ASSAY_TEST_LONG=1` asks for them, as CI does. Where a program of the
 * family's toolchain is missing they are skipped, and their title says why. To be awaited at the top of
 * a test file. Used by tests only.
 *
 * @param {string} family
 * @param {string} title
 * @param {() => void} body
 */
export async function describeToolchain(family, title, body) {
  const reason = isAskedFor ? await findReason(family) : 'takes long';
  if (reason === null) describe(title, body);
  else describe.skip(`${title} (${reason})`, body);
}

/**
 * @param {string} family
 * @returns {Promise<string | null>} why it cannot be built here; null where it can
 */
async function findReason(family) {
  const worker = await loadFamilyWorker({ path: join(PROJECT.experimentsPath, family) });
  if (worker === null) return null;
  try {
    await requireToolchain(family, worker);
    return null;
  } catch (error) {
    if (error instanceof MissingToolError) return error.message;
    throw error;
  }
}
