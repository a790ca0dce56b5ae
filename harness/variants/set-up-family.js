import { AssayError } from '../lib/errors.js';
import { buildFamily, loadFamilyWorker } from './build-family.js';
import { MissingToolError } from './probe-toolchain.js';

/** @import { SetUp } from '../../reports/support/terminal-setup.js' */
/** @import { BuildPlaces } from './build-family.js' */
/** @import { FoundFamily } from './families.js' */

/**
 * Builds a family where that takes anything, and says what came of it. A program that is missing and a
 * build that fails are answers here, so that other families have their turn.
 *
 * @param {Pick<FoundFamily, 'name' | 'path'>} family
 * @param {BuildPlaces} places
 * @returns {Promise<SetUp>}
 */
export async function setUpFamily(family, { onNote, ...places }) {
  const { name } = family;
  const startMs = performance.now();
  let isBuiltNow = false;
  /** @param {string} text */
  const noteBuild = (text) => {
    isBuiltNow = true;
    onNote?.(text);
  };
  try {
    const worker = await loadFamilyWorker(family);
    if (worker === null) return { name, outcome: 'ready', toolchain: {}, buildMs: null };
    const { toolchain } = await buildFamily(family, worker, { ...places, onNote: noteBuild });
    const buildMs = isBuiltNow ? performance.now() - startMs : null;
    return { name, outcome: 'ready', toolchain, buildMs };
  } catch (error) {
    const isInterrupted = places.signal?.aborted === true;
    if (isInterrupted || !(error instanceof AssayError)) throw error;
    if (error instanceof MissingToolError)
      return { name, outcome: 'missing', missing: error.missing };
    return { name, outcome: 'failed', message: error.message, remedy: error.remedy ?? null };
  }
}
