import { resolve } from 'node:path';
import { didYouMean } from '../did-you-mean.js';
import { UsageError } from '../errors.js';
import { EXIT } from '../exit-status.js';
import { judgeRun } from '../judge-run.js';
import { listRenderers, renderRun } from '../publish-run.js';
import { recallSession } from '../recall-session.js';
import { readRun } from '../run-store.js';

/** @import { Io } from '../cli.js' */

/**
 * `just report RUN`: judges the observations of a run again and renders the result.
 *
 * @param {string[]} args
 * @param {{ format: string }} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 */
export async function runCommand([path], { format }, io) {
  const renderers = await listRenderers();
  const renderer = renderers.find(({ name }) => name === format);
  if (renderer === undefined) {
    const names = renderers.map(({ name }) => name);
    throw new UsageError(`no format '${format}'${didYouMean(format, names)}`, {
      remedy: `there are ${names.join(', ')}`,
    });
  }
  const run = await readRun(resolve(io.workingPath, path));
  const judged = await judgeRun(run, recallSession(run));
  io.stdout.write(await renderRun(renderer, { ...run, ...judged }, io));
  return EXIT.done;
}
