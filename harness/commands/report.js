import { resolve } from 'node:path';
import { countBusyMs } from '../conclude-run.js';
import { didYouMean } from '../did-you-mean.js';
import { UsageError } from '../errors.js';
import { EXIT } from '../exit-status.js';
import { judgeRun } from '../judge-run.js';
import { listRenderers, renderRun } from '../publish-run.js';
import { readRun } from '../run-store.js';

/** @import { Judged } from '../judge-run.js' */
/** @import { Io } from '../cli.js' */
/** @import { StoredRun } from '../run-store.js' */

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
  io.stdout.write(await renderRun(renderer, { ...run, ...(await judgeAgain(run)) }, io));
  return EXIT.done;
}

/**
 * The verdict anew from the observations. What only the session knew is taken from the verdict that
 * it wrote; a run that was killed has none.
 *
 * @param {StoredRun} run
 * @returns {Promise<Judged>}
 */
export function judgeAgain(run) {
  const { observations, memoryObservations, profileObservations, verdict } = run;
  const jobs = [...observations, ...memoryObservations, ...profileObservations];
  const observedMs = countBusyMs(jobs);
  const endMs = jobs.reduce(
    (end, { startedAtMs, workerMs }) => Math.max(end, startedAtMs + workerMs),
    0,
  );
  return judgeRun(run, {
    ended: verdict?.ended ?? 'interrupted',
    hostNoise: verdict?.hostNoise ?? { stealShare: null, othersShare: null, throttledMs: null },
    differences: verdict?.differences ?? [],
    wallMs: verdict?.timing.wallMs ?? endMs,
    checkMs: verdict === null ? 0 : Math.max(0, verdict.timing.workerMs - observedMs),
  });
}
