import { FormatError } from '../../../harness/lib/errors.js';

const REMEDY = 'The shape of these files is documented in vectors/README.md.';

/**
 * Throws unless a condition holds for a file of vectors.
 *
 * @param {boolean} isRight
 * @param {string} where File, and vector where it is known.
 * @param {string} what The expected content.
 * @param {unknown} [cause]
 * @throws {FormatError}
 */
export function refuseUnless(isRight, where, what, cause) {
  if (!isRight) throw new FormatError(`${where}: ${what}`, { remedy: REMEDY, cause });
}
