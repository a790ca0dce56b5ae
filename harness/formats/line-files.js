import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { parseJson, readText } from './read-document.js';
import { validate } from './schemas.js';
import { guardDisk } from '../lib/files.js';

/** @import { FormatKind } from './registry.js' */
/** @import { Owner } from '../lib/files.js' */

/**
 * Appends values to a file of one JSON value a line. The lines are handed to the system at once, so
 * that a process which is killed later loses none of them.
 *
 * @param {string} file absolute path
 * @param {object[]} values
 * @param {Owner} owner
 * @throws {import('../lib/errors.js').MachineError} when they cannot be written
 */
export function appendLines(file, values, owner) {
  const text = values.map((value) => `${JSON.stringify(value)}\n`).join('');
  guardDisk(file, owner, () => appendFileSync(file, text));
}

/**
 * Reads such a file. A last line that was being written when its process was killed is passed over.
 *
 * @param {string} file absolute path
 * @param {FormatKind} kind of each line
 * @param {string} remedy where one is broken
 * @returns {Promise<unknown[]>} values of that kind; none where there is no file
 * @throws {import('../lib/errors.js').FormatError} when the file cannot be read, or a line is broken or of
 *   another format version
 */
export async function readLines(file, kind, remedy) {
  if (!existsSync(file)) return [];
  const text = readText(file, `'${file}'`, remedy);
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  const values = [];
  for (const [index, line] of lines.entries()) {
    if (line === '') continue;
    const where = `${basename(file)} line ${index + 1} of '${dirname(file)}'`;
    const value = parseJson(line, where, remedy);
    await validate(kind, value, where);
    values.push(value);
  }
  return values;
}

/**
 * Cuts off a last line that was being written when its process was killed, so that appending can go on.
 *
 * @param {string} file absolute path; there may be none
 */
export function cutTornLine(file) {
  if (!existsSync(file)) return;
  const bytes = readFileSync(file);
  const end = bytes.lastIndexOf('\n') + 1;
  if (end < bytes.length) truncateSync(file, end);
}
