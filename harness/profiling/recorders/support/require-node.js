/** @import { RecordContext } from '../../../formats/types.ts' */

/**
 * For recorders whose scope is `node`, which are not chosen where a program of a family's own measures.
 *
 * @param {Pick<RecordContext, 'node'>} context
 * @returns {NonNullable<RecordContext['node']>}
 * @throws {Error} when there is no node, which is a defect
 */
export function requireNode({ node }) {
  if (node === null) throw new Error('a recorder that looks into node was given another program');
  return node;
}
