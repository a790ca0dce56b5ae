import { FormatError } from '../../../harness/lib/errors.js';

const REMEDY = 'The shape of these files is documented in vectors/README.md.';

/**
 * Refuses a file of vectors unless a condition holds.
 *
 * @param {boolean} isRight
 * @param {string} where File, and vector where it is known.
 * @param {string} what What should stand there.
 * @param {unknown} [cause]
 * @throws {FormatError}
 */
export function refuseUnless(isRight, where, what, cause) {
  if (!isRight) throw new FormatError(`${where}: ${what}`, { remedy: REMEDY, cause });
}
