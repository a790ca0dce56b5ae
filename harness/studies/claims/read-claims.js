import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readDocument } from '../../formats/read-document.js';

/** @import { Claim, ClaimsFile, ClaimSource } from '../../formats/types.ts' */
/** @import { FoundFamily } from '../../variants/families.js' */

/** @typedef {Claim & { family: string }} FamilyClaim */

/**
 * The claims that the families keep.
 *
 * @param {FoundFamily[]} families
 * @returns {Promise<{ sources: ClaimSource[], claims: FamilyClaim[] }>}
 * @throws {import('../../lib/errors.js').FormatError} when a file is broken
 */
export async function readClaims(families) {
  /** @type {ClaimSource[]} */
  const sources = [];
  /** @type {FamilyClaim[]} */
  const claims = [];
  for (const { name, path } of families) {
    const file = join(path, 'claims.json');
    if (!existsSync(file)) continue;
    const remedy = 'restore the file as it was committed';
    const content = /** @type {ClaimsFile} */ (await readDocument(file, 'claims', remedy));
    sources.push(...content.sources);
    claims.push(...content.claims.map((claim) => ({ ...claim, family: name })));
  }
  return { sources, claims };
}
