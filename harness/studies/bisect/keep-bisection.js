import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MachineError } from '../../lib/errors.js';

/** @import { Bisection } from './types.ts' */

/**
 * Writes bisection.json, whole or not at all.
 *
 * @param {string} path of the bisection's directory
 * @param {Bisection} bisection
 * @throws {MachineError} when it cannot be written
 */
export function keepBisection(path, bisection) {
  const file = join(path, 'bisection.json');
  const temporary = `${file}.tmp`;
  try {
    writeFileSync(temporary, `${JSON.stringify(bisection, null, 2)}\n`);
    renameSync(temporary, file);
  } catch (cause) {
    throw new MachineError(`cannot write '${file}': ${/** @type {Error} */ (cause).message}`, {
      cause,
      remedy: 'free some space or name another directory with --out',
    });
  }
}
