import { didYouMean } from '../../harness/did-you-mean.js';
import { UsageError } from '../../harness/errors.js';

/** @import { Provenance } from '../../harness/types.ts' */

/**
 * Every way a document can come to be, the default first.
 *
 * @type {Provenance[]}
 */
export const PROVENANCES = ['parsed', 'deserialized', 'literal'];

/** What the name of a corpus looks like: `flat`, `my-orders-2`. */
export const NAME_PATTERN = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/**
 * Reads a corpus as it is typed. Whether the name exists is the catalog's business.
 *
 * @param {string} text `flat`, `flat@deserialized`
 * @returns {{ label: string, name: string, provenance: Provenance }} `label` is the shortest way to
 *   say the same: the default provenance is left out
 * @throws {UsageError} when the provenance is unknown or a part is missing
 */
export function parseLabel(text) {
  const [name = '', provenance = 'parsed', ...rest] = text.split('@');
  if (name === '' || rest.length > 0) {
    throw new UsageError(`'${text}' is no corpus`, {
      remedy: 'Write NAME or NAME@PROVENANCE, for example flat@deserialized.',
    });
  }
  const known = PROVENANCES.find((each) => each === provenance);
  if (known === undefined) {
    throw new UsageError(
      `no provenance '${provenance}' in '${text}'${didYouMean(provenance, PROVENANCES)}`,
      { remedy: `A provenance is one of ${PROVENANCES.join(', ')}.` },
    );
  }
  return { label: formatLabel(name, known), name, provenance: known };
}

/**
 * @param {string} name
 * @param {Provenance} provenance
 * @returns {string} `flat` for the default provenance, else `flat@literal`
 */
export function formatLabel(name, provenance) {
  return provenance === PROVENANCES[0] ? name : `${name}@${provenance}`;
}
