import { didYouMean } from '../../lib/did-you-mean.js';
import { UsageError } from '../../lib/errors.js';

/** @import { Claim } from '../../formats/types.ts' */

/**
 * The claims that a name on the command line means: those of a source, or one.
 *
 * @template {Claim} OneClaim
 * @param {OneClaim[]} claims of all families
 * @param {string[]} names `NODE-7606`, `NODE-7606/flat-serialize`
 * @returns {OneClaim[]} in their order, each once
 * @throws {UsageError} when a name means none
 */
export function selectClaims(claims, names) {
  for (const name of names) {
    if (claims.some((claim) => isMeant(claim, name))) continue;
    const known = new Set(claims.flatMap(({ id, source }) => [source, id]));
    throw new UsageError(`no claim '${name}'${didYouMean(name, known)}`, {
      remedy: "'just claims' lists them",
    });
  }
  return claims.filter((claim) => names.some((name) => isMeant(claim, name)));
}

/**
 * @param {Claim} claim
 * @param {string} name
 */
function isMeant({ id, source }, name) {
  return name === source || name === id;
}
