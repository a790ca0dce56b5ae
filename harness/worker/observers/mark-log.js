import vm from 'node:vm';
import { WINDOW_MARKS } from '../window-marks.js';

/**
 * Marks the start and the end of the window in V8's log.
 *
 * @returns {Promise<() => Promise<undefined>>} ends the window
 */
export async function observe() {
  compileMark(WINDOW_MARKS.begin);
  return async function markEnd() {
    compileMark(WINDOW_MARKS.end);
    return undefined;
  };
}

/** @param {string} filename */
function compileMark(filename) {
  new vm.Script('0', { filename }).runInThisContext();
}
