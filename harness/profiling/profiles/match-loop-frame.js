/** @import { Frame } from '../../formats/profile-types.ts' */

/**
 * Finds the measured loop of a program of a family's own. A name fits with or without what it is
 * within, and however the parts of it are divided: `Work::run` fits `org.example.Work.run`.
 *
 * @param {string[]} loop names as `WorkerProgram.loop` has them
 * @returns {(frame: Frame) => boolean}
 */
export function matchLoopFrame(loop) {
  const names = loop.map((name) => `.${dividePlainly(name)}`);
  return function isLoopFrame({ name, kind }) {
    if (kind !== 'code' && kind !== 'js') return false;
    return names.some((ending) => `.${dividePlainly(name)}`.endsWith(ending));
  };
}

/** @param {string} name */
function dividePlainly(name) {
  return name.replaceAll('::', '.');
}
