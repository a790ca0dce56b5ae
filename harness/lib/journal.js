import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { parseJson, readLines, wrapIoError } from './files.js';

/** @import { ErrorContext } from './files.js' */

/**
 * @template T
 * @typedef {object} Journal
 * @property {(...values: T[]) => void} append hands the lines to the system before it returns, so that a
 *   process which is killed later loses none; throws a MachineError when they cannot be written
 * @property {() => Promise<T[]>} read values in the order in which they were appended, without a partial
 *   last line; none if there is no file; throws a FormatError when the file cannot be read or a line is
 *   invalid
 * @property {() => void} truncatePartialLine removes a last line that was being written when its process
 *   was killed; call it before appending to a journal of an earlier process
 */

/**
 * Opens an NDJSON journal: a file with one JSON value per line, to which values are only appended. The
 * file is created by the first append.
 *
 * @template T
 * @param {string} file absolute path
 * @param {object} options
 * @param {ErrorContext} options.owner for messages
 * @param {string} options.remedy for a file that cannot be read or a line that is invalid
 * @param {(value: unknown, where: string) => void} options.validate throws for an invalid value;
 *   `where` names the line
 * @param {(text: string) => void} [options.onAppend] called with what has been appended
 * @returns {Journal<T>}
 */
export function openJournal(file, { owner, remedy, validate, onAppend }) {
  return {
    append(...values) {
      const text = values.map((value) => `${JSON.stringify(value)}\n`).join('');
      if (text === '') return;
      wrapIoError(file, owner, () => appendFileSync(file, text));
      onAppend?.(text);
    },
    async read() {
      if (!existsSync(file)) return [];
      const values = [];
      let number = 0;
      for (const line of readLines(file, `'${file}'`, remedy)) {
        number++;
        if (line === '') continue;
        const where = `${basename(file)} line ${number} of '${dirname(file)}'`;
        const value = parseJson(line, where, remedy);
        validate(value, where);
        values.push(/** @type {T} */ (value));
      }
      return values;
    },
    truncatePartialLine() {
      if (!existsSync(file)) return;
      const bytes = readFileSync(file);
      const end = bytes.lastIndexOf('\n') + 1;
      if (end < bytes.length) truncateSync(file, end);
    },
  };
}
