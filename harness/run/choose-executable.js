/** @import { Runtime } from '../formats/types.ts' */

/**
 * The program that runs a job.
 *
 * @param {string | undefined} node exact version that the job names
 * @param {Runtime[]} runtimes of the run
 * @returns {string} absolute path
 * @throws {Error} when the run has no such Node, which is a defect
 */
export function chooseExecutable(node, runtimes) {
  if (node === undefined || node === process.versions.node) return process.execPath;
  const runtime = runtimes.find((candidate) => candidate.node === node);
  if (runtime === undefined) throw new Error(`the run has no Node ${node}`);
  return runtime.executable;
}
