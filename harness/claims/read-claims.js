import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FormatError } from '../errors.js';
import { validate } from '../schemas.js';

/** @import { Claim, ClaimsFile, ClaimSource } from '../types.ts' */
/** @import { FoundFamily } from '../resolve/families.js' */

/** @typedef {Claim & { family: string }} FamilyClaim */

/**
 * The claims that the families keep.
 *
 * @param {FoundFamily[]} families
 * @returns {Promise<{ sources: ClaimSource[], claims: FamilyClaim[] }>}
 * @throws {FormatError} when a file is broken
 */
export async function readClaims(families) {
  /** @type {ClaimSource[]} */
  const sources = [];
  /** @type {FamilyClaim[]} */
  const claims = [];
  for (const { name, path } of families) {
    const file = join(path, 'claims.json');
    if (!existsSync(file)) continue;
    const content = await readClaimsFile(file);
    sources.push(...content.sources);
    claims.push(...content.claims.map((claim) => ({ ...claim, family: name })));
  }
  return { sources, claims };
}

/**
 * @param {string} file
 * @returns {Promise<ClaimsFile>}
 */
async function readClaimsFile(file) {
  let content;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new FormatError(`'${file}' is not valid JSON: ${/** @type {Error} */ (cause).message}`, {
      cause,
      remedy: 'restore the file as it was committed',
    });
  }
  await validate('claims', content, `'${file}'`);
  return content;
}
