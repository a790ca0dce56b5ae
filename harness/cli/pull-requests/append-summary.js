import { appendFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { MachineError } from '../../lib/errors.js';

/** GitHub shows nothing of a step whose summary is larger. */
const LARGEST_SUMMARY_BYTES = 2 ** 20;

/**
 * Appends a text to the file that a workflow shows as the summary of its job, unless that would then
 * be too large to be shown at all.
 *
 * @param {string} path
 * @param {string} text
 * @returns {boolean} false where it would be
 * @throws {MachineError} when the file cannot be written
 */
export function appendSummary(path, text) {
  const existingBytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const addition = existingBytes === 0 ? text : `\n\n${text}`;
  if (existingBytes + Buffer.byteLength(addition) > LARGEST_SUMMARY_BYTES) return false;
  try {
    appendFileSync(path, addition);
    return true;
  } catch (cause) {
    const { message } = /** @type {Error} */ (cause);
    throw new MachineError(`cannot write the summary to '${basename(path)}': ${message}`, {
      cause,
      remedy: 'name a file that may be written: --summary FILE',
    });
  }
}
