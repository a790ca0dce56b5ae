/** @import { FrameKind } from '../../formats/profile-types.ts' */

/**
 * For profiles of other tools, which do not tell the kind of a frame.
 *
 * @param {string} name
 * @param {string | null} file
 * @returns {FrameKind}
 */
export function guessKind(name, file) {
  if (name === '(garbage collector)') return 'gc';
  if (name === '(program)') return 'program';
  return file === null ? 'native' : 'js';
}
