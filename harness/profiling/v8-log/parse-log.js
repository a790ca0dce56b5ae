import { FormatError } from '../../lib/errors.js';
import { LogReader } from './log-reader.js';

/** @import { DeoptLog } from '../../formats/types.ts' */

const REMEDY = 'record it again';

/**
 * Reads what V8 writes under `--log-code --log-deopt --log-ic`: of each function in a file the tier
 * that it reached, how often and why its code was given up, and the places that met more than one
 * hidden class. Knows the logs of V8 11.3 to 14.6 (Node 20 to 26).
 *
 * @param {string} text of a process that left the marks of `window-marks.js`
 * @param {string} projectPath absolute path that file names are shortened against
 * @returns {DeoptLog}
 * @throws {FormatError} for what is no such log, and for one that breaks off before the end of the
 *   recorded window
 */
export function parseLog(text, projectPath) {
  if (!text.startsWith('v8-version,')) {
    throw new FormatError("not a V8 log: it does not begin with 'v8-version'", { remedy: REMEDY });
  }
  const reader = new LogReader(projectPath);
  let lineNumber = 0;
  let start = 0;
  while (!reader.isDone) {
    const end = text.indexOf('\n', start);
    if (end === -1) {
      throw new FormatError('the V8 log breaks off before the end of the recorded window', {
        remedy: REMEDY,
      });
    }
    lineNumber++;
    try {
      reader.readLine(text.slice(start, end));
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      throw new FormatError(`V8 log, line ${lineNumber}: ${error.message}`, { remedy: REMEDY });
    }
    start = end + 1;
  }
  return reader.finish();
}
