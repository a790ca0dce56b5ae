/** @import { Frame } from '../../formats/profile-types.ts' */

/**
 * Two frames with the same key are the same function, wherever in its file it begins: a later
 * version of the file may have moved it.
 *
 * @param {Pick<Frame, 'name' | 'kind' | 'file'>} frame
 * @returns {string}
 */
export function functionKey({ name, kind, file }) {
  // The name comes last: it is the only part that may hold anything at all.
  return `${kind}\t${file ?? ''}\t${name}`;
}
