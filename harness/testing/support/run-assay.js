import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT } from '../../lib/project.js';

/**
 * Runs the program as a user would, but that it waits for no other run. Used by tests only.
 *
 * @param {string[]} args
 * @param {object} [place]
 * @param {string} [place.workingPath] directory in which the command is typed
 * @param {string} [place.projectPath] checkout of Assay, another than this one
 * @param {Record<string, string>} [place.variables] of its environment, besides those of this process
 * @returns {Promise<{ status: number, stdout: string, stderr: string }>} `stderr`: with each message
 *   and each remedy on one line
 */
export function runAssay(args, place = {}) {
  const { workingPath = process.cwd(), projectPath = PROJECT.projectPath, variables = {} } = place;
  const turns = mkdtempSync(join(tmpdir(), 'assay-turns-'));
  const own = { ASSAY_INVOCATION_DIRECTORY: workingPath, ASSAY_TURN_DIRECTORY: turns };
  const env = { ...process.env, ...own, ...variables };
  const bin = join(projectPath, 'harness', 'assay.js');
  return new Promise((resolve) => {
    execFile(process.execPath, [bin, ...args], { env }, (error, stdout, stderr) => {
      rmSync(turns, { recursive: true });
      const status = error === null ? 0 : Number(error.code);
      resolve({ status, stdout, stderr: joinErrorLines(stderr) });
    });
  });
}

/**
 * Undoes the wrapping of `cli.js`. Used by tests only.
 *
 * @param {string} stderr
 * @returns {string} with each message and each remedy on one line
 */
export function joinErrorLines(stderr) {
  return stderr.replaceAll(/\n(?: {7}| {4})(?=\S)/g, ' ');
}
