import { FormatError } from '../errors.js';
import { LogReader } from './log-reader.js';
import { splitLogLine } from './split-log-line.js';

/** @import { DeoptLog } from '../types.ts' */

/**
 * Reads what V8 writes under `--log-code --log-deopt --log-ic`: of each function in a file the tier
 * that it reached, how often and why its code was given up, and the places that met more than one
 * hidden class. Knows the logs of V8 11.3 to 14.6 (Node 20 to 26).
 *
 * @param {string} text
 * @param {string} projectPath absolute path that file names are shortened against
 * @returns {DeoptLog}
 * @throws {FormatError} for what is no such log, and for one that broke off before the end of the
 *   recorded window; a torn last line alone is fine
 */
export function parseLog(text, projectPath) {
  if (!text.startsWith('v8-version,')) {
    throw new FormatError("a V8 log begins with 'v8-version', this file does not", {
      remedy: 'record it again',
    });
  }
  const reader = new LogReader(projectPath);
  let lineNumber = 0;
  for (const line of listWholeLines(text)) {
    lineNumber++;
    try {
      reader.read(line, splitLogLine);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      throw new FormatError(`line ${lineNumber} of the V8 log: ${error.message}`, {
        remedy: 'record it again',
        cause: error,
      });
    }
    if (reader.isDone) return reader.finish();
  }
  throw new FormatError('the V8 log breaks off before the end of the recorded window', {
    remedy: 'record it again',
  });
}
