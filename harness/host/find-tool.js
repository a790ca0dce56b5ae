import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Finds a program as a shell would.
 *
 * @param {string} name of the program
 * @param {Record<string, string | undefined>} environment
 * @returns {string | null} absolute path; null where no directory of the PATH has it
 */
export function findTool(name, { PATH = '' }) {
  const paths = PATH.split(delimiter)
    .filter((directory) => directory !== '')
    .map((directory) => join(directory, name));
  return paths.find(isProgram) ?? null;
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
