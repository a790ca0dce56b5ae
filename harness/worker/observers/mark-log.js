import vm from 'node:vm';
import { WINDOW_MARKS } from '../window-marks.js';

/**
 * Leaves a mark in V8's log where the window begins, and one where it ends.
 *
 * @returns {Promise<() => Promise<undefined>>} what ends it
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
