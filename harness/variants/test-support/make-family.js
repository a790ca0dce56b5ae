/** @import { FoundFamily } from '../families.js' */

/**
 * A family as if found on disk.
 * @type {(name: string, parts: Partial<FoundFamily> & Pick<FoundFamily, 'path'>) => FoundFamily}
 */
export function makeFamily(name, parts) {
  return {
    name,
    summary: name,
    reference: 'npm:bson@7.3.4',
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
