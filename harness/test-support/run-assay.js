import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { PROJECT } from '../project.js';

/**
 * Runs the program as a user would. Used by tests only.
 *
 * @param {string[]} args
 * @param {object} [place]
 * @param {string} [place.workingPath] directory in which the command is typed
 * @param {string} [place.projectPath] checkout of Assay, another than this one
 * @returns {Promise<{ status: number, stdout: string, stderr: string }>}
 */
export function runAssay(args, place = {}) {
  const { workingPath = process.cwd(), projectPath = PROJECT.projectPath } = place;
  const env = { ...process.env, ASSAY_INVOCATION_DIRECTORY: workingPath };
  const bin = join(projectPath, 'harness', 'bin.js');
  return new Promise((resolve) => {
    execFile(process.execPath, [bin, ...args], { env }, (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}
