import { resolve } from 'node:path';
import { PROJECT } from '../../lib/project.js';
import { publishRun } from '../publish.js';
import { readRun } from '../../run/store.js';
import { mergeRuns } from '../../studies/shards/merge.js';
import { findExitStatus } from '../arguments.js';

/** @import { Io } from '../cli.js' */
/** @import { Part } from '../../studies/shards/fit.js' */

/**
 * `just merge RUN...`: puts the shards of a plan together into one run.
 *
 * @param {[string[]]} args directories of the runs
 * @param {{ out?: string, check?: boolean }} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
export async function runCommand([paths], { out, check }, io) {
  const { workingPath } = io;
  /** @type {Part[]} */
  const parts = [];
  for (const name of paths) {
    parts.push({ name, run: await readRun(resolve(workingPath, name)) });
  }
  const runsPath = out === undefined ? PROJECT.runsPath : resolve(workingPath, out);
  const run = await mergeRuns(parts, { runsPath, createdAt: new Date() });
  await publishRun(run, io);
  return findExitStatus(run.verdict, check === true);
}
