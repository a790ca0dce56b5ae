/** @import { FoundFamily } from '../families.js' */

/**
 * A family as if found on disk.
 *
 * @param {string} name
 * @param {Partial<FoundFamily> & Pick<FoundFamily, 'path'>} parts
 * @returns {FoundFamily}
 */
export function makeFamily(name, parts) {
  return {
    name,
    summary: name,
    reference: 'npm:bson@7.3.1',
    packages: [],
    defaultOperations: [],
    defaultCorpora: [],
    variants: ['only'],
    operations: [],
    axes: [],
    hasContract: true,
    ...parts,
  };
}
